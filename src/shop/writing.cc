#include "shop/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/limits.h"
#include "base/web_address.h"
#include "model/additions.h"
#include "model/attributes.h"
#include "model/vote.h"

namespace quire::shop {
namespace {

constexpr std::size_t max_hosts = 20;
constexpr std::int64_t max_edit_days = 36'500;

void read_who(TomlReader& toml, const toml::node& node, Shop& shop) {
  auto value = node.value_exact<std::string>();
  if (value == "customers")
    shop.who = Writers::customers;
  else if (value == "anyone")
    shop.who = Writers::anyone;
  else if (value != "nobody")
    toml.refuse(node, R"(who is "nobody", "customers" or "anyone".)");
}

// Names of attributes. Only a proof of purchase sets `verified`, and customers do not count their
// own votes.
void read_fields(TomlReader& toml, const toml::node& node, Shop& shop) {
  const auto* list = node.as_array();
  if (!list) return toml.refuse(node, R"(fields is a list of facets, such as ["size", "fit"].)");
  for (const auto& each : *list) {
    auto name = each.value_exact<std::string>();
    bool field = name && is_attribute_name(*name) && !is_reserved(*name) && *name != "verified" &&
                 !parse_vote(*name);
    if (!field)
      toml.refuse(each,
                  "Each of fields is the name of an attribute: a-z, 0-9 and _, at most 32, and no "
                  "name that has a meaning already, such as verified or helpful.");
    else
      shop.fields.push_back(std::move(*name));
  }
  if (shop.fields.size() >= limits::attributes)
    toml.refuse(node, "fields are at most 31: a proof of purchase adds verified.");
}

Result<std::vector<identity::Key>> keys_in(const toml::table& table, const std::string& bytes,
                                           identity::Algorithm algorithm) {
  if (table.contains("secret")) return identity::parse_secret(bytes);
  return identity::parse_key_set(bytes, algorithm);
}

void read_issuer(TomlReader& toml, const toml::table& table, const FileNamed& file, Shop& shop) {
  toml.expect(table, "[[identity]]", {"issuer", "audience", "algorithm", "keys", "secret"});
  auto name = toml.text(table, "issuer"), audience = toml.text(table, "audience");
  auto algorithm_text = toml.text(table, "algorithm");
  bool has_secret = table.contains("secret");
  auto path = toml.text(table, has_secret ? "secret" : "keys");
  if (!table.contains("issuer") || !table.contains("audience") || !table.contains("algorithm") ||
      has_secret == table.contains("keys"))
    return toml.refuse(table,
                       "[[identity]] has issuer, audience, algorithm, and either keys or secret.");
  if (!name || !audience || !algorithm_text || !path) return;
  auto algorithm = identity::parse_algorithm(*algorithm_text);
  if (!algorithm)
    return toml.refuse(*table.get("algorithm"), "algorithm is HS256, ES256, RS256 or EdDSA.");
  if (has_secret && algorithm != identity::Algorithm::hs256)
    return toml.refuse(*table.get("secret"), "A secret is for HS256. Others need keys = \"FILE\".");
  bool twice = std::any_of(shop.issuers.begin(), shop.issuers.end(),
                           [&](const auto& each) { return each.name == *name; });
  if (twice) return toml.refuse(*table.get("issuer"), "This issuer stands there twice.");
  const auto& node = *table.get(has_secret ? "secret" : "keys");
  const auto& text = file(*path, algorithm == identity::Algorithm::hs256);
  if (!text.trouble.empty()) return toml.refuse(node, text.trouble);
  auto keys = keys_in(table, text.bytes, *algorithm);
  if (!keys) return toml.refuse(node, fmt::format("{}: {}", *path, keys.error().message));
  shop.issuers.push_back({std::move(*name), std::move(*audience), *algorithm, std::move(*keys)});
}

}  // namespace

void read_votes(TomlReader& toml, const toml::table& table, Shop& shop) {
  toml.expect(table, "[votes]", {"who"});
  const auto* node = table.get("who");
  if (!node) return;
  auto value = node->value_exact<std::string>();
  shop.votes = value == "customers";
  if (!shop.votes && value != "off") toml.refuse(*node, R"(who is "off" or "customers".)");
}

void read_media(TomlReader& toml, const toml::node& node, Shop& shop) {
  const auto* list = node.as_array();
  if (!list || list->size() > max_hosts)
    return toml.refuse(node,
                       R"(media is a list of at most 20 hosts, such as ["img.shop.example"].)");
  for (const auto& each : *list) {
    auto host = each.value_exact<std::string>();
    if (!host || !is_host(*host))
      toml.refuse(
          each,
          "Each of media is a host in lower case, such as img.shop.example, without https:// "
          "and path.");
    else
      shop.picture_hosts.push_back(std::move(*host));
  }
}

void read_writing(TomlReader& toml, const toml::table& table, Shop& shop) {
  toml.expect(table, "[writing]", {"who", "link", "once", "fields", "edit_days"});
  if (const auto* node = table.get("who")) read_who(toml, *node, shop);
  if (auto link = toml.text(table, "link")) {
    if (!parse_web_address(address_for(*link, "x")))
      toml.refuse(*table.get("link"),
                  fmt::format("link is where customers write, such as "
                              "https://shop.example/account/reviews?product={{product}}: {}.",
                              web_address_wanted));
    else
      shop.write_url = std::move(*link);
  }
  shop.once = toml.flag(table, "once");
  if (const auto* node = table.get("fields")) read_fields(toml, *node, shop);
  if (const auto* node = table.get("edit_days")) {
    auto value = node->value_exact<std::int64_t>();
    if (!value || *value < 0 || *value > max_edit_days)
      toml.refuse(*node, "edit_days is a whole number from 0 to 36500; 0: never.");
    else
      shop.edit_days = static_cast<int>(*value);
  }
  if (shop.once && shop.who == Writers::anyone)
    shop.warnings.push_back(
        "once binds customers alone: with who = \"anyone\" a person writes as often as they like.");
}

void read_issuers(TomlReader& toml, const toml::node& node, const FileNamed& file, Shop& shop) {
  const auto* list = node.as_array();
  if (!list || !list->is_array_of_tables())
    return toml.refuse(node, "identity is a list of tables. Write [[identity]] above each.");
  for (const auto& each : *list) read_issuer(toml, *each.as_table(), file, shop);
  if (shop.who == Writers::nobody && !shop.votes)
    shop.warnings.push_back(
        "[[identity]] is of no use yet: customers write with who = \"customers\" in [writing].");
}

}  // namespace quire::shop
