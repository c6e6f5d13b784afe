// What a query asks of one comment, by the letter of the interface: with nothing of the code that
// is tested.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quire/comment.h"
#include "quire/facet.h"
#include "quire/page.h"
#include "words/question.h"
#include "words/stemmers.h"
#include "words/terms.h"

namespace quire {

inline Facet facet_named(const std::vector<Facet>& declared, const std::string& name) {
  if (name == "language") return {name, FacetType::choice};
  if (name == "rating") return {name, FacetType::number};
  for (const auto& facet : declared)
    if (facet.name == name) return facet;
  throw std::out_of_range(name);
}

// The number that a comment has in a facet.
inline std::optional<std::int64_t> number_of(const Comment& comment, const std::string& facet) {
  if (facet == "rating") return comment.rating;
  auto found = comment.attributes.find(facet);
  if (found == comment.attributes.end()) return {};
  const auto* number = std::get_if<std::int64_t>(&found->second);
  return number ? std::optional(*number) : std::nullopt;
}

// The values that a comment has in a facet, as texts: none, one, or of tags several.
inline std::vector<std::string> texts_of(const Comment& comment, const Facet& facet) {
  if (facet.name == "language") return {comment.language};
  auto found = comment.attributes.find(facet.name);
  if (facet.type == FacetType::number) {
    auto number = number_of(comment, facet.name);
    if (number) return {std::to_string(*number)};
    return {};
  }
  if (found == comment.attributes.end()) return {};
  const auto* flag = std::get_if<bool>(&found->second);
  const auto* text = std::get_if<std::string>(&found->second);
  const auto* tags = std::get_if<std::vector<std::string>>(&found->second);
  if (facet.type == FacetType::flag && flag) return {*flag ? "true" : "false"};
  if (facet.type == FacetType::tags && tags) return *tags;
  if (facet.type != FacetType::choice || !text) return {};
  const auto& closed = facet.values;
  bool known = closed.empty() || std::find(closed.begin(), closed.end(), *text) != closed.end();
  if (known) return {*text};
  return {};
}

inline bool meets(const Comment& comment, const Facet& facet, const FacetFilter& wanted) {
  auto texts = texts_of(comment, facet);
  auto has = [&](const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  };
  if (!wanted.any_of.empty() && std::none_of(wanted.any_of.begin(), wanted.any_of.end(), has))
    return false;
  if (std::any_of(wanted.none_of.begin(), wanted.none_of.end(), has)) return false;
  if (!std::all_of(wanted.all_of.begin(), wanted.all_of.end(), has)) return false;
  if (!wanted.min && !wanted.max) return true;
  auto number = number_of(comment, facet.name);
  return number && (!wanted.min || *wanted.min <= *number) &&
         (!wanted.max || *number <= *wanted.max);
}

// A store that has had comments of all the languages of tests looks for words by their stemmers.
inline bool has_words(const Comment& comment, const std::string& asked) {
  if (asked.empty()) return true;
  words::Stemmers stemmers = 0;
  for (auto language : {"en", "de", "ar", "und"})
    stemmers |= words::only(words::stemmer_of(language));
  static words::Terms terms;
  return words::matches(words::parse_question(asked, stemmers).value(),
                        terms.of(comment.title, comment.text, comment.language));
}

// Whether a query selects a comment. `but`: the conditions on this facet are left aside.
inline bool selects(const Query& query, const std::vector<Facet>& declared, const Comment& comment,
                    const std::string& but = {}) {
  auto has = [](const auto& wanted, const auto& value) {
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
  };
  if (comment.product != query.product) return false;
  if (but != "language" && !has(query.languages, comment.language)) return false;
  if (but != "rating" && !has(query.ratings, comment.rating)) return false;
  if (!has_words(comment, query.words)) return false;
  return std::all_of(query.facets.begin(), query.facets.end(), [&](const FacetFilter& wanted) {
    return wanted.facet == but || meets(comment, facet_named(declared, wanted.facet), wanted);
  });
}

// Whether `a` comes before `b` in the order of a query.
inline bool precedes(const Comment& a, const Comment& b, const Query& query) {
  if (query.sort == Sort::oldest) return a.id < b.id;
  if (query.sort == Sort::newest) return a.id > b.id;
  auto first = number_of(a, query.sort_facet), second = number_of(b, query.sort_facet);
  if (first.has_value() != second.has_value()) return first.has_value();
  if (first != second) return query.sort == Sort::highest ? *first > *second : *first < *second;
  return a.id > b.id;
}

}  // namespace quire
