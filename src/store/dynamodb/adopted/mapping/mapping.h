// Which items of a table that others made are comments, and where their fields are. A value, read
// from a file of TOML: docs/adopting.md describes it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/pattern.h"
#include "quire/result.h"
#include "store/dynamodb/adopted/mapping/key.h"
#include "store/dynamodb/adopted/mapping/time_form.h"

namespace quire::adopted {

struct Field {
  std::string attribute = {};  // a path, see ItemValues; empty: it is always the default
  Pattern pattern = {};        // of product, created_at and id
  std::optional<std::string> fallback = {};  // the default; absent: an item needs the attribute
  std::map<std::string, std::string> values = {};  // of status: what each text means; "*": others
};

// An index whose sort key sorts as created_at, and whose partition key names lists of comments.
struct MappedIndex {
  std::string name;       // empty: the table itself is so
  std::string partition;  // the attribute of the partition key
  KeyPattern key;
};

struct When {
  std::string attribute;
  std::string begins;
};

// The attribute of a comment that has the owner's id.
inline constexpr std::string_view id_attribute = "id";

struct Mapping {
  std::optional<When> when;  // absent: every item is a comment
  Field product, created_at, language, rating, author, title, text;
  Field status;  // items that are not published are passed over
  Field id;      // what its owner calls the comment; without an attribute: nothing
  TimeForm time;
  std::map<std::string, std::string> attributes = {};  // of the item, by the comment's name
  std::vector<MappedIndex> indexes = {};               // at most one by each set of facets
  // Another text has another print. What was built by another mapping is built anew.
  std::string fingerprint = {};
};

// `name`: of the file, for messages. invalid_parameter: says in which line what is to be changed.
Result<Mapping> parse_mapping(std::string_view toml, std::string_view name);

}  // namespace quire::adopted
