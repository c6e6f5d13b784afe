#include "base/iso_time.h"

#include <algorithm>
#include <chrono>

#include "base/text.h"
#include "quire/ulid.h"

namespace quire {
namespace {

std::size_t digits_at(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

}  // namespace

bool TimeParts::iso8601() {
  auto separator = left_.size() > 4 ? left_.substr(4, 1) : std::string_view();
  if (separator != "-" && separator != "/") return false;
  bool date = number(4, 4, year_) && take(separator) && number(1, 2, month_) && take(separator) &&
              number(1, 2, day_);
  if (!date || left_.empty()) return date;
  if (!take("T") && !take("t") && !left_.starts_with(' ')) return false;
  spaces();
  if (!number(1, 2, hour_) || !take(":") || !number(2, 2, minute_)) return false;
  if (take(":") && !number(2, 2, second_)) return false;
  if ((take(".") || take(",")) && !fraction(9)) return false;
  spaces();
  return left_.empty() || (offset() && left_.empty());
}

std::optional<std::int64_t> TimeParts::local_ms() const {
  namespace chrono = std::chrono;
  auto date = chrono::year(year_) / chrono::month(static_cast<unsigned>(month_)) /
              chrono::day(static_cast<unsigned>(day_));
  if (!date.ok() || hour_ > 23 || minute_ > 59 || second_ > 59) return {};
  std::int64_t days = chrono::sys_days(date).time_since_epoch().count();
  return (((days * 24 + hour_) * 60 + minute_) * 60 + second_) * 1000 + ms_;
}

bool TimeParts::number(std::size_t min_digits, std::size_t max_digits, int& out) {
  auto size = std::min(digits_at(left_), max_digits);
  if (size < min_digits) return false;
  out = parse_integer<int>(left_.substr(0, size)).value();
  left_.remove_prefix(size);
  return true;
}

// What is behind the third digit is cut off.
bool TimeParts::fraction(std::size_t max_digits) {
  auto size = digits_at(left_);
  if (size < 1 || size > max_digits) return false;
  for (std::size_t i = 0; i < 3; ++i) ms_ = ms_ * 10 + (i < size ? left_[i] - '0' : 0);
  left_.remove_prefix(size);
  return true;
}

bool TimeParts::offset() {
  offset_minutes_ = 0;
  if (take_any_case("Z") || take_any_case("UTC") || take_any_case("GMT")) return true;
  bool minus = take("-");
  if (!minus && !take("+")) return false;
  int hours = 0, minutes = 0;
  if (!number(2, 2, hours)) return false;
  if ((take(":") || digits_at(left_) > 0) && !number(2, 2, minutes)) return false;
  offset_minutes_ = (minus ? -1 : 1) * (60 * hours + minutes);
  return hours <= 23 && minutes <= 59;
}

bool TimeParts::take(std::string_view text) {
  if (!left_.starts_with(text)) return false;
  left_.remove_prefix(text.size());
  return true;
}

bool TimeParts::take_any_case(std::string_view text) {
  auto lower = [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c | 0x20) : c; };
  bool same = left_.size() >= text.size() &&
              std::equal(text.begin(), text.end(), left_.begin(),
                         [&](char a, char b) { return lower(a) == lower(b); });
  if (same) left_.remove_prefix(text.size());
  return same;
}

// Also those that do not break a line.
void TimeParts::spaces() {
  while (take(" ") || take("\xC2\xA0") || take("\xE2\x80\xAF")) {
  }
}

std::optional<std::uint64_t> parse_iso_time(std::string_view text) {
  TimeParts parts(text);
  auto local = parts.iso8601() ? parts.local_ms() : std::nullopt;
  if (!local) return {};
  auto ms = *local - std::int64_t{parts.offset_minutes().value_or(0)} * 60'000;
  if (ms < 0 || ms > static_cast<std::int64_t>(max_time_ms)) return {};
  return static_cast<std::uint64_t>(ms);
}

}  // namespace quire
