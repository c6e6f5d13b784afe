// The mapping of a file that others made. A value, read from a file of TOML: docs/moving.md
// describes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapping/comment_mapping.h"
#include "quire/result.h"

namespace quire {

// Where the facts of products are, which come without the comments.
struct MappedFacts {
  std::optional<MappedField> product = {};                     // absent: that of [comment]
  std::string product_table = {};                              // see CommentMapping
  std::vector<std::pair<std::string, MappedField>> told = {};  // by name of the fact; has `name`
  // All hold. Absent: those of [comment].
  std::optional<std::vector<MappedWhen>> when = {};
};

// How comments are written as such a file.
struct MappedExport {
  std::vector<std::string> columns;  // of CSV, in their order
  // How times are written, in UTC: with YYYY, MM, DD, HH, mm, ss; empty: after RFC 3339.
  std::string time = {};
};

struct FileMapping : CommentMapping {
  // [file]. Empty: the file tells it. `format`: csv, json or xml.
  std::string source = {}, rows = {}, format = {}, encoding = {};
  std::optional<char> delimiter = {};

  std::optional<MappedFacts> facts = {};
  std::optional<MappedExport> written = {};  // [export]
  bool has_comments = false;  // else it has facts alone, and [comment] is as if it were empty
};

// The attribute of a comment that has the id of the system it came from.
inline constexpr std::string_view source_id_attribute = "source_id";

// `name`: of the file, for messages. invalid_parameter: all faults, each with its line, on lines of
// their own.
Result<FileMapping> parse_file_mapping(std::string_view toml, std::string_view name);

}  // namespace quire
