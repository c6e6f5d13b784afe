// Reads a file of any kind as records. The file's first bytes tell the kind, never its name.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mapping/record.h"
#include "quire/result.h"

namespace quire::records {

enum class Kind { csv, json_lines, json, xml };

// What a mapping says of a file. What is empty, the file tells.
struct Form {
  // XML: the local name of a row's element. JSON: the path of the array of rows,
  // "response.reviews"; an element of an array is its number, or "*" for each.
  std::string rows = {};
  // As IANA names it: "windows-1252". The file's byte order mark leads it, and it leads an XML
  // declaration. A file without all three is UTF-8.
  std::string encoding = {};
  std::optional<Kind> kind = {};  // json: whether it is lines, the file tells
  char delimiter = 0;             // of CSV
};

// A row that is no record. The rows after it are read.
struct BadRow {
  std::uint64_t line = 0;   // of the file, from 1, in which the row begins
  std::string reason = {};  // a sentence; the row's own values follow it after a colon
  std::string text = {};    // as it stood, its first MiB; of XML empty
};

struct End {};

using Row = std::variant<Record, BadRow, End>;

// A row of any kind has at most so many bytes of UTF-8.
inline constexpr std::size_t max_row = 1 << 20;

class Container;
class Text;

// Holds a few MiB, however large the file is, and some 40 while a row of 1 MiB has nothing but tiny
// values. Not thread-safe.
//
// gzip is read as the bytes in it. CSV: the first row has the columns' names. Each is trimmed; an
// empty one is "column 3", and the second "date" is "date 2". Rows that are blank, or have empty
// fields alone, are passed over. JSON: of members with one name the last counts. A column or member
// `quire_reason` is left out; see RejectsFile.
class Reader {
 public:
  // "-" is standard input. Reads the beginning. An error refuses the file, and says which option
  // helps. `piece`: at most so many bytes are read at once; tests cut files by it.
  static Result<std::unique_ptr<Reader>> open(const std::string& file, const Form& form,
                                              std::size_t piece = 1 << 16);
  ~Reader();

  // An error refuses the file from there on, and says where it is at fault and which option helps;
  // every further call gives it again.
  Result<Row> next();

  // Records need no other members than these: they are the quicker to read, and the file is at
  // fault where it was. The next records may still have them.
  void keep_only(std::set<std::string, std::less<>> names);

  Kind kind() const { return kind_; }
  const std::vector<std::string>& columns() const;  // of CSV, in their order; else empty
  char delimiter() const;                           // of CSV; else 0
  double part() const;  // read so far, 0 to 1; 0 if the size is not known

 private:
  Reader();

  std::string file_;
  std::unique_ptr<Text> text_;
  std::unique_ptr<Container> container_;
  Kind kind_ = Kind::json_lines;
  std::optional<Error> failed_;
};

// What Form.rows may be for a file that has rows and does not tell which, best first: names of
// elements of XML, paths of arrays in JSON. Empty: it needs none. Reads the beginning of the file,
// which is not standard input.
Result<std::vector<std::string>> possible_rows(const std::string& file, const Form& form);

}  // namespace quire::records
