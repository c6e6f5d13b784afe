#include "records/json_form.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "records/container.h"
#include "records/json_cursor.h"
#include "records/json_row.h"

namespace quire::records {

namespace json = boost::json;

namespace {

constexpr std::size_t max_arrays = 8;

// The first object, or nothing.
std::optional<json::object> object_of(std::string_view text) {
  boost::system::error_code none;
  auto value = json::parse(text, none, {}, {.max_depth = max_depth});
  if (none || !value.is_object()) return {};
  return std::move(value.get_object());
}

struct Array {
  std::string path;
  bool typed;  // its first element is, by DynamoDB
};

// Finds arrays of objects, those in first elements too, as far as the text goes.
class ArraySurvey {
 public:
  explicit ArraySurvey(std::string_view head) : cursor_(head) { look("", 0); }
  const std::vector<Array>& arrays() const { return arrays_; }

 private:
  // False: the text has ended, or is damaged.
  bool look(const std::string& path, std::size_t depth) {
    int c = cursor_.skip_blanks();
    if (depth > max_depth || arrays_.size() == max_arrays) return false;
    if (c == '[') return look_into_array(path, depth);
    return c == '{' ? look_into_object(path, depth) : cursor_.pass_value(nullptr, 0);
  }

  bool look_into_array(const std::string& path, std::size_t depth) {
    cursor_.take();
    if (cursor_.skip_blanks() == '{') {
      auto at = arrays_.size();
      arrays_.push_back({path, false});
      std::string first;
      auto here = cursor_;
      if (here.pass_value(&first, max_row))
        if (auto members = object_of(first)) arrays_[at].typed = is_typed(*members);
      if (!look(inner(path, "0"), depth + 1)) return false;
    }
    for (int c = cursor_.skip_blanks(); c != ']'; c = cursor_.skip_blanks()) {
      if (c == ',') {
        cursor_.take();
      } else if (!cursor_.pass_value(nullptr, 0)) {
        return false;
      }
    }
    cursor_.take();
    return true;
  }

  bool look_into_object(const std::string& path, std::size_t depth) {
    cursor_.take();
    for (int c = cursor_.skip_blanks(); c != '}'; c = cursor_.skip_blanks()) {
      if (c == ',') {
        cursor_.take();
        continue;
      }
      std::string name;
      if (!cursor_.pass_string(&name, max_row) || cursor_.skip_blanks() != ':') return false;
      cursor_.take();
      if (!look(inner(path, json_name(name)), depth + 1)) return false;
    }
    cursor_.take();
    return true;
  }

  static std::string inner(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
  }

  JsonCursor cursor_;
  std::vector<Array> arrays_;
};

// The rows of a document that DynamoDB's tools write. Empty: it is none.
std::string dynamodb_rows(std::string_view head) {
  ArraySurvey survey(head);
  for (const auto& [path, typed] : survey.arrays()) {
    if (path == "Items" && typed) return path;
    if (path == "DataModel") return "DataModel.*.TableData";
  }
  return {};
}

// The beginning of the text, up to the end of its first line that is not blank.
std::string_view first_line_of(Text& text) {
  std::size_t wanted = first_look;
  for (;; wanted += first_look) {
    auto head = text.head(wanted);
    auto begin = std::min(head.find_first_not_of(blanks), head.size());
    auto end = head.find('\n', begin);
    if (end != head.npos || head.size() < wanted || wanted > max_row)
      return head.substr(begin, end == head.npos ? end : end - begin);
  }
}

// Whether the first line is a row of JSON lines, if only a bad one.
bool has_lines(Text& text, std::string_view line) {
  if (object_of(line)) return true;
  JsonCursor cursor(line);
  if (cursor.pass_value(nullptr, 0) || cursor.peek() != JsonCursor::end) return true;
  auto head = text.head(first_look);
  auto begin = head.find(line) + line.size();
  auto second = head.substr(std::min(head.find_first_not_of(blanks, begin), head.size()));
  return object_of(second.substr(0, second.find('\n'))).has_value();
}

}  // namespace

std::vector<std::string> json_arrays(std::string_view head) {
  ArraySurvey survey(head);
  std::vector<std::string> paths;
  for (const auto& array : survey.arrays())
    if (!array.path.empty()) paths.push_back(array.path);
  return paths;
}

bool begins_with_reject(Text& text) {
  auto line = first_line_of(text);
  if (!line.starts_with('{')) return false;
  auto first = object_of(line);
  return first && first->contains(reason_name);
}

Result<JsonForm> json_form(Text& text, const Form& form) {
  auto line = std::string(first_line_of(text));
  if (form.kind == Kind::json_lines || begins_with_reject(text)) return JsonForm{.lines = true};
  if (!form.rows.empty() || line.starts_with('[')) return JsonForm{false, form.rows};
  auto head = text.head(first_look);
  if (auto rows = dynamodb_rows(head); !rows.empty()) return JsonForm{false, rows};
  if (has_lines(text, line)) return JsonForm{.lines = true};
  auto arrays = json_arrays(head);
  auto example = arrays.empty() ? "response.reviews" : arrays.front();
  auto sentence = fmt::format(
      "The file is one JSON object. Tell the path of its rows in the mapping: [file] rows = "
      "\"{}\".",
      example);
  if (!arrays.empty()) sentence += fmt::format(" Arrays in it: {}.", fmt::join(arrays, ", "));
  return fault(0, sentence);
}

}  // namespace quire::records
