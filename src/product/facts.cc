#include "product/facts.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include <algorithm>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/limits.h"
#include "base/try.h"
#include "base/web_address.h"
#include "model/additions.h"
#include "model/document.h"
#include "model/unique_json.h"
#include "model/validate.h"

namespace quire {
namespace {

namespace json = boost::json;

constexpr std::size_t facts_depth = 2;

struct FactsMember {
  std::string_view name;
  // Either is there.
  std::string ProductFacts::*text;
  std::vector<std::string> ProductFacts::*list;
  std::size_t max_characters;
};
constexpr FactsMember facts_members[] = {
    {"name", &ProductFacts::name, nullptr, limits::title_characters},
    {"url", &ProductFacts::url, nullptr, limits::address_bytes},
    {"image", &ProductFacts::image, nullptr, limits::address_bytes},
    {"brand", &ProductFacts::brand, nullptr, limits::author_characters},
    {"gtin", nullptr, &ProductFacts::gtin, 14},
    {"mpn", nullptr, &ProductFacts::mpn, limits::author_characters},
    {"sku", nullptr, &ProductFacts::sku, limits::author_characters}};

// GS1: from the right, every other digit counts three times, and all give a multiple of ten.
bool is_gtin(std::string_view text) {
  auto size = text.size();
  bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  bool zeros = text.find_first_not_of('0') == text.npos;
  if (!digits || zeros || (size != 8 && size != 12 && size != 13 && size != 14)) return false;
  int sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += (text[size - 1 - i] - '0') * (i % 2 == 0 ? 1 : 3);
  return sum % 10 == 0;
}

// Brings the text into the form in which it is kept. Gives the fault of one that has no such form.
std::string wrong_fact(const FactsMember& member, std::string& text) {
  if (text.empty()) return {};
  if (member.name == "url" || member.name == "image") {
    auto address = parse_web_address(text);
    if (!address) return "must be " + std::string(web_address_wanted);
    text = as_sent(*address);
  }
  if (is_blank(text)) return "must have more than blanks";
  auto size = characters(text, "");
  if (!size) return "must be UTF-8 without control characters";
  if (*size > member.max_characters)
    return "must have at most " + std::to_string(member.max_characters) + " characters";
  if (member.name == "gtin" && !is_gtin(text))
    return "must have 8, 12, 13 or 14 digits, of which the last is the check digit";
  return {};
}

// Puts the text into the member. Gives the fault of one that the member cannot have.
std::string put_fact(ProductFacts& facts, const FactsMember& member, std::string text) {
  auto fault = wrong_fact(member, text);
  if (!fault.empty()) return fault;
  if (member.text) {
    facts.*member.text = std::move(text);
    return {};
  }
  auto& list = facts.*member.list;
  if (text.empty() || std::find(list.begin(), list.end(), text) != list.end()) return {};
  if (list.size() == ProductFacts::max_numbers)
    return fmt::format("has more than {} values", ProductFacts::max_numbers);
  list.push_back(std::move(text));
  return {};
}

// The same of each text of an array.
std::string put_facts(ProductFacts& facts, const FactsMember& member, const json::array& values) {
  for (const auto& value : values) {
    if (!value.is_string()) return "must be a string, or an array of strings";
    auto fault = put_fact(facts, member, std::string(value.get_string()));
    if (!fault.empty()) return fault;
  }
  return {};
}

Error refused_facts(std::vector<FieldError> fields) {
  if (fields.size() > limits::reported_fields) fields.resize(limits::reported_fields);
  auto error = invalid_comment(std::move(fields));
  error.message.replace(0, error.message.find(':'), "The facts were not taken");
  return error;
}

const FactsMember* member_of(std::string_view name) {
  for (const auto& member : facts_members)
    if (member.name == name) return &member;
  return nullptr;
}

// The fault of one member of the object, which it takes into the row. `product`: whose facts they
// are; absent: the row names it.
std::string take_fact(NamedFacts& row, std::string_view name, const json::value& value,
                      std::optional<std::string_view> product) {
  const auto* member = member_of(name);
  if (!member && name != "product") return "is no fact of a product";
  bool listed = member && member->list;
  if (listed && value.is_array()) return put_facts(row.facts, *member, value.get_array());
  if (!value.is_string())
    return listed ? "must be a string, or an array of strings" : "must be a string";
  std::string text(value.get_string());
  if (!member) {
    row.product = std::move(text);
    if (product) return row.product == *product ? "" : "is another product than this one";
    return is_product_name(row.product) ? "" : std::string(product_wanted);
  }
  return put_fact(row.facts, *member, std::move(text));
}

// The values of the member; a text that is empty is none.
std::span<const std::string> told_of(const ProductFacts& facts, const FactsMember& member) {
  if (member.list) return facts.*member.list;
  const auto& text = facts.*member.text;
  return {&text, text.empty() ? 0U : 1U};
}

Result<NamedFacts> read_facts(std::string_view text, std::optional<std::string_view> product) {
  auto body = parse_unique(text, facts_depth);
  if (!body && !body.error().fields.empty()) return refused_facts(body.error().fields);
  if (!body) return body.error();
  if (!product) bring_into_form(*body);
  const auto* object = body->if_object();
  if (!object)
    return Error{ErrorCode::invalid_comment, R"(This must be a JSON object: {"name": "…"}.)"};
  NamedFacts row;
  std::vector<FieldError> errors;
  for (const auto& [name, value] : *object) {
    if (errors.size() == limits::reported_fields) break;
    auto fault = take_fact(row, name, value, product);
    if (!fault.empty()) errors.push_back({std::string(shortened(name)), std::move(fault)});
  }
  auto named = [&](std::string_view name) {
    return std::any_of(errors.begin(), errors.end(),
                       [&](const FieldError& error) { return error.field == name; });
  };
  if (row.facts.name.empty() && !named("name")) errors.push_back({"name", "must not be empty"});
  if (!product && row.product.empty() && !named("product"))
    errors.push_back({"product", std::string(product_wanted)});
  if (!errors.empty()) return refused_facts(std::move(errors));
  return row;
}

}  // namespace

void append_facts(std::string& out, const ProductFacts& facts) {
  for (const auto& member : facts_members) {
    auto told = told_of(facts, member);
    if (told.empty()) continue;
    out.append(",\"").append(member.name).append(told.size() > 1 ? "\":[" : "\":");
    for (const auto& text : told) {
      if (&text != told.data()) out += ',';
      append_json_string(out, text);
    }
    if (told.size() > 1) out += ']';
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
  auto row = read_facts(json, "");
  if (!row) return {};
  return std::move(row->facts);
}

Result<ProductFacts> parse_facts(std::string_view json, std::string_view product) {
  TRY(auto row, read_facts(json, product));
  return std::move(row.facts);
}

Result<NamedFacts> parse_facts_row(std::string_view json) {
  return read_facts(json, {});
}

std::string encode_facts_row(const NamedFacts& row) {
  std::string out = "{\"product\":";
  append_json_string(out, row.product);
  append_facts(out, row.facts);
  return out + '}';
}

bool is_listed_fact(std::string_view name) {
  const auto* member = member_of(name);
  return member && member->list;
}

bool set_fact(ProductFacts& facts, std::string_view name, std::string text) {
  const auto* member = member_of(name);
  return member && put_fact(facts, *member, std::move(text)).empty();
}

std::string facts_tag(const NamedFacts& row) {
  return fmt::format("\"{:016x}\"", long_hash(encode_facts_row(row)));
}

}  // namespace quire
