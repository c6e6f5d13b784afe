#include "mapping/presets/proposed_attributes.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "mapping/columns/personal.h"
#include "mapping/columns/status_column.h"
#include "mapping/presets/scores.h"
#include "mapping/presets/written_times.h"
#include "mapping/values/flag.h"
#include "model/attributes.h"

namespace quire {
namespace {

constexpr std::size_t max_words = 50;  // different ones, of an attribute that is a text
constexpr std::size_t max_attributes = 32;

// Why everybody may not read the column. Empty: nothing says so.
std::string reason_against(const FileColumn& column) {
  for (std::string_view word : {"location", "city", "country", "region", "place", "geo", "latitude",
                                "longitude", "lat", "lng", "zip", "avatar", "gravatar"})
    if (column.has(word)) return fmt::format("personal: its name has \"{}\"", word);
  for (std::string_view word : {"full", "first", "last", "sur", "real"})
    if (column.has(word) && column.has("name")) return "personal: a name";
  if (column.has_any({"surname", "firstname", "lastname", "fullname"})) return "personal: a name";
  auto reason = personal_reason(column.column);
  bool name = author_score(column) > 0 && !column.has("by") && !column.column.values.empty();
  return reason.empty() && name ? "personal: a name" : reason;
}

bool is_whole(std::string_view text) {
  auto number = number_in(text);
  return number && std::abs(*number) < 9e15 && std::trunc(*number) == *number;
}

bool is_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == text.npos;
}

// Whether each value is a word for yes or no. 1 and 0 are it where the name is one of a flag.
bool is_flag(const FileColumn& column) {
  bool named = column.has_any({"is", "has", "was", "verified", "recommended", "recommend",
                               "recommends", "anonymous", "incentivized", "featured", "pinned"});
  bool words = column.column.all([](const auto& text) { return flag_of(text).has_value(); });
  return words && (named || !column.column.all(is_digits));
}

bool is_count(const FileColumn& column) {
  return column.has_any({"helpful", "votes", "vote", "likes", "upvotes", "downvotes", "up", "down",
                         "positive", "negative", "useful", "count"});
}

// Why the column is no attribute, though it is about nobody. Empty: it is one.
std::string reason_to_leave(const FileColumn& column) {
  const auto& values = column.column.values;
  std::set<std::string_view> different(values.begin(), values.end());
  if (values.empty()) return "empty here";
  if (is_of_reply(column)) return "of the reply, or of a visitor's answer";
  if (column.has_any({"product", "products", "item", "brand", "brands"})) return "of the product";
  if (column.has_any({"id", "ids", "uuid", "guid"})) return "an id";
  if (written_times(column.column)) return "times";
  if (column.has_any({"date", "time", "timestamp"})) return "times in a form that is not known";
  if (status_values(column.column)) return "it may say that some are not shown";
  if (is_flag(column)) return {};
  if (column.column.mostly(is_whole)) return is_count(column) ? "" : "numbers";
  if (values.front().find("://") != std::string::npos) return "addresses";
  if (!column.column.all([](const auto& text) { return is_attribute_text(text); }))
    return "long texts";
  bool few = different.size() <= max_words && 2 * different.size() <= values.size() + 4;
  return few ? "" : "too many different texts";
}

std::string_view type_of(const FileColumn& column) {
  if (is_flag(column)) return "flag";
  return column.column.mostly(is_whole) ? "number" : "text";
}

// "helpful" of helpful.0, "verified" of commentmeta[meta_key=verified].meta_value.
std::string own_name(const FileColumn& column) {
  static const std::set<std::string_view> fields = {"id",     "product",    "language", "rating",
                                                    "author", "created_at", "title",    "text",
                                                    "status", "source_id",  "pictures"};
  std::string_view path = column.column.name;
  if (path.ends_with(".0")) path.remove_suffix(2);
  auto last = path.rfind('.');
  if (last != path.npos && is_digits(path.substr(last + 1))) last = path.rfind('.', last - 1);
  if (column.list.empty() && last != path.npos) path.remove_prefix(last + 1);
  auto pair = column.column.name.find('='), end = column.column.name.find(']', pair);
  if (pair != std::string::npos && end != std::string::npos)
    path = std::string_view(column.column.name).substr(pair + 1, end - pair - 1);
  auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  while (!path.empty() && !is_letter(path.front())) path.remove_prefix(1);  // "@" of XML
  while (!path.empty() && !is_letter(path.back())) path.remove_suffix(1);
  auto own = attribute_name(path, "file_");
  return fields.contains(own) ? "file_" + own : own;
}

}  // namespace

std::string propose_attributes(const std::vector<FileColumn>& columns,
                               const std::set<const FileColumn*>& used) {
  std::string lines, left;
  std::set<std::string> names;
  for (const auto& column : columns) {
    if (used.contains(&column) || column.around) continue;
    auto own = own_name(column);
    auto reason = reason_against(column);
    if (!reason.empty()) {
      lines += fmt::format("# {} = {{ column = {} }}  # {}\n", own.empty() ? "name" : own,
                           quoted(column.column.name), reason);
      continue;
    }
    auto why = reason_to_leave(column);
    bool taken = own.empty() || names.contains(own) || names.size() == max_attributes;
    if (why.empty() && taken) why = "no name is left for it";
    if (!why.empty()) {
      left += fmt::format("#   {}: {}\n", quoted(column.column.name), why);
      continue;
    }
    names.insert(own);
    lines += fmt::format("{} = {{ column = {}, type = \"{}\" }}\n", own, quoted(column.column.name),
                         type_of(column));
  }
  std::string out;
  if (!lines.empty()) out += "\n# Everybody sees attributes.\n[attributes]\n" + lines;
  if (!left.empty()) out += "\n# Not placed:\n" + left;
  return out;
}

}  // namespace quire
