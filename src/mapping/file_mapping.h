// Where the files of others have the fields of comments. A value, read from a file of TOML:
// docs/moving.md describes it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/pattern.h"
#include "mapping/values/rating.h"
#include "mapping/values/time_format.h"
#include "quire/result.h"

namespace quire {

struct MappedField {
  // Paths: the first that gives a value that is not empty; see path.h. Empty: always the default.
  std::vector<std::string> columns = {};
  std::vector<Pattern> patterns = {};  // the first that fits; empty: the whole value
  std::map<std::string, std::string, std::less<>> values = {};  // by the file's word; "*": others
  std::optional<std::string> fallback = {};                     // the default
  std::vector<TimeFormat> formats = {};                         // of times
  std::optional<Zone> zone = {};  // of times that name no offset; absent: the file's
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

// by_value: as the value is in JSON; of other files a text.
enum class AttributeType { by_value, flag, number, text, tags };

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

// Where the facts of products are, which come without the comments.
struct MappedFacts {
  std::optional<MappedField> product = {};                     // absent: that of [comment]
  std::vector<std::pair<std::string, MappedField>> told = {};  // by name of the fact; has `name`
  // All hold. Absent: those of [comment].
  std::optional<std::vector<MappedWhen>> when = {};
};

struct FileMapping {
  // [file]. Empty: the file tells it. `format`: csv, json or xml.
  std::string source = {}, rows = {}, format = {}, encoding = {};
  std::optional<char> delimiter = {};
  Zone zone = {};

  // [comment]. Those that are absent have no values.
  std::optional<MappedField> id = {}, product = {}, language = {}, author = {}, title = {},
                             text = {}, status = {}, pictures = {}, customer = {};
  MappedField created_at = {}, rating = {};
  std::string product_table = {};     // the file with the own id of each product; empty: none
  std::vector<MappedWhen> when = {};  // all hold; empty: each record is a comment

  MappedReply reply = {};
  std::vector<MappedAttribute> attributes = {};  // by name

  std::optional<MappedFacts> facts = {};
  bool has_comments = false;  // else it has facts alone, and [comment] is as if it were empty
};

// The attribute of a comment that has the id of the system it came from.
inline constexpr std::string_view source_id_attribute = "source_id";

// `name`: of the file, for messages. invalid_parameter: all faults, each with its line, on lines of
// their own.
Result<FileMapping> parse_file_mapping(std::string_view toml, std::string_view name);

}  // namespace quire
