#include "base/iso_time.h"

#include <algorithm>
#include <string>

#include "quire/ulid.h"

namespace quire {
namespace {

constexpr std::size_t date_size = 10;   // 2024-11-20
constexpr std::size_t minute_size = 6;  // T12:01

// Offset or name of a zone as RFC 3339 has it. Another text is given back, or is no zone either.
std::string zone_of(std::string_view text) {
  if (text.starts_with(' ')) text.remove_prefix(1);
  if (text.empty() || text == "UTC" || text == "GMT") return "Z";
  std::string zone(text);
  if (zone.size() == 3) zone += "00";
  if (zone.size() == 5) zone.insert(3, ":");
  return zone;
}

}  // namespace

std::optional<std::uint64_t> parse_iso_time(std::string_view text) {
  auto date = text.substr(0, date_size), rest = text.substr(date.size());
  if (rest.empty()) return parse_time(std::string(date) + "T00:00:00Z");
  auto time = rest.substr(0, rest.find_first_of("Zz+- UG", 1));
  auto full = std::string(date).append(time);
  if (time.size() == minute_size) full += ":00";
  std::replace(full.begin(), full.end(), ',', '.');
  return parse_time(full + zone_of(rest.substr(time.size())));
}

}  // namespace quire
