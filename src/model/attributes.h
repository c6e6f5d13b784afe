// The form of attributes, and their JSON. Format: docs/formats/document.md
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

// Whether it is [a-z][a-z0-9_]{0,31}.
bool is_attribute_name(std::string_view name);
// Whether Quire keeps the name for itself. No comment is written with such an attribute, and no
// facet is declared. A comment or a store that has one from an earlier time keeps it.
bool is_reserved(std::string_view name);
// Whether it has 1 to 100 characters of UTF-8, none of them a control character.
bool is_attribute_text(std::string_view text);
// Whether its magnitude is below 2^53, so that every reader of JSON keeps it.
bool is_attribute_number(std::int64_t number);

// The flag of comments whose writers have bought the product.
inline constexpr std::string_view verified_name = "verified";
bool is_verified(const Comment& comment);

// The errors of attributes, at most one for each, with fields such as "attributes.size"; or one
// error of them all, with the field "attributes". Empty: there is none.
std::vector<FieldError> check_attributes(const Attributes& attributes);
// The errors of the names and values of a patch.
std::vector<FieldError> check_attributes(const Patch& patch);

// Appends the attributes as a JSON object, by name.
void append_json(std::string& out, const Attributes& attributes);

// The value that this JSON is; its length and characters are not checked. Absent: it is none, and
// `wrong` tells a client what to do.
std::optional<AttributeValue> attribute_of(const boost::json::value& json, std::string_view& wrong);
// The attributes that a document has. Absent: they are not as check_attributes() wants them.
std::optional<Attributes> attributes_of(const boost::json::value& json);

}  // namespace quire
