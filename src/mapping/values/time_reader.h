// Reads a time of a text, from its beginning to its end. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "base/iso_time.h"
#include "mapping/values/time_format.h"

namespace quire {

// Reads one text once.
class TimeReader : private TimeParts {
 public:
  TimeReader(std::string_view text, const Zone& zone) : TimeParts(text), zone_(zone) {}

  std::variant<std::uint64_t, NoTime> read(const TimeFormat& format);

 private:
  bool part(std::string_view name);
  bool literal(std::string_view text);
  bool month_name();
  bool day_with_suffix();
  bool half_of_day();
  bool letters();
  std::variant<std::uint64_t, NoTime> epoch(const TimeFormat& format) const;
  std::variant<std::uint64_t, NoTime> time();

  const Zone& zone_;
  std::optional<bool> afternoon_ = {};
};

}  // namespace quire
