#include "product/facts.h"

#include <boost/json.hpp>
#include <boost/url.hpp>

#include <algorithm>
#include <vector>

#include "base/limits.h"
#include "model/document.h"
#include "model/unique_json.h"
#include "model/validate.h"

namespace quire {
namespace {

namespace json = boost::json;

constexpr std::size_t facts_depth = 2;

struct FactsMember {
  std::string_view name;
  std::string ProductFacts::*text;
  std::size_t max_characters;
};
constexpr FactsMember facts_members[] = {{"name", &ProductFacts::name, limits::title_characters},
                                         {"url", &ProductFacts::url, limits::address_bytes},
                                         {"image", &ProductFacts::image, limits::address_bytes},
                                         {"brand", &ProductFacts::brand, limits::author_characters},
                                         {"gtin", &ProductFacts::gtin, 14},
                                         {"mpn", &ProductFacts::mpn, limits::author_characters},
                                         {"sku", &ProductFacts::sku, limits::author_characters}};

bool is_web_address(const std::string& text) {
  auto parsed = boost::urls::parse_uri(text);
  return parsed && (parsed->scheme() == "https" || parsed->scheme() == "http") &&
         !parsed->host().empty() && !parsed->has_userinfo();
}

// GS1: from the right, every other digit counts three times, and all give a multiple of ten.
bool is_gtin(std::string_view text) {
  auto size = text.size();
  bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || (size != 8 && size != 12 && size != 13 && size != 14)) return false;
  int sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += (text[size - 1 - i] - '0') * (i % 2 == 0 ? 1 : 3);
  return sum % 10 == 0;
}

std::string_view wrong_fact(const FactsMember& member, const std::string& text) {
  if (text.empty()) return {};
  auto size = characters(text, "");
  if (!size) return "has control characters, or is no UTF-8";
  if (*size > member.max_characters) return "is too long";
  bool address = member.name == "url" || member.name == "image";
  if (address && !is_web_address(text)) return "must be an address with https:// or http://";
  if (member.name == "gtin" && !is_gtin(text))
    return "must have 8, 12, 13 or 14 digits, of which the last is the check digit";
  return {};
}

Error refused_facts(std::vector<FieldError> fields) {
  auto error = invalid_comment(std::move(fields));
  error.message.replace(0, error.message.find(':'), "The facts were not taken");
  return error;
}

// `product` null: the row has none.
Result<ProductFacts> read_facts(std::string_view text, std::string* product) {
  auto body = parse_unique(text, facts_depth);
  if (!body) return body.error();
  const auto* object = body->if_object();
  if (!object) return refused_facts({{"name", "is the member that the object needs"}});
  ProductFacts facts;
  std::vector<FieldError> errors;
  for (const auto& [name, value] : *object) {
    std::string_view named(name);
    const auto* member = std::find_if(std::begin(facts_members), std::end(facts_members),
                                      [&](const FactsMember& each) { return each.name == named; });
    bool known = member != std::end(facts_members);
    if (!known && !(product && named == "product")) {
      errors.push_back({std::string(shortened(named)), "is no fact of a product"});
    } else if (!value.is_string()) {
      errors.push_back({std::string(named), "must be a text"});
    } else if (!known) {
      *product = value.get_string();
    } else {
      facts.*member->text = value.get_string();
      if (auto fault = wrong_fact(*member, facts.*member->text); !fault.empty())
        errors.push_back({std::string(named), std::string(fault)});
    }
  }
  if (facts.name.empty()) errors.push_back({"name", "must not be empty"});
  if (product && check_product(*product))
    errors.push_back({"product", "must have 1 to 256 bytes of UTF-8"});
  if (!errors.empty()) return refused_facts(std::move(errors));
  return facts;
}

}  // namespace

void append_facts(std::string& out, const ProductFacts& facts) {
  for (const auto& member : facts_members) {
    const auto& text = facts.*member.text;
    if (text.empty()) continue;
    out.append(",\"").append(member.name).append("\":");
    append_json_string(out, text);
  }
}

std::string encode_facts(const ProductFacts& facts) {
  std::string out;
  append_facts(out, facts);
  if (out.empty()) return "{}";
  out.front() = '{';
  return out + '}';
}

std::optional<ProductFacts> decode_facts(std::string_view json) {
  auto facts = read_facts(json, nullptr);
  if (!facts) return {};
  return std::move(*facts);
}

Result<ProductFacts> parse_facts(std::string_view json) {
  return read_facts(json, nullptr);
}

Result<NamedFacts> parse_facts_row(std::string_view json) {
  NamedFacts row;
  auto facts = read_facts(json, &row.product);
  if (!facts) return facts.error();
  row.facts = std::move(*facts);
  return row;
}

std::string encode_facts_row(const NamedFacts& row) {
  std::string out = "{\"product\":";
  append_json_string(out, row.product);
  append_facts(out, row.facts);
  return out + '}';
}

}  // namespace quire
