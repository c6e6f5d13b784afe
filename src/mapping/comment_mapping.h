// Where the records of others, rows of a file or items of a table, have the fields of comments. A
// value, read from a file of TOML: docs/moving.md describes it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/pattern.h"
#include "mapping/values/rating.h"
#include "mapping/values/time_format.h"
#include "toml/toml_reader.h"

namespace quire {

struct MappedField {
  // Paths: the first that gives a value that is not empty; see path.h. Empty: always the default.
  std::vector<std::string> columns = {};
  std::vector<Pattern> patterns = {};  // the first that fits; empty: the whole value
  std::map<std::string, std::string, std::less<>> values = {};  // by the owner's word; "*": others
  std::optional<std::string> fallback = {};                     // the default
  std::vector<TimeFormat> formats = {};                         // of times
  std::optional<Zone> zone = {};  // of times that name no offset; absent: the mapping's
  bool html = false;              // a text has tags and entities
  bool unless_in_text = false;    // the title goes where the text begins with it
  std::optional<std::pair<std::string, std::string>> replace = {};  // each first by the second
  std::string member = {};  // of pictures: the path of the address within each object
  std::string max = "5";    // of ratings: the greatest, a number, or the path of a column
  bool max_is_column = false;
  Rounding rounding = Rounding::refused;  // of exact halves
};

// A condition: all parts that are given hold. Of a column that the record lacks only `none` does.
struct MappedWhen {
  std::vector<std::string> columns = {};
  // Each a list, of which a value fits one, or of `none` no one; empty: not given.
  std::vector<std::string> begins = {}, ends = {}, is = {}, none = {};
};

// by_value: as the value is in JSON, without flags that are false; of other files a text. stored:
// as the value is, or else none.
enum class AttributeType { by_value, flag, number, text, tags, stored };

struct MappedAttribute {
  std::string name;
  AttributeType type = AttributeType::by_value;
  MappedField field;
};

struct MappedReply {
  std::optional<MappedField> author = {}, text = {}, created_at = {};
  std::string of = {};  // the path of the parent's id; empty: replies are columns of their comment
  std::vector<MappedWhen> when = {};  // all hold; empty: each reply is admitted
};

struct CommentMapping {
  Zone zone = {};  // of times that name no offset

  // [comment]. Those that are absent have no values.
  std::optional<MappedField> id = {}, product = {}, language = {}, author = {}, title = {},
                             text = {}, status = {}, pictures = {}, customer = {};
  MappedField created_at = {}, rating = {};
  std::string product_table = {};     // the file with the own id of each product; empty: none
  std::vector<MappedWhen> when = {};  // all hold; empty: each record is a comment

  MappedReply reply = {};
  std::vector<MappedAttribute> attributes = {};  // by name
};

// The paths of a record that the mapping reads.
std::set<std::string> paths_of(const CommentMapping& mapping);

// What the mappings of files and of tables have each of their own.
struct Dialect {
  std::string_view column;    // the word for a place in a record
  std::string_view proposes;  // the command that prints a first mapping
  AttributeType type;         // of attributes without a type
  std::string_view kept;      // the name of an attribute that no mapping may give
};

// Reads [comment], [reply] and [attributes] of a mapping's file. Faults go to the reader.
void read_comment_mapping(TomlReader& reader, const Dialect& dialect, const toml::table& file,
                          CommentMapping& mapping);

}  // namespace quire
