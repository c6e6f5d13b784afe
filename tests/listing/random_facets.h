// Random schemas, and comments and queries for them. Few values, so that filters meet.
#pragma once

#include <random>
#include <set>

#include "listing/model.h"
#include "store/support.h"

namespace quire {

class RandomFacets {
 public:
  // `words`: queries have words.
  RandomFacets(std::uint64_t seed, std::size_t facets, bool words = false)
      : random_(seed), words_(words) {
    for (std::size_t i = 0; i < facets; ++i) {
      declared_.push_back({"facet" + std::to_string(i), static_cast<FacetType>(below(4))});
      if (declared_.back().type == FacetType::choice && below(2))
        declared_.back().values = {"v0", "v1", "v2"};
    }
  }

  const std::vector<Facet>& declared() const { return declared_; }
  std::size_t below(std::size_t end) { return random_() % end; }
  std::mt19937_64& random() { return random_; }

  // Few distinct times, so that many comments share one; English and 5 are frequent, as in life.
  Comment comment(std::string product = "42") {
    auto comment = comment_at(1000 + below(40), ++made_ * 7919 % 1'000'003, language(), rating(),
                              std::move(product));
    for (const auto& facet : declared_) change_attribute(comment, facet);
    if (words_) comment.text = some_words(below(8));
    return comment;
  }

  // One in each language that comments have.
  std::vector<Comment> of_each_language() {
    std::vector<Comment> all;
    for (const auto& each : languages) {
      all.push_back(comment());
      all.back().language = each;
    }
    return all;
  }

  // Gives one facet of the comment another value, or the comment another text.
  void change(Comment& comment) {
    if (words_ && below(2)) comment.text = some_words(below(8));
    auto one = below(declared_.size() + 2);
    if (one == declared_.size()) comment.language = language();
    if (one > declared_.size()) comment.rating = rating();
    if (one < declared_.size()) change_attribute(comment, declared_[one]);
  }

  Query query(std::string product = "42") {
    Query query{.product = std::move(product)};
    if (below(3) == 0)
      for (auto count = below(3); count > 0; --count) query.languages.push_back(language());
    if (below(3) == 0)
      for (auto count = below(4); count > 0; --count) query.ratings.push_back(rating());
    for (auto count = below(4); count > 0; --count) {
      auto wanted = condition();
      auto same = [&](const FacetFilter& each) { return each.facet == wanted.facet; };
      if (std::none_of(query.facets.begin(), query.facets.end(), same))
        query.facets.push_back(std::move(wanted));
    }
    if (words_ && below(4)) query.words = some_words(1 + below(3));
    query.limit = 1 + below(below(2) ? 5 : 100);
    query.sort = static_cast<Sort>(below(4));
    std::vector<std::string> numbers = {"rating"};
    for (const auto& facet : declared_)
      if (facet.type == FacetType::number) numbers.push_back(facet.name);
    query.sort_facet = numbers[below(numbers.size())];
    return query;
  }

 private:
  // The first ones are frequent, and the last ones rare.
  std::string some_words(std::size_t count) {
    constexpr std::string_view vocabulary[] = {"a",      "fits",    "zipper",  "Fit",    "passt",
                                               "größe",  "zippers", "كتاب",    "passen", "Grössen",
                                               "지퍼가", "지퍼",    "والكتاب", "性价比", "性价"};
    std::string text;
    for (; count > 0; --count)
      text.append(vocabulary[below(1 + below(std::size(vocabulary)))]).append(" ");
    return text;
  }

  std::string language() { return below(3) ? "en" : languages[below(languages.size())]; }
  int rating() { return below(3) ? 5 : static_cast<int>(below(5)) + 1; }
  std::string text() { return "v" + std::to_string(below(below(4) ? 4 : 200)); }

  // Exact codes, wide codes and both signs.
  std::int64_t number() {
    constexpr std::int64_t spans[] = {3, 40, 1000, std::int64_t{1} << 40};
    auto span = spans[below(4)];
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(2 * span)) - span / 2;
  }

  AttributeValue value(FacetType type) {
    if (type == FacetType::flag) return below(2) == 0;
    if (type == FacetType::choice) return text();
    if (type == FacetType::number) return number();
    std::set<std::string> tags;
    for (auto count = 1 + below(3); count > 0; --count) tags.insert(text());
    return std::vector<std::string>(tags.begin(), tags.end());
  }

  void change_attribute(Comment& comment, const Facet& facet) {
    comment.attributes.erase(facet.name);
    if (below(4) == 0) return;
    // Comments that are older than a facet may have values of another type.
    auto type = below(30) ? facet.type : static_cast<FacetType>(below(4));
    comment.attributes.emplace(facet.name, value(type));
  }

  FacetFilter condition() {
    auto one = below(declared_.size() + 2);
    auto facet = one < declared_.size()    ? declared_[one]
                 : one == declared_.size() ? Facet{"language", FacetType::choice}
                                           : Facet{"rating", FacetType::number};
    FacetFilter wanted{facet.name};
    auto some = [&](std::vector<std::string>& values) {
      for (auto count = 1 + below(2); count > 0; --count) values.push_back(text_for(facet));
    };
    auto kind = below(facet.type == FacetType::number ? 6 : 4);
    if (kind == 0 || kind == 2) some(wanted.any_of);
    if (kind == 1 || kind == 2) some(wanted.none_of);
    if (kind == 3 && facet.type == FacetType::tags) some(wanted.all_of);
    if (facet.name == "rating" && kind > 3) wanted.min = 1 + static_cast<int>(below(6));
    if (facet.name == "rating") return wanted;
    if (kind == 4 || kind == 5) wanted.min = number();
    if (kind == 5) wanted.max = *wanted.min + static_cast<std::int64_t>(below(100));
    return wanted;
  }

  std::string text_for(const Facet& facet) {
    if (facet.name == "language") return language();
    if (facet.name == "rating") return std::to_string(rating());
    if (facet.type == FacetType::flag) return below(2) ? "true" : "false";
    if (facet.type == FacetType::number) return std::to_string(number());
    if (!facet.values.empty()) return facet.values[below(facet.values.size())];
    return text();
  }

  std::mt19937_64 random_;
  bool words_;
  std::vector<Facet> declared_;
  std::uint64_t made_ = 0;
};

}  // namespace quire
