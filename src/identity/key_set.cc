#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/text.h"
#include "identity/keys.h"
#include "model/unique_json.h"

namespace quire::identity {
namespace {

namespace json = boost::json;

constexpr std::size_t set_depth = 8;

Error unusable(std::string sentence) {
  return {ErrorCode::invalid_parameter, std::move(sentence)};
}

std::string_view member(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

// Empty: the member is missing, or no base64url.
std::vector<std::uint8_t> bytes_in(const json::object& object, std::string_view name) {
  return base64url_decode(member(object, name)).value_or(std::vector<std::uint8_t>());
}

std::string_view type_of(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::hs256:
      return "oct";
    case Algorithm::rs256:
      return "RSA";
    case Algorithm::es256:
      return "EC";
    case Algorithm::eddsa:
      return "OKP";
  }
  return "";
}

// Whether the key may check signatures of this algorithm. What it does not say stands open.
bool fits(const json::object& key, Algorithm algorithm) {
  if (member(key, "kty") != type_of(algorithm)) return false;
  if (key.contains("alg") && member(key, "alg") != algorithm_name(algorithm)) return false;
  if (key.contains("use") && member(key, "use") != "sig") return false;
  if (algorithm == Algorithm::es256 && member(key, "crv") != "P-256") return false;
  if (algorithm == Algorithm::eddsa && member(key, "crv") != "Ed25519") return false;
  const auto* uses = key.if_contains("key_ops");
  return !uses || (uses->is_array() &&
                   std::count(uses->get_array().begin(), uses->get_array().end(), "verify") > 0);
}

Result<Key> parse_key(const json::object& object, Algorithm algorithm) {
  std::string id(member(object, "kid"));
  if (algorithm == Algorithm::hs256) {
    auto secret = bytes_in(object, "k");
    if (secret.size() < min_secret_bytes)
      return unusable("A secret has 32 bytes or more, as base64url in \"k\".");
    return Key(std::move(id), std::string(secret.begin(), secret.end()));
  }
  if (object.contains("d"))
    return unusable("A key is private: it has \"d\". Quire needs the public key alone.");
  auto x = bytes_in(object, "x"), y = bytes_in(object, "y");
  std::shared_ptr<evp_pkey_st> key;
  if (algorithm == Algorithm::rs256) key = rsa_key(bytes_in(object, "n"), bytes_in(object, "e"));
  if (algorithm == Algorithm::es256) key = ec_key(x, y);
  if (algorithm == Algorithm::eddsa) key = ed25519_key(x);
  if (key) return Key(std::move(id), algorithm, std::move(key));
  if (algorithm == Algorithm::rs256)
    return unusable("A key of RSA is damaged, or has not 2048 to 8192 bits.");
  return unusable(fmt::format("A key for {} is damaged.", algorithm_name(algorithm)));
}

std::optional<Error> check_names(const std::vector<Key>& keys) {
  for (std::size_t i = 0; keys.size() > 1 && i < keys.size(); ++i) {
    if (keys[i].id().empty())
      return unusable(
          "Each of several keys has a name, \"kid\", which tokens say in their header.");
    for (std::size_t j = 0; j < i; ++j)
      if (keys[i].id() == keys[j].id()) return unusable("Two keys have the same \"kid\".");
  }
  return {};
}

}  // namespace

Result<std::vector<Key>> parse_key_set(std::string_view text, Algorithm algorithm) {
  auto parsed = parse_unique(text, set_depth);
  const auto* object = parsed.ok() ? parsed->if_object() : nullptr;
  const auto* list = object ? object->if_contains("keys") : nullptr;
  if (!list || !list->is_array())
    return unusable("It is no JSON Web Key Set: {\"keys\": [{\"kty\": …, \"kid\": …, …}]}.");
  std::vector<Key> keys;
  for (const auto& each : list->get_array()) {
    if (!each.is_object()) return unusable("Each of \"keys\" is an object.");
    if (!fits(each.get_object(), algorithm)) continue;
    if (keys.size() == max_keys) return unusable(fmt::format("It has over {} keys.", max_keys));
    auto key = parse_key(each.get_object(), algorithm);
    if (!key) return key.error();
    keys.push_back(std::move(*key));
  }
  if (keys.empty()) {
    return unusable(fmt::format("It has no key for {}: \"kty\" is \"{}\"{}.",
                                algorithm_name(algorithm), type_of(algorithm),
                                algorithm == Algorithm::es256   ? ", \"crv\" is \"P-256\""
                                : algorithm == Algorithm::eddsa ? ", \"crv\" is \"Ed25519\""
                                                                : ""));
  }
  if (auto error = check_names(keys)) return std::move(*error);
  return keys;
}

Result<std::vector<Key>> parse_secret(std::string_view bytes) {
  if (bytes.ends_with('\n')) bytes.remove_suffix(1);
  if (bytes.starts_with("-----BEGIN") || bytes.starts_with('{'))
    return unusable(
        "It holds a key of another kind, which may be public: name it under keys. A secret is "
        "random bytes: openssl rand -hex 32.");
  if (bytes.size() < min_secret_bytes)
    return unusable("A secret has 32 bytes or more. Make one: openssl rand -hex 32.");
  return std::vector{Key({}, std::string(bytes))};
}

}  // namespace quire::identity
