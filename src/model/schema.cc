#include "model/schema.h"

#include <boost/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/limits.h"
#include "base/try.h"
#include "model/attributes.h"
#include "model/made_facets.h"
#include "model/vote.h"

namespace quire {

namespace {

namespace json = boost::json;

json::object encode(const SchemaFacet& facet) {
  json::object out{{"number", facet.number},
                   {"name", facet.facet().name},
                   {"type", type_text(facet.facet().type)}};
  if (facet.facet().values.empty()) return out;
  out["values"] = json::array(facet.facet().values.begin(), facet.facet().values.end());
  return out;
}

std::optional<FacetType> type_of(std::string_view text) {
  for (const auto& [name, type] : facet_types) {
    if (name == text) return type;
  }
  return {};
}

bool take_values(const json::value& value, std::vector<std::string>& values) {
  auto* array = value.if_array();
  if (!array) return false;
  for (const auto& each : *array) {
    if (!each.is_string()) return false;
    values.emplace_back(each.get_string());
  }
  return true;
}

std::optional<SchemaFacet> decode(const json::value& value) {
  auto* object = value.if_object();
  if (!object) return {};
  auto* number = object->if_contains("number");
  auto* name = object->if_contains("name");
  auto* type = object->if_contains("type");
  if (!number || !name || !type || !name->is_string() || !type->is_string()) return {};
  boost::system::error_code inexact;
  auto given = number->to_number<FacetNumber>(inexact);
  auto known = type_of(type->get_string());
  if (inexact || given < first_declared_number || given == no_facet || !known) return {};
  SchemaFacet facet{given, {{std::string(name->get_string()), *known}}};
  auto* values = object->if_contains("values");
  if (values && !take_values(*values, facet.status.facet.values)) return {};
  return facet;
}

// check_declaration(), but is_reserved() names pass, which an older Quire may have declared.
Status check_facet(const Schema& schema, const Facet& facet);

// Parameters of requests and fields of comments; a facet of such a name could not be asked for.
constexpr std::string_view of_requests[] = {
    "after",    "author",     "before",  "by",    "comment", "comments", "count",
    "counts",   "created_at", "explain", "facet", "facets",  "format",   "id",
    "language", "limit",      "not",     "page",  "product", "products", "rating",
    "skip",     "sort",       "text",    "title", "total"};

Error undeclarable(std::string message, std::string parameter) {
  return {ErrorCode::invalid_parameter, std::move(message), std::move(parameter)};
}

// The form of a value, for messages.
std::string wanted_attribute(const Facet& facet) {
  switch (facet.type) {
    case FacetType::flag:
      return "true or false";
    case FacetType::tags:
      return "an array of strings, such as [\"gift\"]";
    case FacetType::number:
      return "a whole number";
    case FacetType::choice:
      break;
  }
  return facet.values.empty() ? "a string" : listed_values(facet);
}

Error unavailable_name(const std::string& name) {
  return undeclarable("No facet can be named " + name +
                          ": requests or comments use that name. "
                          "Choose another name.",
                      "name");
}

bool is_of_request(std::string_view name) {
  return std::find(std::begin(of_requests), std::end(of_requests), name) != std::end(of_requests);
}

Status check_name(const Schema& schema, const std::string& name) {
  if (!is_attribute_name(name)) {
    return undeclarable(
        "The name of a facet is 1 to 32 lower-case letters, digits and underscores, and begins "
        "with a letter.",
        "name");
  }
  if (is_of_request(name)) return unavailable_name(name);
  const auto* taken = schema.find(name);
  if (!taken) return Done{};
  bool dropping = taken->status.state == FacetStatus::State::dropping;
  return undeclarable(dropping
                          ? "The facet " + name + " is being dropped. Try again when it is gone."
                          : "There is a facet " + name + ". Drop it first, or choose another name.",
                      "name");
}

Status check_values(const Facet& facet) {
  const auto& values = facet.values;
  if (values.empty()) return Done{};
  if (facet.type != FacetType::choice)
    return undeclarable("Only a choice has a list of values. Leave the values out.", "values");
  if (values.size() > limits::facet_values) {
    return undeclarable("A choice lists at most " + std::to_string(limits::facet_values) +
                            " values. Leave the list out, so that it takes any.",
                        "values");
  }
  if (!std::all_of(values.begin(), values.end(), is_attribute_text)) {
    return undeclarable("Each value has 1 to 100 characters, and no control characters.", "values");
  }
  if (std::set(values.begin(), values.end()).size() != values.size())
    return undeclarable("A value is listed twice. List each value once.", "values");
  return Done{};
}

Status check_facet(const Schema& schema, const Facet& facet) {
  TRY_DONE(check_name(schema, facet.name));
  if (facet.type > FacetType::number)
    return undeclarable("The type of a facet is flag, choice, tags or number.", "type");
  TRY_DONE(check_values(facet));
  if (schema.facets().size() < limits::facets + first_declared_number) return Done{};
  return undeclarable("A store has at most " + std::to_string(limits::facets) +
                          " facets beside language and rating. Drop one first.",
                      "name");
}

}  // namespace

std::string encode_schema(const Schema& schema) {
  json::array out;
  for (const auto& facet : schema.declared()) out.push_back(encode(facet));
  return json::serialize(out);
}

std::optional<Schema> decode_schema(std::string_view text) {
  boost::system::error_code no_json;
  auto value = json::parse(text, no_json);
  auto* array = no_json ? nullptr : value.if_array();
  if (!array || array->size() > limits::facets) return {};
  std::vector<SchemaFacet> declared;
  for (const auto& each : *array) {
    auto facet = decode(each);
    if (!facet || !check_facet({}, facet->facet())) return {};
    declared.push_back(std::move(*facet));
  }
  Schema schema(std::move(declared));
  const auto& facets = schema.facets();
  for (std::size_t i = 0; i < facets.size(); ++i) {
    bool number_twice = i > 0 && facets[i - 1].number == facets[i].number;
    if (number_twice || schema.find(facets[i].facet().name) != &facets[i]) return {};
  }
  return schema;
}

bool is_declarable(std::string_view name) {
  return is_attribute_name(name) && !is_of_request(name) &&
         (!is_reserved(name) || made_facet(name));
}

Schema::Schema() : Schema(std::vector<SchemaFacet>()) {}

Schema::Schema(std::vector<SchemaFacet> declared)
    : facets_{{language_number, {{"language", FacetType::choice}}},
              {rating_number, {{"rating", FacetType::number}}}} {
  std::move(declared.begin(), declared.end(), std::back_inserter(facets_));
  std::sort(facets_.begin(), facets_.end(),
            [](const SchemaFacet& a, const SchemaFacet& b) { return a.number < b.number; });
}

const SchemaFacet* Schema::find(std::string_view name) const {
  auto at = std::find_if(facets_.begin(), facets_.end(),
                         [&](const SchemaFacet& each) { return each.facet().name == name; });
  return at == facets_.end() ? nullptr : &*at;
}

const SchemaFacet* Schema::find(FacetNumber number) const {
  auto at = std::find_if(facets_.begin(), facets_.end(),
                         [&](const SchemaFacet& each) { return each.number == number; });
  return at == facets_.end() ? nullptr : &*at;
}

std::vector<SchemaFacet> Schema::declared() const {
  auto facets = facets_;
  std::erase_if(facets, [](const auto& each) { return each.number < first_declared_number; });
  return facets;
}

std::vector<FacetStatus> Schema::statuses() const {
  std::vector<FacetStatus> out;
  for (const auto& each : facets_) out.push_back(each.status);
  return out;
}

std::string_view type_text(FacetType type) {
  return facet_types[static_cast<std::size_t>(type)].first;
}

bool Schema::holds(const SchemaFacet& facet) const {
  const auto* there = find(facet.number);
  return there && there->facet() == facet.facet();
}

bool Schema::holds(const Schema& facets) const {
  return std::all_of(facets.facets_.begin(), facets.facets_.end(),
                     [this](const SchemaFacet& each) { return holds(each); });
}

Status check_declaration(const Schema& schema, const Facet& facet) {
  if (const auto* made = made_facet(facet.name)) {
    std::string type(type_text(made->type));
    if (facet.type != made->type)
      return undeclarable(facet.name + " is a " + type + ": quire facet add " + facet.name +
                              " --type " + type + ". It needs no attribute.",
                          "type");
  } else if (is_reserved(facet.name)) {
    return unavailable_name(facet.name);
  } else if (parse_vote(facet.name) && facet.type != FacetType::number) {
    return undeclarable(facet.name + " is a number, in which votes are counted: quire facet add " +
                            facet.name + " --type number.",
                        "type");
  }
  return check_facet(schema, facet);
}

std::string listed_values(const Facet& facet) {
  constexpr std::size_t max_listed = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(facet.values.size(), max_listed); ++i)
    text += (i == 0 ? "one of " : ", ") + facet.values[i];
  return facet.values.size() > max_listed ? text + " and others" : text;
}

