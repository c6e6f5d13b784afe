#include "mapping/field_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "mapping/path.h"
#include "mapping/pictures.h"
#include "mapping/values/rating.h"
#include "mapping/values/status.h"
#include "mapping/values/words.h"
#include "model/validate.h"

namespace quire {
namespace {

// Puts the part of a text that fits a pattern into `out`.
bool fit(const MappedField& field, std::string text, Found& out) {
  if (text.empty()) return false;
  if (field.patterns.empty()) {
    out.text = std::move(text);
    return true;
  }
  for (const auto& pattern : field.patterns) {
    auto part = pattern.value_in(text);
    if (!part) continue;
    out.text = trimmed(*part);
    if (!out.text.empty()) return true;
  }
  if (out.unfit.empty()) out.unfit = std::move(text);
  return false;
}

Found found_unless(const Record& record, const MappedField& field,
                   bool (*is_none)(std::string_view)) {
  Found out;
  for (const auto& column : field.columns) {
    each_at(record, column, [&](const boost::json::value& value) {
      auto text = text_of(value);
      if (!text) return false;
      auto clean = field.html ? html_text(*text) : cleaned(*text);
      return !is_none(clean) && fit(field, std::move(clean), out);
    });
    if (!out.text.empty()) break;
  }
  return out;
}

// The meaning of a word. Null: it is not listed, and nor are others.
const std::string* meaning_of(const MappedField& field, std::string_view word) {
  auto listed = field.values.find(word);
  if (listed == field.values.end() && !word.empty()) listed = field.values.find("*");
  return listed == field.values.end() ? nullptr : &listed->second;
}

std::string max_of(const Record& record, const MappedField& field) {
  if (!field.max_is_column) return field.max;
  return found_in(record, {.columns = {field.max}}).text;
}

std::string_view sentence_of(NoRating why) {
  switch (why) {
    case NoRating::no_number:
      return "The rating is no number";
    case NoRating::zero:
      return "The rating is not above 0";
    case NoRating::above:
      return "The rating is above the greatest, which max tells";
    case NoRating::half:
      return R"(The rating is between two of 1 to 5; write round = "up" or round = "down")";
    case NoRating::no_scale:
      return "The greatest rating is no number above 0, so there is no scale for the rating";
  }
  return {};
}

std::string_view sentence_of(NoTime why, bool has_format) {
  switch (why) {
    case NoTime::wrong:
      return has_format ? "The date is not as its format says"
                        : R"(The date needs a format, such as format = "MMMM D, YYYY")";
    case NoTime::impossible:
      return "There is no such day, or no such time of day";
    case NoTime::outside:
      return "The date is not from 1970 to 9999";
    case NoTime::two_meanings:
      return R"(The date has two meanings; write format = "DD/MM/YYYY" or format = "MM/DD/YYYY")";
    case NoTime::number:
      return R"(The date is a number; write format = "epoch")";
  }
  return {};
}

// Whether the text fits one of these, or there are none.
template <class Fits>
bool fits_one(const std::vector<std::string>& wanted, Fits fits) {
  return wanted.empty() || std::any_of(wanted.begin(), wanted.end(), fits);
}

bool holds(const Record& record, const MappedWhen& when) {
  bool there = false;
  std::string text;
  for (const auto& column : when.columns) {
    each_at(record, column, [&](const boost::json::value& value) {
      auto found = text_of(value);
      if (!found) return false;
      there = true;
      text = cleaned(*found);
      return !text.empty();
    });
    if (!text.empty()) break;
  }
  if (!there) return when.begins.empty() && when.ends.empty() && when.is.empty();
  return fits_one(when.begins, [&](const auto& each) { return text.starts_with(each); }) &&
         fits_one(when.ends, [&](const auto& each) { return text.ends_with(each); }) &&
         fits_one(when.is, [&](const auto& each) { return text == each; }) &&
         std::find(when.none.begin(), when.none.end(), text) == when.none.end();
}

}  // namespace

Reason reason_of(std::string_view sentence, std::string_view value) {
  auto begin = shortened(value);
  return fmt::format("{}: \"{}{}\".", sentence, begin, begin.size() < value.size() ? "…" : "");
}

Found found_in(const Record& record, const MappedField& field) {
  return found_unless(record, field, [](std::string_view text) { return text.empty(); });
}

std::string worded(std::string text, const MappedField& field) {
  if (const auto* meaning = meaning_of(field, text)) text = *meaning;
  if (field.replace)
    text = cleaned(replaced(std::move(text), field.replace->first, field.replace->second));
  return text;
}

std::string prose_in(const Record& record, const std::optional<MappedField>& field, bool defaults) {
  if (!field) return {};
  auto text = worded(found_in(record, *field).text, *field);
  if (text.empty() && defaults) text = field->fallback.value_or("");
  return text;
}

std::vector<std::string> texts_in(const Record& record, const MappedField& field) {
  std::vector<std::string> texts;
  for (const auto& column : field.columns) {
    each_at(record, column, [&](const boost::json::value& value) {
      auto text = text_of(value);
      Found found;
      if (text && fit(field, field.html ? html_text(*text) : cleaned(*text), found))
        texts.push_back(worded(std::move(found.text), field));
      return false;
    });
    std::erase(texts, "");
    if (!texts.empty()) return texts;
  }
  if (field.fallback) texts.push_back(*field.fallback);
  return texts;
}

std::optional<std::uint64_t> FoundTime::ms() const {
  const auto* found = std::get_if<std::uint64_t>(&time);
  return found && !text.empty() ? std::optional(*found) : std::nullopt;
}

FoundTime time_in(const Record& record, const MappedField& field, const Zone& zone) {
  auto found = found_unless(record, field, is_no_date);
  if (found.text.empty()) return {std::move(found.unfit)};
  auto time = time_in(found.text, field.formats, field.zone.value_or(zone));
  return {std::move(found.text), time};
}

Reason read_time(const Record& record, const MappedField& field, const Zone& zone,
                 std::uint64_t& out) {
  auto found = time_in(record, field, zone);
  if (is_no_date(found.text)) {
    if (!field.fallback) return "There is no date, and created_at has no default.";
    found = {*field.fallback, time_in(*field.fallback, field.formats, field.zone.value_or(zone))};
    if (!found.ms()) found.time = time_in(*field.fallback, {}, field.zone.value_or(zone));
  }
  auto ms = found.ms();
  if (!ms)
    return reason_of(sentence_of(std::get<NoTime>(found.time), !field.formats.empty()), found.text);
  out = *ms;
  return {};
}

Reason read_rating(const Record& record, const MappedField& field, int& out) {
  auto found = found_in(record, field);
  auto text = std::move(found.text);
  bool scaled = field.values.empty();
  if (!text.empty() && !scaled) {
    const auto* meaning = meaning_of(field, text);
    if (!meaning) return reason_of("The rating is a word that its values do not list", text);
    text = *meaning;
  }
  if (text.empty() && !found.unfit.empty() && !field.fallback)
    return reason_of("The rating is not of the pattern", found.unfit);
  if (text.empty()) {
    if (!field.fallback) return "There is no rating.";
    text = *field.fallback;
    scaled = false;
  }
  auto rating = rating_of(text, scaled ? max_of(record, field) : "5", field.rounding);
  if (const auto* why = std::get_if<NoRating>(&rating)) return reason_of(sentence_of(*why), text);
  out = std::get<int>(rating);
  return {};
}

// Of a record without a word the default, or else what any other word means.
Reason read_status(const Record& record, const std::optional<MappedField>& field, Moderation& out) {
  out = {};
  if (!field) return {};
  auto word = found_in(record, *field).text;
  const auto* meaning = meaning_of(*field, word);
  if (word.empty() && !meaning && field->fallback) meaning = &*field->fallback;
  if (word.empty() && !meaning) meaning = meaning_of(*field, "*");
  if (word.empty() && !meaning) return {};
  if (!meaning && !field->values.empty())
    return reason_of("The status is a word that its values do not list", word);
  auto status = status_of_word(meaning ? *meaning : word);
  if (!status)
    return reason_of("The status is not published, pending or rejected; list it in values", word);
  out = std::move(*status);
  return {};
}

bool admits(const Record& record, const std::vector<MappedWhen>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const MappedWhen& when) { return holds(record, when); });
}

}  // namespace quire
