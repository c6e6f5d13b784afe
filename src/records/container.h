// The port of a kind of file: text in, rows out.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"
#include "records/reader.h"
#include "records/text.h"

namespace quire::records {

// The column or member that tells why a row was rejected before, and the member that has a row that
// was none.
inline constexpr std::string_view reason_name = "quire_reason";
inline constexpr std::string_view bad_row_name = "quire_row";

// So many bytes of a text tell of its form.
inline constexpr std::size_t first_look = 1 << 16;

inline constexpr std::string_view blanks = " \t\r\n";

// Objects, arrays and elements may lie so deep in each other. An item of DynamoDB is 32 deep, and
// each of its levels is two of JSON.
inline constexpr std::size_t max_depth = 96;

inline constexpr const char* long_row = "The row has over 1 MiB.";

class Container {
 public:
  virtual ~Container() = default;
  // End: the text has ended, or is at fault, as Text::failed() says then. An error is made by
  // fault().
  virtual Result<Row> next() = 0;
  virtual const std::vector<std::string>& columns() const {
    static const std::vector<std::string> none;
    return none;
  }
  virtual char delimiter() const { return 0; }
  virtual void keep_only(std::set<std::string, std::less<>>) {}
};

// A fault of the file, for which the file's name and ":" stand before it. `line` 0: of it all.
inline Error fault(std::uint64_t line, const std::string& sentence) {
  auto place = line == 0 ? std::string() : std::to_string(line) + ":";
  return {ErrorCode::invalid_parameter, place + " " + sentence};
}

}  // namespace quire::records
