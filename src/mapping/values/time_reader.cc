#include "mapping/values/time_reader.h"

#include <algorithm>

#include "base/text.h"
#include "quire/ulid.h"

namespace quire {
namespace {

constexpr std::string_view month_names[] = {"January",   "February", "March",    "April",
                                            "May",       "June",     "July",     "August",
                                            "September", "October",  "November", "December"};
constexpr std::uint64_t first_epoch_ms = 100'000'000'000;  // of `epoch`: smaller ones are seconds

bool is_digit(char c) {
  return '0' <= c && c <= '9';
}

std::size_t digits_at(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

// Whether the text is a number alone, with a sign or a fraction.
bool is_plain_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  auto whole = digits_at(text);
  if (whole == 0) return false;
  text.remove_prefix(whole);
  if (text.empty()) return true;
  auto fraction = text.substr(1);
  return text.starts_with('.') && !fraction.empty() && digits_at(fraction) == fraction.size();
}

// "3/4/2025", "15.03.25 10:00": two small numbers, then a year.
bool has_two_meanings(std::string_view text) {
  auto first = digits_at(text);
  if (first < 1 || first > 2 || first == text.size()) return false;
  char separator = text[first];
  if (separator != '/' && separator != '.' && separator != '-') return false;
  text.remove_prefix(first + 1);
  auto second = digits_at(text);
  if (second < 1 || second > 2 || second == text.size() || text[second] != separator) return false;
  auto year = digits_at(text.substr(second + 1));
  return year == 2 || year == 4;
}

}  // namespace

std::variant<std::uint64_t, NoTime> time_in(std::string_view text,
                                            std::span<const TimeFormat> formats, const Zone& zone) {
  if (formats.empty()) {
    if (has_two_meanings(text)) return NoTime::two_meanings;
    if (is_plain_number(text)) return NoTime::number;
    return TimeReader(text, zone).read({});
  }
  NoTime why = NoTime::wrong;
  for (const auto& format : formats) {
    auto time = TimeReader(text, zone).read(format);
    if (std::holds_alternative<std::uint64_t>(time)) return time;
    if (why == NoTime::wrong) why = std::get<NoTime>(time);
  }
  return why;
}

std::variant<std::uint64_t, NoTime> TimeReader::read(const TimeFormat& format) {
  if (format.is_epoch()) return epoch(format);
  bool fits = format.kind_ == TimeFormat::Kind::iso8601
                  ? iso8601()
                  : std::all_of(format.parts_.begin(), format.parts_.end(), [&](const auto& each) {
                      return each.literal ? literal(each.text) : part(each.text);
                    });
  if (!fits || !left_.empty()) return NoTime::wrong;
  return time();
}

bool TimeReader::part(std::string_view name) {
  if (name == "YYYY") return number(4, 4, year_);
  if (name == "YY") {
    bool there = number(2, 2, year_);
    year_ += 2000;
    return there;
  }
  if (name.starts_with("MMM")) return month_name();
  if (name == "Do") return day_with_suffix();
  if (name == "SSS") return fraction(9);
  switch (name.front()) {
    case 'M':
      return number(1, 2, month_);
    case 'D':
      return number(1, 2, day_);
    case 'd':
      return letters();
    case 'H':
    case 'h':
      return number(1, 2, hour_);
    case 'm':
      return number(2, 2, minute_);
    case 's':
      return number(2, 2, second_);
    case 'A':
    case 'a':
      return half_of_day();
    default:
      return offset();
  }
}

// A space stands for one or more, and for those that do not break a line.
bool TimeReader::literal(std::string_view text) {
  for (char c : text) {
    if (c == ' ') {
      auto before = left_.size();
      spaces();
      if (left_.size() == before) return false;
    } else if (!take({&c, 1})) {
      return false;
    }
  }
  return true;
}

bool TimeReader::month_name() {
  for (std::size_t i = 0; i < std::size(month_names); ++i) {
    auto name = month_names[i];
    if (!take_any_case(name) && !take_any_case(name.substr(0, 3))) continue;
    if (name == "September") take_any_case("t");
    take(".");
    month_ = static_cast<int>(i) + 1;
    return true;
  }
  return false;
}

bool TimeReader::day_with_suffix() {
  if (!number(1, 2, day_)) return false;
  for (auto suffix : {"st", "nd", "rd", "th"})
    if (take_any_case(suffix)) return true;
  return false;
}

bool TimeReader::half_of_day() {
  for (auto name : {"am", "a.m."})
    if (take_any_case(name)) return (afternoon_ = false, true);
  for (auto name : {"pm", "p.m."})
    if (take_any_case(name)) return (afternoon_ = true, true);
  return false;
}

bool TimeReader::letters() {
  auto before = left_.size();
  while (!left_.empty() && !is_digit(left_.front()) && left_.find_first_of(" ,.") != 0)
    left_.remove_prefix(1);
  return left_.size() < before;
}

std::variant<std::uint64_t, NoTime> TimeReader::epoch(const TimeFormat& format) const {
  if (!is_plain_number(left_)) return NoTime::wrong;
  auto whole = left_.substr(0, left_.find('.'));
  auto fraction = left_.substr(std::min(whole.size() + 1, left_.size())).substr(0, 3);
  auto value = parse_integer<std::uint64_t>(whole);
  if (!value || *value > max_time_ms) return NoTime::outside;
  bool seconds = format.kind_ == TimeFormat::Kind::epoch_s ||
                 (format.kind_ == TimeFormat::Kind::epoch && *value < first_epoch_ms);
  auto ms = *value;
  if (seconds) {
    std::string thousandths(fraction);
    thousandths.resize(3, '0');
    ms = *value * 1000 + parse_integer<std::uint64_t>(thousandths).value();
  }
  if (ms > max_time_ms) return NoTime::outside;
  return ms;
}

std::variant<std::uint64_t, NoTime> TimeReader::time() {
  if (afternoon_) {
    if (hour_ < 1 || hour_ > 12) return NoTime::impossible;
    hour_ = hour_ % 12 + (*afternoon_ ? 12 : 0);
  }
  auto local = local_ms();
  if (!local) return NoTime::impossible;
  auto ms =
      offset_minutes_ ? *local - std::int64_t{*offset_minutes_} * 60'000 : zone_.utc_ms(*local);
  if (ms < 0 || ms > static_cast<std::int64_t>(max_time_ms)) return NoTime::outside;
  return static_cast<std::uint64_t>(ms);
}

}  // namespace quire
