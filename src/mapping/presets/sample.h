// The columns of a sample of records. Pure.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mapping/columns/columns.h"
#include "mapping/record.h"

namespace quire {

// The values at one path. Of a list the first of each record.
struct FileColumn {
  Column column = {};                     // its name is the path, as a mapping names it
  std::vector<std::size_t> records = {};  // the record of each value, ascending
  std::vector<std::string> words = {};    // of the path, in small letters
  std::string list = {};                  // the path of the list of objects that it is in; else ""
  std::string member = {};                // its name in each of them
  bool around = false;                    // it is of an element around the record

  bool has(std::string_view word) const;
  bool has_any(std::initializer_list<std::string_view> some) const;
  // The value of this record. Null: it has none.
  const std::string* of(std::size_t record) const;
};

// At most so many columns are looked at, and so many bytes of a value.
inline constexpr std::size_t max_columns = 300, max_value_bytes = 2000;

// In the order in which they come first. A column without any value is there, too. White space
// around a value is off, and empty texts, nulls and 0000-00-00 are no values.
std::vector<FileColumn> columns_of(std::span<const Record> records);

}  // namespace quire
