#include "base/letters.h"

#include <unicode/uchar.h>

#include <stdexcept>

namespace quire {
namespace {

const icu::Normalizer2& found(const icu::Normalizer2* normalizer, UErrorCode code) {
  if (U_FAILURE(code)) throw std::runtime_error("ICU has no data to compare letters by.");
  return *normalizer;
}

}  // namespace

const icu::Normalizer2& case_and_form() {
  static const icu::Normalizer2& normalizer = []() -> const icu::Normalizer2& {
    UErrorCode code = U_ZERO_ERROR;
    const auto* made = icu::Normalizer2::getNFKCCasefoldInstance(code);
    return found(made, code);
  }();
  return normalizer;
}

const icu::Normalizer2& composition() {
  static const icu::Normalizer2& normalizer = []() -> const icu::Normalizer2& {
    UErrorCode code = U_ZERO_ERROR;
    const auto* made = icu::Normalizer2::getNFCInstance(code);
    return found(made, code);
  }();
  return normalizer;
}

// By combining class.
bool is_accent(UChar32 mark) {
  auto place = u_getCombiningClass(mark);
  return place == 1 || (place >= 10 && place <= 36) || place >= 200;
}

UChar32 plain_letter(UChar32 c) {
  switch (c) {
    case U'ø':
      return 'o';
    case U'ł':
      return 'l';
    case U'đ':
      return 'd';
    case U'ħ':
      return 'h';
    case U'ŧ':
      return 't';
    case U'ı':
      return 'i';
    default:
      return U_GET_GC_MASK(c) & U_GC_ND_MASK ? '0' + u_charDigitValue(c) : c;
  }
}

}  // namespace quire
