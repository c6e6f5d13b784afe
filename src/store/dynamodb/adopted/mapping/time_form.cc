#include "store/dynamodb/adopted/mapping/time_form.h"

#include <algorithm>
#include <charconv>

#include "base/clock.h"
#include "quire/ulid.h"

namespace quire::adopted {
namespace {

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "1732104060.123" of seconds: whole numbers of `unit_ms`, and a fraction that is cut off at ms.
std::optional<std::uint64_t> epoch(std::string_view text, std::uint64_t unit_ms) {
  auto point = text.find('.');
  auto whole = text.substr(0, point);
  auto fraction = point == text.npos ? "0" : text.substr(point + 1);
  if (!all_digits(whole) || !all_digits(fraction) || whole.size() > 15) return {};
  std::uint64_t value = 0;
  std::from_chars(whole.data(), whole.data() + whole.size(), value);
  value *= unit_ms;
  for (auto unit = unit_ms / 10; unit > 0 && !fraction.empty(); unit /= 10) {
    value += unit * static_cast<std::uint64_t>(fraction.front() - '0');
    fraction.remove_prefix(1);
  }
  if (value > max_time_ms) return {};
  return value;
}

constexpr std::size_t date_size = 10;    // 2024-11-20
constexpr std::size_t minute_size = 16;  // 2024-11-20T12:01
constexpr std::size_t second_size = 19;  // 2024-11-20T12:01:00

std::optional<std::uint64_t> iso8601(std::string_view text) {
  std::string full(text);
  if (full.size() == date_size) full += "T00:00:00Z";
  if (full.size() > date_size && full[date_size] == ' ') full[date_size] = 'T';
  auto offset = full.find_first_of("Zz+-", std::min(date_size, full.size()));
  if (offset == full.npos) full += 'Z';
  bool short_offset = offset != full.npos && full.size() == offset + 5;  // +0100
  if (short_offset) full.insert(offset + 3, ":");
  bool minutes = full.size() > minute_size && full[13] == ':' && full[minute_size] != ':';
  if (minutes) full.insert(minute_size, ":00");
  return parse_time(full);
}

}  // namespace

std::optional<std::uint64_t> time_in(TimeFormat format, std::string_view text) {
  switch (format) {
    case TimeFormat::iso8601:
      return iso8601(text);
    case TimeFormat::epoch_s:
      return epoch(text, 1000);
    case TimeFormat::epoch_ms:
      return epoch(text, 1);
  }
  return {};
}

std::optional<TimeForm> time_form_of(std::string_view text) {
  if (!iso8601(text)) return {};
  TimeForm form;
  if (text.size() <= date_size) return form;
  form.separator = text[date_size];
  form.seconds = text.size() > minute_size && text[minute_size] == ':';
  auto sign = text.find_first_of("+-", date_size);
  if (sign == text.npos) return form;
  auto digits = [&](std::size_t at) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + 2, value);
    return value;
  };
  int minutes = 60 * digits(sign + 1) + digits(text.size() - 2);
  form.offset_minutes = text[sign] == '-' ? -minutes : minutes;
  return form;
}

std::uint64_t moment_of(const TimeForm& form) {
  if (form.format == TimeFormat::epoch_ms) return 1;
  return form.seconds ? 1000 : 60'000;
}

std::string moment_text(const TimeForm& form, std::uint64_t ms) {
  if (form.format == TimeFormat::epoch_ms) return std::to_string(ms);
  if (form.format == TimeFormat::epoch_s) return std::to_string(ms / 1000);
  auto local = static_cast<std::int64_t>(ms) + form.offset_minutes * 60'000;
  auto text = time_text(static_cast<std::uint64_t>(std::max<std::int64_t>(0, local)));
  text[date_size] = form.separator;
  return text.substr(0, form.seconds ? second_size : minute_size);
}

std::string first_text(const TimeForm& form, std::uint64_t ms) {
  auto text = moment_text(form, ms);
  if (form.format != TimeFormat::iso8601) return text;
  auto time = std::string_view(text).substr(date_size + 1);
  if (time == "00:00:00" || time == "00:00") return text.substr(0, date_size);
  return time.ends_with(":00") ? text.substr(0, minute_size) : text;
}

}  // namespace quire::adopted
