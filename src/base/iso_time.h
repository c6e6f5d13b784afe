// Times as programs write them after ISO 8601, which has more forms than RFC 3339, and the parts of
// which times in any form are made.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace quire {

// Reads one text once, from its beginning to its end. Each function returns whether the text goes
// on so, and then has read that part.
class TimeParts {
 public:
  explicit TimeParts(std::string_view text) : left_(text) {}

  // A time after ISO 8601, to the end of the text: a date (2024-11-20, 2024/11/20), which is its
  // first moment, or a date, `T` or spaces, and a time of day, whose seconds and their fraction may
  // be left out. Behind it, perhaps after spaces, `Z`, `UTC`, `GMT` or an offset (+01:00, +0100,
  // +01).
  bool iso8601();

  // The time that the clocks show, in ms since 1970 as if it were UTC. Absent: there is no such
  // day, or no such time of day.
  std::optional<std::int64_t> local_ms() const;
  // How far these clocks are ahead of UTC. Absent: no offset is named.
  std::optional<int> offset_minutes() const { return offset_minutes_; }

 protected:
  bool number(std::size_t min_digits, std::size_t max_digits, int& out);
  bool fraction(std::size_t max_digits);
  bool offset();
  bool take(std::string_view text);
  bool take_any_case(std::string_view text);
  void spaces();

  std::string_view left_;
  int year_ = 0, month_ = 0, day_ = 0, hour_ = 0, minute_ = 0, second_ = 0, ms_ = 0;
  std::optional<int> offset_minutes_ = {};
};

// The time of TimeParts::iso8601() in ms since 1970; UTC where no offset is named. Absent: another
// form, no such day, or outside of 1970 to 9999.
std::optional<std::uint64_t> parse_iso_time(std::string_view text);

}  // namespace quire
