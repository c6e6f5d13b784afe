// Rows of JSON lines, and of arrays in documents of JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "records/container.h"
#include "records/json_cursor.h"

namespace quire::records {

// A line is a row, and blank lines are none.
class JsonLines final : public Container {
 public:
  explicit JsonLines(Text& text) : text_(text) {}
  Result<Row> next() override;

 private:
  Text& text_;
  std::string_view rest_;
  std::string line_;
  std::uint64_t number_ = 0;
};

// The elements of the array at a path are rows; an empty path is the document itself. A file may
// have several documents, such as answers of an interface that were written one after the other.
class JsonElements final : public Container {
 public:
  JsonElements(Text& text, std::string_view path);
  Result<Row> next() override;

 private:
  struct Level {  // a container on the path
    bool array;
    bool rows;  // its elements are rows
    bool first = true;
    std::uint64_t index = 0;
  };

  bool pass_name(std::string& name);
  bool begin_value(bool selected);
  bool begin_member(Level& level);
  Result<Row> element();
  Result<Row> end();
  Result<Row> damaged();

  Text& text_;
  JsonCursor cursor_;
  const std::string rows_;
  std::vector<std::string> path_;
  std::vector<Level> levels_;
  bool found_ = false;
  std::string element_;
};

}  // namespace quire::records
