#include "identity/signed_token.h"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>

#include "base/limits.h"
#include "base/text.h"
#include "base/try.h"
#include "model/unique_json.h"
#include "model/validate.h"

namespace quire::identity {
namespace {

namespace json = boost::json;

constexpr std::size_t claims_depth = 16;  // of claims that are passed over

Error refused(std::string sentence) {
  return {ErrorCode::invalid_parameter, std::move(sentence)};
}

Error not_valid() {
  return refused("The signature is not one of this token's issuer.");
}

// A token, taken apart.
struct Parts {
  json::object header, claims;
  std::string_view signed_text;
  std::vector<std::uint8_t> signature;
};

std::optional<json::object> object_of(std::string_view encoded) {
  auto bytes = base64url_decode(encoded);
  if (!bytes) return {};
  auto value =
      parse_unique({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, claims_depth);
  if (!value || !value->is_object()) return {};
  return std::move(value->get_object());
}

Result<Parts> taken_apart(std::string_view token) {
  if (token.size() > max_token_bytes) return refused("A token has at most 8 KiB.");
  auto first = token.find('.'), last = token.rfind('.');
  if (!is_signed_token(token)) return refused("A token has three parts, with dots between them.");
  auto header = object_of(token.substr(0, first));
  auto claims = object_of(token.substr(first + 1, last - first - 1));
  auto signature = base64url_decode(token.substr(last + 1));
  if (!header || !claims || !signature)
    return refused(
        "A token's parts are base64url without padding, and the first two are JSON objects that "
        "have no member twice.");
  return Parts{std::move(*header), std::move(*claims), token.substr(0, last),
               std::move(*signature)};
}

// A program may send null for a value that it does not have.
const json::value* claim_in(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value && !value->is_null() ? value : nullptr;
}

// Absent: the member is missing. Empty: it is no text.
std::optional<std::string_view> text_in(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  if (!value) return {};
  return value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

Status check_header(const json::object& header, const Issuer& issuer) {
  if (text_in(header, "alg") != algorithm_name(issuer.algorithm))
    return refused("This issuer signs by another algorithm than the token's \"alg\".");
  if (header.contains("crit"))
    return refused("The token has \"crit\", which asks for what Quire does not know.");
  auto type = text_in(header, "typ");
  if (type && *type != "JWT" && *type != "jwt")
    return refused("The token's \"typ\" is not \"JWT\".");
  return Done{};
}

// A token names its key; it need not where the issuer has only one.
Status check_signature(const Parts& parts, const Issuer& issuer) {
  auto id = text_in(parts.header, "kid");
  if (!id && issuer.keys.size() > 1)
    return refused("The token's header has no \"kid\", and its issuer has several keys.");
  for (const auto& key : issuer.keys) {
    if (id && !key.id().empty() && key.id() != *id) continue;
    if (key.signed_by(parts.signed_text, parts.signature)) return Done{};
    return not_valid();
  }
  return refused("The issuer has no key with the token's \"kid\".");
}

// A NumericDate (RFC 7519, 2) in milliseconds. Absent: it is missing, no number, or out of range.
std::optional<double> time_in(const json::object& claims, std::string_view name) {
  const auto* value = claims.if_contains(name);
  if (!value || !value->is_number()) return {};
  return value->to_number<double>() * 1000;
}

Status check_times(const json::object& claims, std::uint64_t now_ms) {
  auto now = static_cast<double>(now_ms);
  auto end = time_in(claims, "exp");
  if (!end) return refused("The token has no \"exp\": the second in which it ends, since 1970.");
  if (*end <= now - skew_ms) return refused("The token has ended.");
  if (*end > now + max_life_ms + skew_ms)
    return refused("The token's \"exp\" is over a day ahead.");
  if (!claims.contains("nbf")) return Done{};
  auto begin = time_in(claims, "nbf");
  if (!begin || *begin > now + skew_ms) return refused("The token is not valid yet.");
  return Done{};
}

bool is_for(const json::object& claims, std::string_view audience) {
  const auto* value = claims.if_contains("aud");
  if (!value) return false;
  if (value->is_string()) return value->get_string() == audience;
  const auto* list = value->if_array();
  if (!list) return false;
  return std::any_of(list->begin(), list->end(), [&](const json::value& each) {
    return each.is_string() && each.get_string() == audience;
  });
}

Status read_purchases(const json::value& value, Claims& claims) {
  const auto* list = value.if_array();
  if (!list || list->size() > max_purchases)
    return refused("\"purchases\" is a list of at most 500 products.");
  for (const auto& each : *list) {
    if (!each.is_string() || !is_product_name(each.get_string()))
      return refused("Each of \"purchases\" is a product, as it stands in addresses of Quire.");
    claims.purchases.emplace_back(each.get_string());
  }
  return Done{};
}

Result<Claims> claims_of(const json::object& members) {
  Claims claims;
  auto customer = text_in(members, "sub").value_or("");
  if (customer.empty() || customer.size() > max_customer_bytes)
    return refused("\"sub\" is the customer's id, a text of 1 to 128 bytes.");
  claims.customer = customer;
  if (const auto* name = claim_in(members, "name")) {
    if (name->is_string()) claims.name = name->get_string();
    auto size = characters(claims.name, "");
    if (!name->is_string() || !size || *size > limits::author_characters)
      return refused("\"name\" is a text of at most 100 characters, without control characters.");
  }
  if (const auto* verified = claim_in(members, "verified")) {
    if (!verified->is_bool()) return refused("\"verified\" is true or false.");
    claims.verified = verified->get_bool();
  }
  if (const auto* purchases = claim_in(members, "purchases")) {
    TRY_DONE(read_purchases(*purchases, claims));
  }
  return claims;
}

}  // namespace

bool is_signed_token(std::string_view text) {
  return std::count(text.begin(), text.end(), '.') == 2;
}

// What costs nothing is checked first; nothing that the claims say counts before the signature
// does.
Result<Claims> read_token(std::string_view token, const std::vector<Issuer>& issuers,
                          std::uint64_t now_ms) {
  TRY(auto parts, taken_apart(token));
  auto name = text_in(parts.claims, "iss");
  auto issuer = std::find_if(issuers.begin(), issuers.end(),
                             [&](const Issuer& each) { return each.name == name; });
  if (issuer == issuers.end()) return refused("The token's \"iss\" is none of this shop's.");
  TRY_DONE(check_header(parts.header, *issuer));
  if (!is_for(parts.claims, issuer->audience))
    return refused("The token's \"aud\" is not this service.");
  TRY_DONE(check_times(parts.claims, now_ms));
  TRY_DONE(check_signature(parts, *issuer));
  return claims_of(parts.claims);
}

}  // namespace quire::identity
