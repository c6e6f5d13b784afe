// The facets of a store: which attributes can be filtered, counted and sorted by.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quire/comment.h"
#include "quire/facet.h"
#include "quire/result.h"

namespace quire {

// Names a facet in keys of an index. Given in the order of declaration, never twice.
using FacetNumber = std::uint16_t;
inline constexpr FacetNumber language_number = 0, rating_number = 1, first_declared_number = 2;
inline constexpr FacetNumber no_facet = 0xFFFF;

struct SchemaFacet {
  FacetNumber number;
  FacetStatus status;

  const Facet& facet() const { return status.facet; }
  friend bool operator==(const SchemaFacet&, const SchemaFacet&) = default;
};

// The facets at one moment. Language (a choice) and rating (a number) come first, and are always
// ready. A value: copies share nothing.
class Schema {
 public:
  Schema();  // language and rating alone
  // The same and the declared ones.
  explicit Schema(std::vector<SchemaFacet> declared);

  const std::vector<SchemaFacet>& facets() const { return facets_; }
  std::vector<SchemaFacet> declared() const;
  const SchemaFacet* find(std::string_view name) const;  // nullptr: it is not declared
  const SchemaFacet* find(FacetNumber number) const;
  std::vector<FacetStatus> statuses() const;
  // Whether the facet is there, with the same number, name, type and values. One that was dropped
  // and declared again has another number, and perhaps another type.
  bool holds(const SchemaFacet& facet) const;
  bool holds(const Schema& facets) const;  // all of them
  friend bool operator==(const Schema&, const Schema&) = default;

 private:
  std::vector<SchemaFacet> facets_;  // by number
};

// The names of types, by FacetType.
inline constexpr std::pair<std::string_view, FacetType> facet_types[] = {
    {"flag", FacetType::flag},
    {"choice", FacetType::choice},
    {"tags", FacetType::tags},
    {"number", FacetType::number}};
std::string_view type_text(FacetType type);

// Whether a facet can have this name: it is that of an attribute, and none of a parameter or of a
// field of a comment.
bool is_declarable(std::string_view name);

// Why `facet` cannot be declared: its name is taken, is that of a parameter, or is no name; its
// values are not values. invalid_parameter.
Status check_declaration(const Schema& schema, const Facet& facet);

// "one of S, M, L": the values of a closed choice, for messages.
std::string listed_values(const Facet& facet);

// Whether the value is of the facet's type; of a closed choice one of its values.
bool fits(const Facet& facet, const AttributeValue& value);

// The errors of attributes that are facets and do not fit their types, with fields such as
// "attributes.size". Empty: all fit.
std::vector<FieldError> check_types(const Schema& schema, const Attributes& attributes);

// The attributes of a comment and the values of all made facets, so that an index beside the store,
// which knows no more of the comment, makes none.
Attributes facet_attributes(Comment comment);
// The value of a declared facet; nullptr: the comment has none, or it does not fit the facet's
// type. A part of the comment, or `made`, which is a flag or a number then.
const AttributeValue* declared_value(const Facet& facet, const Comment& comment,
                                     AttributeValue& made);

// The value of a facet that a comment has: of language and rating, those of the comment itself.
// Absent: the comment has none, or its value does not fit the facet's type.
std::optional<AttributeValue> facet_value(const Facet& facet, const Comment& comment);

// The declared facets as JSON, as a table and a page index keep them, without states:
//   [{"number":2,"name":"size","type":"choice","values":["S","M"]}]
std::string encode_schema(const Schema& schema);
// All are ready. Absent: the text is damaged.
std::optional<Schema> decode_schema(std::string_view json);

}  // namespace quire
