#include "base/language_tag.h"

#include <unicode/locid.h>

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

}  // namespace

std::string present_tag(const std::string& tag) {
  thread_local std::unordered_map<std::string, std::string> kept;
  auto known = kept.find(tag);
  if (known != kept.end()) return known->second;
  if (kept.size() == max_kept) kept.clear();
  return kept.emplace(tag, by_icu(tag)).first->second;
}

}  // namespace quire
