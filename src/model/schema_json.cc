#include "model/schema.h"

#include <boost/json.hpp>

#include "base/limits.h"

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

}  // namespace

std::string encode_schema(const Schema& schema) {
  json::array out;
  for (const auto& facet : schema.facets()) {
    if (facet.number >= first_declared_number) out.push_back(encode(facet));
  }
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
    if (!facet || check_declaration({}, facet->facet())) return {};
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

}  // namespace quire
