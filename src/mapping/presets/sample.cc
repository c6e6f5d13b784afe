#include "mapping/presets/sample.h"

#include <boost/json.hpp>
#include <optional>
#include <unordered_map>

#include "mapping/columns/personal.h"
#include "mapping/path.h"
#include "mapping/values/time_format.h"
#include "mapping/values/words.h"

namespace quire {
namespace {

namespace json = boost::json;

constexpr int max_depth = 6;
constexpr std::size_t max_elements = 20;  // of a list

bool is_scalar(const json::value& value) {
  return !value.is_object() && !value.is_array();
}

// Whether the last word of a member's name is one of these: "key" of meta_key.
bool ends_in(std::string_view name, std::initializer_list<std::string_view> some) {
  auto words = words_of(name);
  return !words.empty() && std::find(some.begin(), some.end(), words.back()) != some.end();
}

// An object that is a name with its value: {"meta_key": "rating", "meta_value": "5"}.
struct Pair {
  std::string key_member, key, value_member;
};

std::optional<Pair> pair_in(const json::object& object) {
  Pair pair;
  if (object.size() > 4) return {};
  for (const auto& [name, value] : object) {
    if (!is_scalar(value)) return {};
    if (ends_in(name, {"key", "name", "label", "title"}) && value.is_string()) {
      pair.key_member = name;
      pair.key = value.get_string();
    }
    if (ends_in(name, {"value"})) pair.value_member = name;
  }
  bool selects = !pair.key.empty() && pair.key.size() <= 64 &&
                 pair.key.find_first_of("[]=\n") == pair.key.npos;
  if (pair.key_member.empty() || pair.value_member.empty() || !selects) return {};
  return pair;
}

class Flattening {
 public:
  void add(const Record& record) {
    around_ = true;
    if (record.around)
      for (const auto& [name, object] : *record.around) add_members(name + ".", object, 1);
    around_ = false;
    add_members("", record.members, 1);
    ++record_;
  }

  std::vector<FileColumn> columns() && { return std::move(columns_); }

 private:
  void add_members(const std::string& before, const json::object& object, int depth) {
    for (const auto& [name, value] : object) add(before + std::string(name), value, depth);
  }

  void add(const std::string& path, const json::value& value, int depth) {
    if (depth > max_depth) return;
    if (const auto* array = value.if_array()) return add_list(path, *array, depth);
    const auto* object = value.if_object();
    if (!object) return add_value(path, value);
    if (auto pair = pair_in(*object)) return add_pair(path, *pair, *object);
    if (const auto* own = object->if_contains("#text")) add_value(path, *own);
    for (const auto& [name, member] : *object)
      if (name != "#text") add(path + "." + std::string(name), member, depth + 1);
  }

  void add_pair(const std::string& path, const Pair& pair, const json::object& object) {
    add_value(path + "[" + pair.key_member + "=" + pair.key + "]." + pair.value_member,
              object.at(pair.value_member));
  }

  void add_list(const std::string& path, const json::array& array, int depth) {
    for (std::size_t i = 0; i < std::min(array.size(), max_elements); ++i) {
      const auto& element = array[i];
      const auto* object = element.if_object();
      auto pair = object ? pair_in(*object) : std::nullopt;
      if (pair) {
        add_pair(path, *pair, *object);
      } else if (object) {
        add_element(path, *object, depth);
      } else if (!element.is_array()) {
        // Numbers of a list have meanings of their own: helpful.0 is not helpful.1.
        add_value(element.is_number() ? path + "." + std::to_string(i) : path, element);
      }
    }
  }

  void add_element(const std::string& path, const json::object& object, int depth) {
    for (const auto& [name, value] : object) {
      auto inner = path + "." + std::string(name);
      add(inner, value, depth + 1);
      if (auto* column = is_scalar(value) ? find(inner) : nullptr) {
        column->list = path;
        column->member = name;
      }
    }
  }

  FileColumn* find(const std::string& path) {
    auto known = places_.find(path);
    if (known != places_.end()) return &columns_[known->second];
    if (columns_.size() == max_columns || path.empty()) return nullptr;  // no mapping names it
    places_.emplace(path, columns_.size());
    columns_.push_back({.column = {.name = path}, .words = words_of(path), .around = around_});
    return &columns_.back();
  }

  void add_value(const std::string& path, const json::value& value) {
    auto* column = find(path);
    auto text = text_of(value).value_or("");
    auto trim = trimmed(text);
    if (!column || trim.empty() || is_no_date(trim)) return;
    if (!column->records.empty() && column->records.back() == record_) return;
    auto& all = column->column;
    ++all.present;
    all.others += value.is_bool();
    all.flags += value.is_bool();
    all.numbers += value.is_number();
    all.values.emplace_back(trim.substr(0, max_value_bytes));
    column->records.push_back(record_);
  }

  std::vector<FileColumn> columns_;
  std::unordered_map<std::string, std::size_t> places_;
  std::size_t record_ = 0;
  bool around_ = false;
};

}  // namespace

bool FileColumn::has(std::string_view word) const {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool FileColumn::has_any(std::initializer_list<std::string_view> some) const {
  return std::any_of(some.begin(), some.end(), [&](auto word) { return has(word); });
}

const std::string* FileColumn::of(std::size_t record) const {
  auto at = std::lower_bound(records.begin(), records.end(), record);
  if (at == records.end() || *at != record) return nullptr;
  return &column.values[static_cast<std::size_t>(at - records.begin())];
}

std::vector<FileColumn> columns_of(std::span<const Record> records) {
  Flattening flattening;
  for (const auto& record : records) flattening.add(record);
  return std::move(flattening).columns();
}

}  // namespace quire
