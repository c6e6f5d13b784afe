#include "texts/names.h"

#include <unicode/coll.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <memory>
#include <stdexcept>

namespace quire::texts {
namespace {

void must_succeed(UErrorCode status) {
  if (U_FAILURE(status)) throw std::runtime_error(u_errorName(status));
}

std::unique_ptr<const icu::Collator> numeric_collator() {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::Collator> made(
      icu::Collator::createInstance(icu::Locale::getRoot(), status));
  must_succeed(status);
  made->setAttribute(UCOL_NUMERIC_COLLATION, UCOL_ON, status);
  must_succeed(status);
  return made;
}

bool is_accent(UChar unit) {
  return unit >= 0x300 && unit <= 0x36F;  // Combining Diacritical Marks
}

}  // namespace

std::string order_key(std::string_view name) {
  static const auto collator = numeric_collator();
  auto text = icu::UnicodeString::fromUTF8({name.data(), static_cast<int32_t>(name.size())});
  std::string key(64, '\0');
  for (;;) {
    auto size = static_cast<std::size_t>(collator->getSortKey(
        text, reinterpret_cast<uint8_t*>(key.data()), static_cast<int32_t>(key.size())));
    bool whole = size <= key.size();
    key.resize(size);
    if (whole) return key;
  }
}

std::string folded(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const auto* decomposed = icu::Normalizer2::getNFKDInstance(status);
  must_succeed(status);
  auto units = icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
  units = decomposed->normalize(units.foldCase(), status);
  must_succeed(status);
  icu::UnicodeString bare;
  for (int32_t i = 0; i < units.length(); ++i)
    if (!is_accent(units[i])) bare.append(units[i]);
  std::string out;
  return bare.toUTF8String(out);
}

}  // namespace quire::texts
