#include "http/html/labels.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <chrono>
#include <map>

namespace quire::http {
namespace {

// English names of common languages; other languages are shown by their tag.
const std::map<std::string_view, const char*> language_names = {
    {"ar", "Arabic"},     {"bg", "Bulgarian"},  {"cs", "Czech"},     {"da", "Danish"},
    {"de", "German"},     {"el", "Greek"},      {"en", "English"},   {"es", "Spanish"},
    {"et", "Estonian"},   {"fa", "Persian"},    {"fi", "Finnish"},   {"fr", "French"},
    {"he", "Hebrew"},     {"hi", "Hindi"},      {"hr", "Croatian"},  {"hu", "Hungarian"},
    {"id", "Indonesian"}, {"it", "Italian"},    {"ja", "Japanese"},  {"ko", "Korean"},
    {"lt", "Lithuanian"}, {"lv", "Latvian"},    {"nl", "Dutch"},     {"no", "Norwegian"},
    {"pl", "Polish"},     {"pt", "Portuguese"}, {"ro", "Romanian"},  {"ru", "Russian"},
    {"sk", "Slovak"},     {"sl", "Slovenian"},  {"sr", "Serbian"},   {"sv", "Swedish"},
    {"th", "Thai"},       {"tr", "Turkish"},    {"uk", "Ukrainian"}, {"und", "Not stated"},
    {"vi", "Vietnamese"}, {"zh", "Chinese"},
};

}  // namespace

std::string facet_label(std::string_view facet) {
  std::string out(facet);
  for (auto& each : out) {
    if (each == '_') each = ' ';
  }
  if (out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

std::string value_label(std::string_view facet, FacetType type, const std::string& value) {
  if (facet == "language") return language_label(value);
  if (facet == "rating") return value == "1" ? "1 star" : value + " stars";
  if (type == FacetType::flag) return value == "true" ? "Yes" : "No";
  return value;
}

std::string sort_label(Sort sort, std::string_view facet) {
  if (sort == Sort::newest) return "Newest first";
  if (sort == Sort::oldest) return "Oldest first";
  bool highest = sort == Sort::highest;
  if (facet == "rating") return highest ? "Highest rated" : "Lowest rated";
  return facet_label(facet) + (highest ? ": highest first" : ": lowest first");
}

std::string language_label(const std::string& tag) {
  auto end = tag.find('-');
  auto known = language_names.find(std::string_view(tag).substr(0, end));
  if (known == language_names.end()) return tag;
  if (end == tag.npos) return known->second;
  return fmt::format("{} ({})", known->second, tag.substr(end + 1));
}

std::string grouped(std::uint64_t number) {
  auto digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(at, ",");
  return digits;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number == 0 ? "No" : grouped(number), noun, number == 1 ? "" : "s");
}

std::string day_text(std::uint64_t ms) {
  constexpr const char* months[] = {"January",   "February", "March",    "April",
                                    "May",       "June",     "July",     "August",
                                    "September", "October",  "November", "December"};
  using namespace std::chrono;
  year_month_day date{floor<days>(sys_time<milliseconds>{milliseconds{ms}})};
  return fmt::format(FMT_COMPILE("{} {} {}"), unsigned{date.day()},
                     months[unsigned{date.month()} - 1], int{date.year()});
}

}  // namespace quire::http
