// Times as programs write them after ISO 8601, which has more forms than RFC 3339.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace quire {

// The time in ms since 1970: a date (2024-11-20), which is its first moment, or a date, `T` or a
// space, and a time of day, whose seconds and their fraction may be left out. Behind it, perhaps
// after a space, `Z`, `UTC`, `GMT` or an offset (+01:00, +0100, +01); UTC where none is named. An
// offset that a date alone has is none. Absent: another form, or outside of 1970 to 9999.
std::optional<std::uint64_t> parse_iso_time(std::string_view text);

}  // namespace quire
