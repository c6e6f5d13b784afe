// Which items of a table that others made are comments, and where their fields are. A value, read
// from a file of TOML: docs/adopting.md and docs/moving.md describe it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/comment_mapping.h"
#include "quire/result.h"
#include "store/dynamodb/adopted/mapping/key.h"
#include "store/dynamodb/adopted/mapping/time_form.h"

namespace quire::adopted {

// An index whose sort key sorts as created_at, and whose partition key names lists of comments.
struct MappedIndex {
  std::string name;       // empty: the table itself is so
  std::string partition;  // the attribute of the partition key
  KeyPattern key;
};

// The attribute of a comment that has the owner's id.
inline constexpr std::string_view id_attribute = "id";

// A table's own words are those of files, but for these: `product` is there, and `id`, what its
// owner calls a comment, has one attribute and one pattern at most. Where there are indexes, so has
// created_at.
struct Mapping : CommentMapping {
  TimeForm time = {};                     // of created_at, as the keys of indexes have it
  std::vector<MappedIndex> indexes = {};  // at most one by each set of facets
  std::set<std::string> paths = {};       // all that the mapping reads
  // Another text has another print. What was built by another mapping is built anew.
  std::string fingerprint = {};
};

// The pattern of a field that has one at most.
const Pattern& pattern_of(const MappedField& field);
// The text that the product's attribute has for this product. Absent: the mapping does not tell it.
std::optional<std::string> product_text(const Mapping& mapping, std::string_view product);

// `name`: of the file, for messages. invalid_parameter: all faults, each with its line and what to
// write, on lines of their own.
Result<Mapping> parse_mapping(std::string_view toml, std::string_view name);

}  // namespace quire::adopted
