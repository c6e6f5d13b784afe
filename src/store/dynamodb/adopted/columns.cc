#include "store/dynamodb/adopted/columns.h"

#include <boost/json.hpp>
#include <functional>

#include "mapping/path.h"
#include "store/dynamodb/adopted/mapping/mapping.h"
#include "store/dynamodb/adopted/mapping/record.h"
#include "store/dynamodb/adopted/records.h"

namespace quire::adopted {
namespace {

constexpr char part_end = '#';

// The n-th part between "#", without what begins all of them, such as "created_".
std::optional<std::string_view> part_of(std::string_view text, std::size_t n) {
  for (; n > 0; --n) {
    auto end = text.find(part_end);
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find(part_end));
}

using Kind = TimeFormat::Kind;

bool is_time(const TimeFormat& format, std::string_view text) {
  auto time = time_in(text, {&format, 1}, Zone());
  const auto* ms = std::get_if<std::uint64_t>(&time);
  constexpr std::uint64_t year_1990 = 631'152'000'000, year_2100 = 4'102'444'800'000;
  return ms && *ms > year_1990 && *ms < year_2100;
}

std::optional<std::string_view> format_of(const std::vector<std::string>& texts) {
  static const auto formats = [] {
    std::vector<std::pair<TimeFormat, std::string_view>> all;
    for (std::string_view name : {"iso8601", "epoch_ms", "epoch_s"})
      all.emplace_back(TimeFormat::parse(name).value(), name);
    return all;
  }();
  for (const auto& [format, name] : formats) {
    auto fits = [&format = format](const auto& text) { return is_time(format, text); };
    if (!texts.empty() && std::all_of(texts.begin(), texts.end(), fits)) return name;
  }
  return {};
}

// What the texts begin with up to an underscore, as ElectroDB's keys do.
std::string label_of(const std::vector<std::string>& texts) {
  auto end = texts.front().rfind('_');
  if (end == std::string::npos) return {};
  auto label = texts.front().substr(0, end + 1);
  bool shared = std::all_of(texts.begin(), texts.end(),
                            [&](const auto& text) { return text.starts_with(label); });
  return shared ? label : "";
}

// A place that every value has.
std::optional<TimePlace> common_place(const std::vector<std::string>& values) {
  if (auto format = format_of(values)) return TimePlace{*format, ""};
  std::string before;  // the pattern of the parts in front
  for (std::size_t n = 0;; ++n) {
    std::vector<std::string> parts;
    bool more = false;
    for (const auto& value : values) {
      auto part = part_of(value, n);
      if (!part || part->empty()) return {};
      parts.emplace_back(*part);
      more |= part->data() + part->size() != value.data() + value.size();
    }
    if (parts.empty()) return {};
    auto label = label_of(parts);
    for (auto& part : parts) part.erase(0, label.size());
    if (auto format = format_of(parts))
      return TimePlace{*format, before + label + "{created_at}" + (more ? "#{rest}" : "")};
    bool same =
        std::adjacent_find(parts.begin(), parts.end(), std::not_equal_to<>()) == parts.end();
    before += same ? label + parts.front() + "#" : "{rest}#";
  }
}

Mapping mapping_at(const TimePlace& place) {
  Mapping mapping;
  auto pattern = Pattern::parse(place.pattern, "created_at");
  if (pattern) mapping.created_at.patterns.push_back(std::move(*pattern));
  mapping.created_at.formats.push_back(TimeFormat::parse(place.format).value());
  mapping.time.kind = mapping.created_at.formats.front().kind();
  return mapping;
}

bool is_list_of_texts(const boost::json::value& value) {
  const auto* list = value.if_array();
  return list && !list->empty() &&
         std::all_of(list->begin(), list->end(), [](const auto& each) { return each.is_string(); });
}

// A value that is bytes keeps the type of the service: no field is read from it.
bool is_binary(const boost::json::object& object) {
  return object.size() == 1 && (object.contains("B") || object.contains("BS"));
}

// Puts the values of an attribute, and of all within it, into their columns.
class Flattening {
 public:
  explicit Flattening(Columns& columns) : columns_(columns) {}

  void add_attribute(const std::string& name, const boost::json::value& value) {
    left_ = max_values;
    add(name, value);
  }

 private:
  static constexpr std::size_t max_values = 100;  // of an attribute

  void add(const std::string& path, const boost::json::value& value) {
    auto text = value.is_string() ? dynamodb::parse_object(value.get_string()) : std::nullopt;
    const auto* object = text ? &*text : value.if_object();
    if (!object || object->empty() || is_binary(*object)) return add_value(path, value);
    for (const auto& [name, each] : *object) add(path + "." + std::string(name), each);
  }

  void add_value(const std::string& path, const boost::json::value& value) {
    if (left_ == 0 || value.is_null()) return;
    --left_;
    auto& column = columns_[path];
    column.name = path;
    ++column.present;
    column.numbers += value.is_number();
    column.flags += value.is_bool();
    column.others += !value.is_string() && !value.is_number();
    if (is_list_of_texts(value))
      column.values.push_back(boost::json::serialize(value));
    else if (auto text = quire::text_of(value))
      column.values.push_back(std::move(*text));
  }

  Columns& columns_;
  std::size_t left_ = 0;
};

}  // namespace

Columns columns_of(const std::vector<dynamodb::Item>& items) {
  Columns columns;
  Flattening flattening(columns);
  for (const auto& item : items)
    for (const auto& [name, value] : record_of(item).members) flattening.add_attribute(name, value);
  return columns;
}

bool has_lone_time(std::string_view value) {
  return common_place({std::string(value)}).has_value();
}

std::optional<TimePlace> time_place(const Column& column) {
  if (!column.mostly(has_lone_time)) return {};
  auto usual = column.values;
  std::erase_if(usual, [](const auto& value) { return !has_lone_time(value); });
  return common_place(usual);
}

std::vector<std::uint64_t> times_of(const Column& column) {
  auto mapping = mapping_at(*time_place(column));
  const auto& field = mapping.created_at;
  std::vector<std::uint64_t> times;
  for (const auto& value : column.values) {
    auto text = pattern_of(field).value_in(value).value_or("");
    auto time = time_in(text, field.formats, Zone());
    const auto* ms = std::get_if<std::uint64_t>(&time);
    times.push_back(ms ? *ms : 0);
  }
  return times;
}

std::string format_of_times(const Column& column) {
  auto place = *time_place(column);
  auto mapping = mapping_at(place);
  if (mapping.time.kind != Kind::iso8601) return std::string(place.format);
  std::vector<std::pair<TimeForm, std::string>> forms = {{TimeForm(), "iso8601"}};
  for (const auto& value : column.values) {
    auto text = pattern_of(mapping.created_at).value_in(value).value_or("");
    auto form = time_form_of(text);
    auto same = [&](const auto& known) { return known.first == form; };
    if (form && std::none_of(forms.begin(), forms.end(), same)) forms.emplace_back(*form, text);
  }
  std::stable_partition(forms.begin(), forms.end(),
                        [](const auto& each) { return each.first.seconds; });
  auto times = times_of(column);
  for (const auto& [form, text] : forms) {
    mapping.time = form;
    bool sorts = true;
    for (std::size_t i = 0; sorts && i < times.size(); ++i) {
      if (times[i] == 0) continue;
      Comment comment{.id = Ulid::make(times[i], {})};
      sorts = sorts_by_time(mapping, dynamodb::string(column.values[i]), comment);
    }
    if (sorts) return text;
  }
  return "iso8601";
}

}  // namespace quire::adopted
