#include "store/dynamodb/adopted/columns.h"

#include <functional>

#include "store/dynamodb/adopted/mapping/reading.h"
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

bool is_time(TimeFormat format, std::string_view text) {
  auto ms = time_in(format, text);
  constexpr std::uint64_t year_1990 = 631'152'000'000, year_2100 = 4'102'444'800'000;
  return ms && *ms > year_1990 && *ms < year_2100;
}

std::optional<std::string_view> format_of(const std::vector<std::string>& texts) {
  constexpr std::pair<TimeFormat, std::string_view> formats[] = {{TimeFormat::iso8601, "iso8601"},
                                                                 {TimeFormat::epoch_ms, "epoch_ms"},
                                                                 {TimeFormat::epoch_s, "epoch_s"}};
  for (const auto& [format, name] : formats) {
    auto fits = [format = format](const auto& text) { return is_time(format, text); };
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
  if (pattern) mapping.created_at.pattern = std::move(*pattern);
  if (place.format == "epoch_s") mapping.time.format = TimeFormat::epoch_s;
  if (place.format == "epoch_ms") mapping.time.format = TimeFormat::epoch_ms;
  return mapping;
}

}  // namespace

Columns columns_of(const std::vector<dynamodb::Item>& items) {
  Columns columns;
  auto add = [&](const std::string& name, const dynamodb::Attribute& attribute) {
    auto& column = columns[name];
    column.name = name;
    ++column.present;
    constexpr std::string_view held[] = {R"({"SS")", R"({"L":[{"S")"};
    bool fits = std::any_of(std::begin(held), std::end(held),
                            [&](auto type) { return attribute.text.starts_with(type); });
    column.others += attribute.type == dynamodb::Type::other;
    column.numbers += attribute.type == dynamodb::Type::number;
    if (attribute.text.starts_with(R"({"BOOL")")) {
      ++column.flags;
      column.values.emplace_back(attribute.text.find("true") < attribute.text.npos ? "true"
                                                                                   : "false");
    } else if (attribute.type != dynamodb::Type::other || fits) {
      column.values.push_back(attribute.text);
    }
  };
  for (const auto& item : items) {
    for (const auto& [name, attribute] : item) {
      auto within = values_within(name, attribute);
      for (const auto& [path, value] : within) add(path, value);
      if (within.empty()) add(name, attribute);
    }
  }
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
  auto format = mapping_at(*time_place(column));
  std::vector<std::uint64_t> times;
  for (const auto& value : column.values) {
    auto text = format.created_at.pattern.value_in(value);
    times.push_back(time_in(format.time.format, text.value_or("")).value_or(0));
  }
  return times;
}

std::string format_of_times(const Column& column) {
  auto place = *time_place(column);
  auto mapping = mapping_at(place);
  if (mapping.time.format != TimeFormat::iso8601) return std::string(place.format);
  std::vector<std::pair<TimeForm, std::string>> forms = {{TimeForm(), "iso8601"}};
  for (const auto& value : column.values) {
    auto text = mapping.created_at.pattern.value_in(value).value_or("");
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
