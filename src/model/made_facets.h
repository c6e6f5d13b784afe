// The facets that Quire makes of a comment, and no attribute has. Each is a row here; all else
// follows from the table.
#pragma once

#include <cstdint>
#include <string_view>

#include "quire/comment.h"
#include "quire/facet.h"

namespace quire {

// An index keeps the texts of values as parts of the comment, which a made text would not be: so
// each is a flag or a number.
struct MadeFacet {
  std::string_view name;
  FacetType type;
  std::int64_t (*of)(const Comment&);  // of a flag 0 or 1

  AttributeValue value(const Comment& comment) const {
    auto made = of(comment);
    return type == FacetType::flag ? AttributeValue(made != 0) : AttributeValue(made);
  }
};

inline constexpr MadeFacet made_facets[] = {
    {"has_media", FacetType::flag,
     [](const Comment& c) -> std::int64_t { return !c.media.empty(); }},
    {"replied", FacetType::flag,
     [](const Comment& c) -> std::int64_t { return c.reply.has_value(); }}};

constexpr const MadeFacet* made_facet(std::string_view name) {  // nullptr: it is not made
  for (const auto& each : made_facets) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

}  // namespace quire
