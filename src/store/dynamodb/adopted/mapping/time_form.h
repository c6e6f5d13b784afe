// How the times within keys are written, and whether the texts sort as the times do. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mapping/values/time_format.h"

namespace quire::adopted {

// Times of one form sort among themselves, from moment to moment. Of ISO 8601, "2021-08-25 13:00"
// has another form than "2021-08-25T13:00:00Z".
struct TimeForm {
  TimeFormat::Kind kind = TimeFormat::Kind::iso8601;  // or epoch_s, epoch_ms
  char separator = 'T';                               // between the date and the time of day
  int offset_minutes = 0;                             // of the zone in which the times are
  bool seconds = true;                                // false: some times end with the minute

  friend bool operator==(const TimeForm&, const TimeForm&) = default;
};

// The form of a text of ISO 8601. Absent: it is none, or its date is written otherwise, such as
// 2021/8/25.
std::optional<TimeForm> time_form_of(std::string_view text);
// The form of times of a format. Absent: they do not sort, or no key can be made of them.
std::optional<TimeForm> time_form_of(const TimeFormat& format);

// Within a moment, texts may sort otherwise than their times: "12:00:00Z" is behind "12:00:00.9Z".
// So a moment is a second, or a minute, but where all times are whole milliseconds. In ms.
std::uint64_t moment_of(const TimeForm& form);

// What begins each text of the time's moment, but for those that first_text() tells.
std::string moment_text(const TimeForm& form, std::uint64_t ms);
// The first text of the moment: a text may have no seconds, or no time of day, where they are 0.
std::string first_text(const TimeForm& form, std::uint64_t ms);

}  // namespace quire::adopted
