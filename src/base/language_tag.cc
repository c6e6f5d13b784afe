#include "base/language_tag.h"

#include <unicode/locid.h>
#include <unicode/uloc.h>

#include <array>
#include <unordered_map>

namespace quire {
namespace {

constexpr std::size_t max_kept = 1000;  // tags of a thread, each of which takes ICU microseconds

std::string by_icu(const std::string& tag) {
  UErrorCode code = U_ZERO_ERROR;
  auto locale = icu::Locale::createCanonical(tag.c_str());
  auto text = locale.toLanguageTag<std::string>(code);
  return U_FAILURE(code) || locale.isBogus() ? tag : text;
}

// Whether CLDR has an English name for this part of the tag, or the tag lacks the part.
bool has_name(const std::string& tag, decltype(&uloc_getDisplayLanguage) name_of) {
  std::array<UChar, 200> name;
  UErrorCode code = U_ZERO_ERROR;
  name_of(tag.c_str(), "en", name.data(), name.size(), &code);
  return code == U_ZERO_ERROR;
}

bool has_usual_script(const std::string& tag) {
  auto language = tag.substr(0, tag.find('-'));
  std::array<char, ULOC_FULLNAME_CAPACITY> likely;
  UErrorCode code = U_ZERO_ERROR;
  auto size = uloc_addLikelySubtags(language.c_str(), likely.data(), likely.size(), &code);
  return U_SUCCESS(code) && static_cast<std::size_t>(size) > language.size();
}

}  // namespace

std::string present_tag(const std::string& tag) {
  thread_local std::unordered_map<std::string, std::string> kept;
  auto known = kept.find(tag);
  if (known != kept.end()) return known->second;
  if (kept.size() == max_kept) kept.clear();
  return kept.emplace(tag, by_icu(tag)).first->second;
}

bool is_known_tag(const std::string& tag) {
  return (has_name(tag, uloc_getDisplayLanguage) || has_usual_script(tag)) &&
         has_name(tag, uloc_getDisplayScript) && has_name(tag, uloc_getDisplayCountry);
}

}  // namespace quire
