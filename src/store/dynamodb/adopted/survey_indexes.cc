#include "store/dynamodb/adopted/survey_indexes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "store/dynamodb/adopted/columns.h"
#include "store/dynamodb/adopted/mapping/reading.h"
#include "store/dynamodb/adopted/records.h"

namespace quire::adopted {
namespace {

using dynamodb::Item;

// The texts with a placeholder where each of them has the value; one for each such place.
std::vector<std::string> replaced(const std::vector<std::string>& texts, std::string_view value,
                                  std::string_view placeholder) {
  std::vector<std::string> out;
  for (const auto& text : texts)
    for (auto at = text.find(value); at != text.npos; at = text.find(value, at + 1))
      out.emplace_back(text).replace(at, value.size(), placeholder);
  return out;
}

// How the key may be made of the comment's product and these facets. Some are no patterns.
std::vector<std::string> patterns_of(std::string_view key, const Comment& comment,
                                     const FacetSet& keyed) {
  auto out = replaced({std::string(key)}, comment.product, "{product}");
  if (keyed[language_facet]) out = replaced(out, comment.language, "{language}");
  if (keyed[rating_facet]) out = replaced(out, std::to_string(comment.rating), "{rating}");
  return out;
}

// How the texts of an attribute are made of product, language and rating, of as many as they can
// be. Empty: not of them alone.
std::string key_pattern(const Mapping& mapping, const KeyNames& names,
                        const std::vector<Item>& comments, const std::string& attribute) {
  std::vector<std::pair<std::string_view, Comment>> keys;
  for (const auto& item : comments) {
    auto reading = read_item(mapping, names, item);
    auto key = item.find(attribute);
    if (!reading.comment) continue;
    if (key == item.end()) return {};
    keys.emplace_back(key->second.text, std::move(*reading.comment));
  }
  if (keys.empty()) return {};
  for (auto index = indexes.rbegin(); index != indexes.rend(); ++index) {
    for (auto& pattern : patterns_of(keys.front().first, keys.front().second, index->keyed)) {
      auto made = KeyPattern::parse(pattern);
      bool fits =
          made && std::all_of(keys.begin(), keys.end(), [&](const auto& each) {
            const auto& [text, comment] = each;
            return made->key_of(comment.product, cell(comment.language, comment.rating)) == text;
          });
      if (fits) return pattern;
    }
  }
  return {};
}

// A sort key of the sample with which pages by time would be wrong.
std::optional<std::string> unsorted(const Mapping& mapping, const KeyNames& names,
                                    const std::vector<Item>& comments, const std::string& time) {
  for (const auto& item : comments) {
    auto reading = read_item(mapping, names, item);
    auto key = item.find(time);
    if (reading.comment && !sorts_by_time(mapping, key->second, *reading.comment))
      return key->second.text;
  }
  return {};
}

}  // namespace

KeyNames key_names(const dynamodb::TableDescription& table) {
  KeyNames names{table.keys.front().name};
  if (table.keys.size() > 1) names.sort = table.keys[1].name;
  return names;
}

std::string propose_indexes(const Mapping& mapping, const dynamodb::TableDescription& table,
                            const std::vector<Item>& comments, const std::string& product,
                            const std::string& time) {
  auto names = key_names(table);
  std::map<FacetSet, std::string> found;
  auto add = [&](const std::string& name, const std::vector<dynamodb::Key>& keys) {
    if (keys.size() != 2 || keys[0].type != "S" || keys[1].name != time) return;
    auto pattern =
        keys[0].name == product ? "{product}" : key_pattern(mapping, names, comments, keys[0].name);
    if (pattern.empty()) return;
    auto text = name.empty() ? "\n# The table itself is sorted by time.\n[[index]]\n"
                             : fmt::format("\n[[index]]\nname = {}\n", quoted(name));
    if (keys[0].name != product)
      text += fmt::format("key = {{ attribute = {}, pattern = {} }}\n", quoted(keys[0].name),
                          quoted(pattern));
    found.emplace(KeyPattern::parse(pattern).value().keyed(), text);
  };
  add("", table.keys);
  for (const auto& each : table.indexes) add(each.name, each.keys);
  if (!found.contains(FacetSet{})) return {};
  if (auto odd = unsorted(mapping, names, comments, time))
    return fmt::format(
        "\n# There is no [[index]]: {} does not sort by its time among the others.\n",
        quoted(*odd));
  std::string out;
  for (const auto& [keyed, text] : found) out += text;
  return out;
}

}  // namespace quire::adopted
