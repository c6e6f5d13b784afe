#include "mapping/presets/written_times.h"

#include <cctype>
#include <iterator>
#include <span>
#include <variant>

#include "mapping/values/time_format.h"

namespace quire {
namespace {

constexpr std::uint64_t year_1990 = 631'152'000'000, year_2100 = 4'102'444'800'000;
constexpr std::size_t max_tried = 300;  // values

bool is_time(std::string_view text, std::span<const TimeFormat> formats) {
  auto time = time_in(text, formats, Zone());
  const auto* ms = std::get_if<std::uint64_t>(&time);
  return ms && *ms > year_1990 && *ms < year_2100;
}

std::vector<TimeFormat> parsed(const std::vector<std::string>& formats) {
  std::vector<TimeFormat> out;
  for (const auto& format : formats) out.push_back(TimeFormat::parse(format).value());
  return out;
}

// How many values have one of these formats. None: ISO 8601.
std::size_t fitting(const Column& tried, const std::vector<TimeFormat>& formats) {
  auto is = [&](const auto& text) { return is_time(text, formats); };
  auto few = tried.values.begin() + std::min<std::ptrdiff_t>(8, std::ssize(tried.values));
  if (std::none_of(tried.values.begin(), few, is)) return 0;
  return static_cast<std::size_t>(std::count_if(tried.values.begin(), tried.values.end(), is));
}

// No text is a time by chance, so a quarter may be odd ones, such as 31/02/2025.
bool suffice(std::size_t fitting, const Column& tried) {
  return fitting > 0 && 4 * fitting >= 3 * tried.values.size();
}

// Whether digits, and signs of dates alone, make up the value, or it has the name of a month.
bool may_be_time(std::string_view text) {
  auto digits =
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits >= 3 && text.size() >= 6 && text.size() <= 40;
}

// A day, with what may stand behind it.
struct Form {
  std::vector<std::string> texts;
  std::vector<TimeFormat> formats;
};

Form form_of(const std::string& day) {
  Form out;
  for (const char* clock : {"", " HH:mm", " HH:mm:ss", " h:mm A", " h:mm:ss A", ", HH:mm",
                            ", HH:mm:ss", ", h:mm A", ", h:mm:ss A"})
    out.texts.push_back(day + clock);
  out.formats = parsed(out.texts);
  return out;
}

struct Days {
  Form form;
  std::optional<Form> other = {};
};

std::vector<Days> all_days() {
  std::vector<Days> out;
  for (const char* sign : {"/", ".", "-"}) {
    auto join = [&](std::string_view a, std::string_view b, std::string_view c) {
      return form_of(std::string(a) + sign + std::string(b) + sign + std::string(c));
    };
    out.push_back({join("DD", "MM", "YYYY"), join("MM", "DD", "YYYY")});
    out.push_back({join("DD", "MM", "YY"), join("MM", "DD", "YY")});
    out.push_back({join("YYYY", "MM", "DD")});
  }
  for (const char* named :
       {"MMMM D, YYYY", "MMM D, YYYY", "MMMM D YYYY", "MMM D YYYY", "D MMMM YYYY", "D MMM YYYY",
        "D. MMMM YYYY", "MMMM Do, YYYY", "ddd, D MMM YYYY", "MM D, YYYY", "D-MMM-YYYY", "D-MMM-YY"})
    out.push_back({form_of(named)});
  return out;
}

// The texts of the form's formats that values have.
std::vector<std::string> texts_in(const Column& tried, const Form& form) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < form.texts.size(); ++i) {
    auto is = [&](const auto& text) { return is_time(text, std::span(&form.formats[i], 1)); };
    if (std::any_of(tried.values.begin(), tried.values.end(), is)) out.push_back(form.texts[i]);
  }
  return out;
}

std::optional<WrittenTimes> other_times(const Column& tried) {
  static const auto all = all_days();
  for (const auto& [form, other] : all) {
    auto first = fitting(tried, form.formats);
    auto second = other ? fitting(tried, other->formats) : 0;
    if (!suffice(std::max(first, second), tried)) continue;
    WrittenTimes out{.formats = texts_in(tried, first >= second ? form : *other)};
    if (first == second) out.other = texts_in(tried, *other).front();
    out.clock = out.formats.back().find('m') != std::string::npos;
    return out;
  }
  return {};
}

bool names_zone(std::string_view text) {
  auto clock = text.find(':');
  if (clock == text.npos) return false;
  return text.ends_with('Z') || text.ends_with("UTC") || text.ends_with("GMT") ||
         text.find_first_of("+-", clock) != text.npos;
}

}  // namespace

std::optional<WrittenTimes> written_times(const Column& column) {
  if (column.flag()) return {};
  auto some = std::count_if(column.values.begin(), column.values.end(), may_be_time);
  if (!suffice(static_cast<std::size_t>(some), column)) return {};
  Column tried = {.name = column.name, .values = column.values};
  if (tried.values.size() > max_tried) tried.values.resize(max_tried);
  WrittenTimes out;
  static const auto epoch = parsed({"epoch"});
  if (suffice(fitting(tried, epoch), tried))
    return WrittenTimes{.formats = {"epoch"}, .clock = true, .zone = true};
  if (!suffice(fitting(tried, {}), tried)) return other_times(tried);
  for (const auto& value : tried.values) {
    out.clock |= value.find(':') != value.npos;
    out.zone |= names_zone(value);
  }
  return out;
}

}  // namespace quire
