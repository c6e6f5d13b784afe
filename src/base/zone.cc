#include "base/zone.h"

#include <fmt/format.h>
#include <unicode/basictz.h>
#include <unicode/strenum.h>
#include <unicode/timezone.h>

#include <algorithm>
#include <cctype>

#include "quire/ulid.h"

namespace quire {
namespace {

constexpr std::int64_t minute_ms = 60'000;

// Small letters, with an underscore in place of each space.
std::string folded(std::string_view name) {
  std::string out(name);
  for (auto& each : out)
    each = each == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  return out;
}

// The zone whose name, or the part of it behind the last slash, is this but for case and spaces.
// Empty: there is none.
std::string zone_like(const std::string& name) {
  UErrorCode code = U_ZERO_ERROR;
  std::unique_ptr<icu::StringEnumeration> all(icu::TimeZone::createTimeZoneIDEnumeration(
      UCAL_ZONE_TYPE_CANONICAL_LOCATION, nullptr, nullptr, code));
  if (U_FAILURE(code) || !all) return {};
  auto wanted = folded(name);
  wanted.erase(0, wanted.rfind('/') + 1);
  while (const auto* each = all->snext(code)) {
    std::string known;
    each->toUTF8String(known);
    if (folded(known).ends_with("/" + wanted)) return known;
  }
  return {};
}

// "-08:00"
std::string offset_of(std::int64_t ms) {
  auto minutes = std::abs(ms) / minute_ms;
  return fmt::format("{}{:02}:{:02}", ms < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

}  // namespace

struct Zone::Rules {
  std::unique_ptr<icu::BasicTimeZone> zone;
};

std::optional<Zone> Zone::named(const std::string& name) {
  auto text = icu::UnicodeString::fromUTF8(name);
  std::unique_ptr<icu::TimeZone> found(icu::TimeZone::createTimeZone(text));
  icu::UnicodeString known;
  if (!found || found->getID(known) == icu::UnicodeString(UCAL_UNKNOWN_ZONE_ID)) return {};
  auto* basic = dynamic_cast<icu::BasicTimeZone*>(found.get());
  if (!basic) return {};
  found.release();
  Zone zone;
  zone.rules_ = std::make_shared<const Rules>(Rules{std::unique_ptr<icu::BasicTimeZone>(basic)});
  return zone;
}

std::int64_t Zone::utc_ms(std::int64_t local_ms) const {
  if (!rules_) return local_ms;
  std::int32_t offset = 0, saving = 0;
  UErrorCode code = U_ZERO_ERROR;
  rules_->zone->getOffsetFromLocal(static_cast<UDate>(local_ms), UCAL_TZ_LOCAL_FORMER,
                                   UCAL_TZ_LOCAL_FORMER, offset, saving, code);
  return local_ms - offset - saving;
}

std::int64_t Zone::local_ms(std::uint64_t utc_ms) const {
  auto time = static_cast<std::int64_t>(utc_ms);
  if (!rules_) return time;
  std::int32_t offset = 0, saving = 0;
  UErrorCode code = U_ZERO_ERROR;
  rules_->zone->getOffset(static_cast<UDate>(time), false, offset, saving, code);
  return time + (offset + saving) / minute_ms * minute_ms;
}

std::string Zone::time_text(std::uint64_t utc_ms) const {
  auto local = local_ms(utc_ms);
  auto out = quire::time_text(static_cast<std::uint64_t>(local));
  if (local == static_cast<std::int64_t>(utc_ms)) return out;
  out.pop_back();
  return out + offset_of(local - static_cast<std::int64_t>(utc_ms));
}

std::string Zone::offset_text(std::uint64_t utc_ms) const {
  auto offset = local_ms(utc_ms) - static_cast<std::int64_t>(utc_ms);
  return offset == 0 ? "UTC" : "UTC" + offset_of(offset);
}

std::string no_zone(const std::string& name) {
  auto like = zone_like(name);
  if (!like.empty()) return fmt::format("There is no zone \"{}\". Did you mean {}?", name, like);
  return fmt::format(
      "There is no zone \"{}\". Write a name such as Europe/Berlin, America/New_York or UTC.",
      name);
}

}  // namespace quire
