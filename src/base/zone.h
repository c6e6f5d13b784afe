// Time zones, by ICU.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace quire {

// A time zone of the IANA database, with its past and present offsets. Thread-safe.
class Zone {
 public:
  Zone() = default;  // UTC
  // "Europe/Berlin". Absent: there is no zone of this name.
  static std::optional<Zone> named(const std::string& name);

  // The time, in ms since 1970, at which the clocks of the zone show `local_ms` as if it were UTC.
  // Of a time that clocks show twice, the first; a time that they leave out is as long after the
  // change as it says.
  std::int64_t utc_ms(std::int64_t local_ms) const;
  // What the clocks of the zone show at this time, as if it were UTC.
  std::int64_t local_ms(std::uint64_t utc_ms) const;

  // RFC 3339: "2024-11-20T04:01:00.123-08:00"; of UTC "2024-11-20T12:01:00.123Z". Offsets
  // are cut to whole minutes: before 1972 some had seconds.
  std::string time_text(std::uint64_t utc_ms) const;
  // "UTC", "UTC-08:00".
  std::string offset_text(std::uint64_t utc_ms) const;

 private:
  struct Rules;
  std::shared_ptr<const Rules> rules_;  // null: UTC
};

// Why there is no zone of this name, and which name to write: the zone of a name that differs in
// case and spaces alone, or that ends so, is proposed.
std::string no_zone(const std::string& name);

}  // namespace quire