bool fits(const Facet& facet, const AttributeValue& value) {
  switch (facet.type) {
    case FacetType::flag:
      return std::holds_alternative<bool>(value);
    case FacetType::tags:
      return std::holds_alternative<std::vector<std::string>>(value);
    case FacetType::number:
      return std::holds_alternative<std::int64_t>(value) &&
             is_attribute_number(std::get<std::int64_t>(value));
    case FacetType::choice:
      break;
  }
  const auto* text = std::get_if<std::string>(&value);
  const auto& values = facet.values;
  return text && (values.empty() || std::find(values.begin(), values.end(), *text) != values.end());
}

std::vector<FieldError> check_types(const Schema& schema, const Attributes& attributes) {
  std::vector<FieldError> errors;
  for (const auto& each : schema.facets()) {
    bool declared = each.number >= first_declared_number;
    if (!declared || each.status.state == FacetStatus::State::dropping) continue;
    auto attribute = attributes.find(each.facet().name);
    if (attribute == attributes.end() || fits(each.facet(), attribute->second)) continue;
    errors.push_back(
        {"attributes." + each.facet().name, "must be " + wanted_attribute(each.facet())});
  }
  return errors;
}

std::optional<AttributeValue> facet_value(const Facet& facet, const Comment& comment) {
  if (facet.name == "language") return comment.language;
  if (facet.name == "rating") return std::int64_t{comment.rating};
  AttributeValue made;
  const auto* value = declared_value(facet, comment, made);
  if (!value) return {};
  return *value;
}

// An index beside a store gives made values as attributes, see facet_attributes().
const AttributeValue* declared_value(const Facet& facet, const Comment& comment,
                                     AttributeValue& made) {
  auto attribute = comment.attributes.find(facet.name);
  if (attribute != comment.attributes.end())
    return fits(facet, attribute->second) ? &attribute->second : nullptr;
  const auto* known = made_facet(facet.name);
  if (!known) return nullptr;
  made = known->value(comment);
  return &made;
}

Attributes facet_attributes(Comment comment) {
  Attributes made;
  for (const auto& each : made_facets) made.emplace(each.name, each.value(comment));
  comment.attributes.merge(made);
  return std::move(comment.attributes);
}

}  // namespace quire
