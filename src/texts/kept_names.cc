#include "texts/kept_names.h"

#include <algorithm>

namespace quire::texts {
namespace {

constexpr std::size_t max_known = 2'000;  // visitors may make codes up

std::string utf8_of(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

}  // namespace

// As an entry of a list: with a capital letter, where the language has them there.
KeptNames::KeptNames(const icu::Locale& locale)
    : names_([&] {
        UDisplayContext contexts[] = {UDISPCTX_STANDARD_NAMES,
                                      UDISPCTX_CAPITALIZATION_FOR_UI_LIST_OR_MENU,
                                      UDISPCTX_LENGTH_FULL};
        return icu::LocaleDisplayNames::createInstance(locale, contexts, 3);
      }()) {}

template <class Find>
std::string KeptNames::find(char kind, const std::string& code, Find find_name) {
  auto key = kind + code;
  {
    std::shared_lock lock(mutex_);
    auto known = known_.find(key);
    if (known != known_.end()) return known->second;
  }
  std::string name;
  {
    std::lock_guard lock(asking_);
    name = find_name();
  }
  if (name.empty()) name = code;
  std::unique_lock lock(mutex_);
  if (known_.size() < max_known) known_.emplace(std::move(key), name);
  return name;
}

std::string KeptNames::language(const std::string& tag) {
  return find('l', tag, [&] {
    UErrorCode code = U_ZERO_ERROR;
    auto locale = icu::Locale::forLanguageTag(tag, code);
    if (U_FAILURE(code) || locale.isBogus() || !*locale.getLanguage()) return std::string();
    icu::UnicodeString name;
    return utf8_of(names_->localeDisplayName(locale, name));
  });
}

std::string KeptNames::country(const std::string& code) {
  bool is_code = code.size() == 2 &&
                 std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!is_code) return code;
  return find('c', code, [&] {
    icu::UnicodeString name;
    return utf8_of(names_->regionDisplayName(code.c_str(), name));
  });
}

}  // namespace quire::texts
