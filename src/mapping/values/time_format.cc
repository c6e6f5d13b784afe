#include "mapping/values/time_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/iso_time.h"

namespace quire {
namespace {

// The names of a pattern's parts, each before those that it begins with.
constexpr std::string_view names[] = {"YYYY", "YY",   "MMMM", "MMM", "MM", "M",  "DD", "Do",
                                      "D",    "dddd", "ddd",  "HH",  "H",  "hh", "h",  "mm",
                                      "m",    "ss",   "s",    "SSS", "A",  "a",  "Z",  "z"};

std::string_view name_at(std::string_view text) {
  for (auto name : names)
    if (text.starts_with(name)) return name;
  return {};
}

bool is_letter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
}

Error wrong_format(std::string_view text) {
  return {
      ErrorCode::invalid_parameter,
      fmt::format("\"{}\" is no format of a time. Write iso8601, epoch, epoch_s, epoch_ms, or a "
                  "pattern with YYYY, MM and DD, such as DD/MM/YYYY HH:mm:ss or MMMM D, YYYY. "
                  "A pattern has: {}; other letters are in brackets: [at].",
                  text, fmt::join(names, ", "))};
}

bool begins_with(std::string_view name, char letter) {
  return name.starts_with(letter);
}

}  // namespace

Result<TimeFormat> TimeFormat::parse(std::string_view text) {
  constexpr std::pair<std::string_view, Kind> kinds[] = {{"iso8601", Kind::iso8601},
                                                         {"epoch", Kind::epoch},
                                                         {"epoch_s", Kind::epoch_s},
                                                         {"epoch_ms", Kind::epoch_ms}};
  TimeFormat format;
  for (auto [name, kind] : kinds) {
    if (text != name) continue;
    format.kind_ = kind;
    return format;
  }
  if (parse_iso_time(text)) {
    format.example_ = text;
    return format;
  }
  format.kind_ = Kind::pattern;
  auto add_literal = [&](std::string_view literal) {
    bool behind = !format.parts_.empty() && format.parts_.back().literal;
    if (!behind) format.parts_.push_back({true, {}});
    format.parts_.back().text += literal;
  };
  for (auto left = text; !left.empty();) {
    auto name = name_at(left);
    auto size = name.empty() ? 1 : name.size();
    if (!name.empty()) {
      format.parts_.push_back({false, std::string(name)});
    } else if (left.front() == '[') {
      size = left.find(']') + 1;
      if (size == 0) return wrong_format(text);
      add_literal(left.substr(1, size - 2));
    } else if (is_letter(left.front()) && left.front() != 'T') {
      return wrong_format(text);
    } else {
      add_literal(left.substr(0, 1));
    }
    left.remove_prefix(size);
  }
  for (char needed : {'Y', 'M', 'D'}) {
    bool has = std::any_of(format.parts_.begin(), format.parts_.end(), [&](const Part& part) {
      return !part.literal && begins_with(part.text, needed);
    });
    if (!has) return wrong_format(text);
  }
  return format;
}

bool is_no_date(std::string_view text) {
  return text.empty() || text.starts_with("0000-00-00") || text.starts_with("0001-01-01");
}

}  // namespace quire
