// How a language writes numbers and days, and names languages and countries. ICU tells it. Its
// patterns are read once, and its names are kept, because ICU takes longer to make the names of a
// page than the page may take.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <unicode/uversion.h>

U_NAMESPACE_BEGIN
class Locale;
class LocaleDisplayNames;
class PluralRules;
U_NAMESPACE_END

namespace quire::texts {

// Immutable, so thread-safe.
class Forms {
 public:
  // Throws std::invalid_argument where ICU has no such locale, or its patterns are none of those
  // that this knows.
  explicit Forms(const icu::Locale& locale);
  Forms(Forms&&) noexcept;
  ~Forms();

  // "2,331", "2.331", "٢٬٣٣١".
  std::string number(std::uint64_t value) const;
  // With one digit behind the point: "4.3", "4,3".
  std::string decimal(double value) const;
  // "52%", "52 %".
  std::string percent(std::uint64_t value) const;
  // "20 November 2024". `local_ms`: since 1970, as clocks show it.
  std::string day(std::int64_t local_ms) const;
  // The plural form of this number: "one", "other", and what else the language has.
  const std::string& plural(std::uint64_t value) const;
  // All forms that the language has.
  const std::string& plurals() const { return plurals_; }

 private:
  // A text around a value.
  struct Around {
    std::string before, after;
  };
  // The texts around day and year in a month's name.
  struct Month {
    std::string before, between, after;
    bool day_first = true;
  };

  std::string digits(std::string_view latin) const;
  Month month_of(const icu::Locale& locale, int month) const;
  std::size_t chosen_plural(std::uint64_t value) const;

  std::array<std::string, 10> digits_;
  std::string group_, point_;
  std::size_t min_grouped_ = 4;  // digits of the least number that is grouped
  Around percent_;
  std::array<Month, 12> months_;
  std::unique_ptr<icu::PluralRules> rules_;
  std::vector<std::string> names_;            // of the plural forms
  std::array<std::uint8_t, 200> of_numbers_;  // for each small number the form's place there
  std::string plurals_;                       // "one other"
};

// Thread-safe.
class KeptNames {
 public:
  explicit KeptNames(const icu::Locale& locale);
  ~KeptNames();

  // The code itself where no name is known.
  std::string language(const std::string& tag);
  std::string country(const std::string& code);

 private:
  template <class Find>
  std::string find(char kind, const std::string& code, Find find_name);

  std::mutex asking_;
  const std::unique_ptr<icu::LocaleDisplayNames> names_;  // guarded by asking_
  std::shared_mutex mutex_;
  std::unordered_map<std::string, std::string> known_;  // guarded by mutex_; at most max_known
};

}  // namespace quire::texts
