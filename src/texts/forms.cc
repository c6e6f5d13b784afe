#include "texts/forms.h"

#include <unicode/calendar.h>
#include <unicode/dtptngen.h>
#include <unicode/locdspnm.h>
#include <unicode/locid.h>
#include <unicode/numberformatter.h>
#include <unicode/plurrule.h>
#include <unicode/smpdtfmt.h>
#include <unicode/strenum.h>
#include <unicode/timezone.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

namespace quire::texts {
namespace {

constexpr std::size_t max_known = 2'000;  // names: visitors may make codes up

std::string utf8(const icu::UnicodeString& text) {
  std::string out;
  text.toUTF8String(out);
  return out;
}

void check(UErrorCode code) {
  if (U_FAILURE(code)) throw std::invalid_argument(u_errorName(code));
}

template <class Value>
std::string formatted(const icu::number::LocalizedNumberFormatter& formatter, Value value) {
  UErrorCode code = U_ZERO_ERROR;
  icu::UnicodeString text;
  if constexpr (std::is_floating_point_v<Value>)
    text = formatter.formatDouble(value, code).toString(code);
  else
    text = formatter.formatInt(value, code).toString(code);
  check(code);
  return utf8(text);
}

// The texts before and behind `part`.
std::pair<std::string, std::string> around(const std::string& text, const std::string& part) {
  auto at = text.find(part);
  if (at == text.npos) throw std::invalid_argument("a number is not in its text: " + text);
  return {text.substr(0, at), text.substr(at + part.size())};
}

}  // namespace

Forms::Forms(Forms&&) noexcept = default;
Forms::~Forms() = default;

Forms::Forms(const icu::Locale& locale) {
  using icu::number::NumberFormatter;
  UErrorCode code = U_ZERO_ERROR;
  auto formatter = NumberFormatter::withLocale(locale);
  for (int digit = 0; digit < 10; ++digit)
    digits_[static_cast<std::size_t>(digit)] = formatted(formatter, digit);
  group_ = around(around(formatted(formatter, 1'234'567), digits("1")).second, digits("234")).first;
  min_grouped_ = formatted(formatter, 1'234) == digits("1234") ? 5 : 4;
  if (number(1'234'567) != formatted(formatter, 1'234'567) ||
      number(12'345) != formatted(formatter, 12'345))
    throw std::invalid_argument("its numbers are not grouped by thousands");
  point_ = around(around(formatted(formatter, 1.5), digits("1")).second, digits("5")).first;
  auto percent = formatted(NumberFormatter::withLocale(locale).unit(icu::NoUnit::percent()), 28);
  std::tie(percent_.before, percent_.after) = around(percent, digits("28"));
  for (int month = 0; month < 12; ++month)
    months_[static_cast<std::size_t>(month)] = month_of(locale, month);
  rules_.reset(icu::PluralRules::forLocale(locale, code));
  check(code);
  std::unique_ptr<icu::StringEnumeration> names(rules_->getKeywords(code));
  check(code);
  for (const auto* name = names->snext(code); name; name = names->snext(code)) {
    names_.push_back(utf8(*name));
    plurals_ += (plurals_.empty() ? "" : " ") + names_.back();
  }
  for (std::size_t i = 0; i < of_numbers_.size(); ++i)
    of_numbers_[i] = static_cast<std::uint8_t>(chosen_plural(i));
}

Forms::Month Forms::month_of(const icu::Locale& locale, int month) const {
  UErrorCode code = U_ZERO_ERROR;
  icu::Locale gregorian(locale);
  gregorian.setKeywordValue("calendar", "gregorian", code);
  std::unique_ptr<icu::DateFormat> format(
      icu::DateFormat::createDateInstance(icu::DateFormat::kLong, gregorian));
  if (!format) throw std::invalid_argument("ICU has no dates for it");
  format->setTimeZone(*icu::TimeZone::getGMT());
  using namespace std::chrono;
  auto date = sys_days(year(2345) / (month + 1) / 28);
  icu::UnicodeString text;
  format->format(static_cast<double>(duration_cast<milliseconds>(date.time_since_epoch()).count()),
                 text);
  auto whole = utf8(text);
  Month out;
  out.day_first = whole.find(digits("28")) < whole.find(digits("2345"));
  auto [before, rest] = around(whole, digits(out.day_first ? "28" : "2345"));
  auto [between, after] = around(rest, digits(out.day_first ? "2345" : "28"));
  return {std::move(before), std::move(between), std::move(after), out.day_first};
}

std::string Forms::digits(std::string_view latin) const {
  if (digits_[0] == "0") return std::string(latin);
  std::string out;
  for (char each : latin) out += digits_[static_cast<std::size_t>(each - '0')];
  return out;
}

std::string Forms::number(std::uint64_t value) const {
  auto latin = std::to_string(value);
  if (latin.size() < min_grouped_) return digits(latin);
  std::string out;
  for (std::size_t i = 0; i < latin.size(); ++i) {
    if (i > 0 && (latin.size() - i) % 3 == 0) out += group_;
    out += digits_[static_cast<std::size_t>(latin[i] - '0')];
  }
  return out;
}

std::string Forms::decimal(double value) const {
  auto tenths = static_cast<std::uint64_t>(std::lround(std::max(0.0, value) * 10));
  return number(tenths / 10) + point_ + digits(std::to_string(tenths % 10));
}

std::string Forms::percent(std::uint64_t value) const {
  return percent_.before + number(value) + percent_.after;
}

std::string Forms::day(std::int64_t local_ms) const {
  using namespace std::chrono;
  year_month_day date{floor<days>(sys_time<milliseconds>{milliseconds{local_ms}})};
  const auto& month = months_[unsigned{date.month()} - 1];
  auto day = digits(std::to_string(unsigned{date.day()}));
  auto year = digits(std::to_string(int{date.year()}));
  std::string out;
  out.reserve(month.before.size() + month.between.size() + month.after.size() + 32);
  out.append(month.before).append(month.day_first ? day : year).append(month.between);
  return out.append(month.day_first ? year : day).append(month.after);
}

std::size_t Forms::chosen_plural(std::uint64_t value) const {
  auto name = utf8(rules_->select(static_cast<double>(value)));
  auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw std::logic_error("a language has no plural form " + name);
  return static_cast<std::size_t>(found - names_.begin());
}

const std::string& Forms::plural(std::uint64_t value) const {
  return names_[value < of_numbers_.size() ? of_numbers_[value] : chosen_plural(value)];
}

// As an entry of a list: with a capital letter, where the language has them there.
KeptNames::KeptNames(const icu::Locale& locale)
    : names_([&] {
        UDisplayContext contexts[] = {UDISPCTX_STANDARD_NAMES,
                                      UDISPCTX_CAPITALIZATION_FOR_UI_LIST_OR_MENU,
                                      UDISPCTX_LENGTH_FULL};
        return icu::LocaleDisplayNames::createInstance(locale, contexts, 3);
      }()) {}

KeptNames::~KeptNames() = default;

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
    return utf8(names_->localeDisplayName(locale, name));
  });
}

std::string KeptNames::country(const std::string& code) {
  bool is_code = code.size() == 2 &&
                 std::all_of(code.begin(), code.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!is_code) return code;
  return find('c', code, [&] {
    icu::UnicodeString name;
    return utf8(names_->regionDisplayName(code.c_str(), name));
  });
}

}  // namespace quire::texts
