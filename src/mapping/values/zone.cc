// Zones, by ICU.
#include <unicode/basictz.h>
#include <unicode/timezone.h>

#include "mapping/values/time_format.h"

namespace quire {

struct Zone::Rules {
  std::unique_ptr<icu::BasicTimeZone> zone;
};

std::optional<Zone> Zone::named(const std::string& name) {
  auto text = icu::UnicodeString::fromUTF8(name);
  std::unique_ptr<icu::TimeZone> found(icu::TimeZone::createTimeZone(text));
  if (!found || *found == icu::TimeZone::getUnknown()) return {};
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

}  // namespace quire
