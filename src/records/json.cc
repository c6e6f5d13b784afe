#include "records/json.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "records/json_row.h"

namespace quire::records {
namespace {

constexpr std::size_t max_name = 1024;  // a longer name is on no path

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    auto end = std::min(path.find('.'), path.size());
    parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

Row row_of(std::string text, std::uint64_t line) {
  if (text.size() <= max_row) return json_row(text, line);
  text.resize(max_row);
  return BadRow{line, long_row, std::move(text)};
}

}  // namespace

Result<Row> JsonLines::next() {
  for (;;) {
    line_.clear();
    bool any = false;
    while (!rest_.empty() || !(rest_ = text_.next()).empty()) {
      any = true;
      auto end = rest_.find('\n');
      auto part = rest_.substr(0, end);
      line_ += part.substr(0, max_row + 1 - std::min(max_row + 1, line_.size()));
      rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
      if (end != rest_.npos) break;
    }
    if (!any || !text_.failed().empty()) return Row(End{});
    ++number_;
    if (line_.find_first_not_of(blanks) != line_.npos) return row_of(std::move(line_), number_);
  }
}

JsonElements::JsonElements(Text& text, std::string_view path)
    : text_(text), cursor_(text), rows_(path), path_(parts_of(path)) {}

Result<Row> JsonElements::next() {
  for (;;) {
    int c = cursor_.skip_blanks();
    if (levels_.empty()) {
      if (c == JsonCursor::end) return end();
      if (!begin_value(true)) return damaged();
      continue;
    }
    auto& level = levels_.back();
    int closing = level.array ? ']' : '}';
    if (c != closing && !std::exchange(level.first, false)) {
      if (c != ',') return damaged();
      cursor_.take();
      c = cursor_.skip_blanks();
    }
    if (c == closing) {
      cursor_.take();
      levels_.pop_back();
    } else if (level.rows) {
      return element();
    } else if (!begin_member(level)) {
      return damaged();
    }
  }
}

// Enters the value that begins here, or passes it. False: it is none.
bool JsonElements::begin_value(bool selected) {
  int c = cursor_.peek();
  bool rows = levels_.size() == path_.size();
  if (!selected || (c != '[' && (rows || c != '{'))) return cursor_.pass_value(nullptr, 0);
  cursor_.take();
  levels_.push_back({.array = c == '[', .rows = rows});
  found_ = found_ || rows;
  return true;
}

bool JsonElements::begin_member(Level& level) {
  const auto& part = path_[levels_.size() - 1];
  bool selected = part == "*";
  if (level.array) {
    selected = selected || part == std::to_string(level.index);
    ++level.index;
  } else {
    std::string name;
    if (!pass_name(name)) return false;
    selected = name == part;
  }
  return begin_value(selected);
}

bool JsonElements::pass_name(std::string& name) {
  std::string quoted;
  if (!cursor_.pass_string(&quoted, max_name) || cursor_.skip_blanks() != ':') return false;
  cursor_.take();
  cursor_.skip_blanks();
  name = json_name(quoted);
  return true;
}

Result<Row> JsonElements::element() {
  auto line = cursor_.line();
  element_.clear();
  if (!cursor_.pass_value(&element_, max_row)) return damaged();
  return row_of(std::move(element_), line);
}

Result<Row> JsonElements::end() {
  if (!found_ && text_.failed().empty())
    return fault(0, fmt::format("No array is at {}, which the mapping's rows names.",
                                rows_.empty() ? "the top" : rows_));
  return Row(End{});
}

Result<Row> JsonElements::damaged() {
  if (!text_.failed().empty()) return Row(End{});
  if (cursor_.peek() == JsonCursor::end)
    return fault(cursor_.line(), "The JSON ends too early. Get the file again.");
  return fault(cursor_.line(), "The JSON is damaged here.");
}

}  // namespace quire::records
