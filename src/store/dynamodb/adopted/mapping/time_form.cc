#include "store/dynamodb/adopted/mapping/time_form.h"

#include <algorithm>

#include "base/iso_time.h"
#include "quire/ulid.h"

namespace quire::adopted {
namespace {

using Kind = TimeFormat::Kind;

constexpr std::size_t date_size = 10;    // 2024-11-20
constexpr std::size_t minute_size = 16;  // 2024-11-20T12:01
constexpr std::size_t second_size = 19;  // 2024-11-20T12:01:00

}  // namespace

std::optional<TimeForm> time_form_of(std::string_view text) {
  TimeParts parts(text);
  auto ms = parse_iso_time(text);
  if (!ms || !parts.iso8601()) return {};
  TimeForm form;
  form.offset_minutes = parts.offset_minutes().value_or(0);
  if (text.size() > date_size) {
    form.separator = text[date_size];
    form.seconds = text.size() > minute_size && text[minute_size] == ':';
  }
  if (!text.starts_with(first_text(form, *ms))) return {};
  return form;
}

std::optional<TimeForm> time_form_of(const TimeFormat& format) {
  bool known = format.kind() != Kind::epoch && format.kind() != Kind::pattern;
  if (!known) return {};
  if (!format.example().empty()) return time_form_of(format.example());
  return TimeForm{format.kind()};
}

std::uint64_t moment_of(const TimeForm& form) {
  if (form.kind == Kind::epoch_ms) return 1;
  return form.seconds ? 1000 : 60'000;
}

std::string moment_text(const TimeForm& form, std::uint64_t ms) {
  if (form.kind == Kind::epoch_ms) return std::to_string(ms);
  if (form.kind == Kind::epoch_s) return std::to_string(ms / 1000);
  auto local = static_cast<std::int64_t>(ms) + form.offset_minutes * 60'000;
  auto text = time_text(static_cast<std::uint64_t>(std::max<std::int64_t>(0, local)));
  text[date_size] = form.separator;
  return text.substr(0, form.seconds ? second_size : minute_size);
}

std::string first_text(const TimeForm& form, std::uint64_t ms) {
  auto text = moment_text(form, ms);
  if (form.kind != Kind::iso8601) return text;
  auto time = std::string_view(text).substr(date_size + 1);
  if (time == "00:00:00" || time == "00:00") return text.substr(0, date_size);
  return time.ends_with(":00") ? text.substr(0, minute_size) : text;
}

}  // namespace quire::adopted
