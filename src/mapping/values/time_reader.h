// Reads a time of a text, from its beginning to its end. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "mapping/values/time_format.h"

namespace quire {

// Reads one text once.
class TimeReader {
 public:
  TimeReader(std::string_view text, const Zone& zone) : left_(text), zone_(zone) {}

  std::variant<std::uint64_t, NoTime> read(const TimeFormat& format);

 private:
  bool iso8601();
  bool part(std::string_view name);
  bool literal(std::string_view text);
  bool number(std::size_t min_digits, std::size_t max_digits, int& out);
  bool fraction(std::size_t max_digits);
  bool month_name();
  bool day_with_suffix();
  bool half_of_day();
  bool offset();
  bool letters();
  bool take(std::string_view text);
  bool take_any_case(std::string_view text);
  void spaces();
  std::variant<std::uint64_t, NoTime> epoch(const TimeFormat& format) const;
  std::variant<std::uint64_t, NoTime> time() const;

  std::string_view left_;
  const Zone& zone_;
  int year_ = 0, month_ = 0, day_ = 0, hour_ = 0, minute_ = 0, second_ = 0, ms_ = 0;
  std::optional<bool> afternoon_ = {};
  std::optional<int> offset_minutes_ = {};
};

}  // namespace quire
