// A store whose comments have facets, beside a plain vector with which every answer is compared.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "base/rounds.h"
#include "listing/random_facets.h"
#include "loop/loop.h"
#include "model/document.h"
#include "service/comments.h"

namespace quire {

class FacetWorld {
 public:
  FacetWorld(Store& store, std::unique_ptr<ListingMaker> listings, RandomFacets& random)
      : store_(store),
        comments_(store, std::move(listings), Seal({Seal::Key{1, 2, 3}})),
        random_(random) {
    model_.facets = random.declared();
    for (const auto& facet : random.declared()) EXPECT_TRUE(wait(comments_.declare(facet)));
  }

  PlainModel& model() { return model_; }
  Comments& comments() { return comments_; }

  void insert(const std::vector<Comment>& comments) {
    EXPECT_TRUE(wait(store_.insert_many(comments)));
    for (const auto& comment : comments) model_.insert(comment);
  }

  void write_something(const std::string& product = "42");

  // Compares a page by number, its neighbours by cursor, a page that skips, the number of a
  // comment's page, the counts of all facets, and the statistics. Returns how many comparisons
  // that were.
  int compare(Query query);

 private:
  std::size_t below(std::size_t end) { return random_.below(end); }
  FoundPage page(const Query& query) { return std::move(wait(comments_.page(query))).value(); }
  static std::vector<Ulid> ids(const FoundPage& page) {
    std::vector<Ulid> out;
    for (const auto& row : page.rows) out.push_back(decode_document(row.document).value().id);
    return out;
  }
  static std::vector<Ulid> part(const std::vector<Comment>& all, std::size_t from,
                                std::size_t limit) {
    std::vector<Ulid> out;
    for (auto i = from; i < std::min(all.size(), from + limit); ++i) out.push_back(all[i].id);
    return out;
  }
  void expect_page(const FoundPage& page, const Query& query, const std::vector<Comment>& all,
                   std::size_t from);
  void compare_neighbours(Query query, const FoundPage& page, const std::vector<Comment>& all,
                          std::size_t from);
  void compare_places(const Query& query, const std::vector<Comment>& all);
  void compare_counts(const Query& query, const std::vector<FacetCounts>& counted);
  void compare_values(const FacetCounts& counted, const std::vector<const Comment*>& selected);
  void compare_statistics(const Query& query);

  Store& store_;
  Comments comments_;
  RandomFacets& random_;
  PlainModel model_;
};

inline void FacetWorld::write_something(const std::string& product) {
  auto choice = below(10);
  if (choice < 5 || model_.size() == 0) return insert({random_.comment(product)});
  Comment& comment = model_.at(below(model_.size()));
  if (choice < 8) {
    Comment before = comment;
    random_.change(comment);
    Patch patch{.language = comment.language, .rating = comment.rating};
    patch.text = comment.text;
    for (const auto& [name, value] : before.attributes) patch.attributes[name] = std::nullopt;
    for (const auto& [name, value] : comment.attributes) patch.attributes[name] = value;
    ASSERT_TRUE(wait(store_.update(comment.id, patch)));
  } else {
    Ulid id = comment.id;
    ASSERT_TRUE(wait(store_.remove(id)));
    model_.remove(id);
  }
}

inline int FacetWorld::compare(Query query) {
  auto all = model_.comments(query);
  auto pages = std::max<std::size_t>(1, (all.size() + query.limit - 1) / query.limit);
  auto number = below(pages);
  query.page = number + 1;
  query.counts = true;
  FoundPage found = page(query);
  expect_page(found, query, all, number * query.limit);
  compare_counts(query, found.facets);
  query.counts = false;
  compare_neighbours(query, found, all, number * query.limit);
  query.page = pages + 1;
  EXPECT_EQ(wait(comments_.page(query)).error().code, ErrorCode::page_out_of_range);
  query.page.reset();
  if (!all.empty()) {
    query.skip = below(all.size());
    expect_page(page(query), query, all, *query.skip);
    query.skip.reset();
  }
  compare_places(query, all);
  compare_statistics(query);
  return 8;
}

// The page that begins with the `from`-th comment.
inline void FacetWorld::expect_page(const FoundPage& page, const Query& query,
                                    const std::vector<Comment>& all, std::size_t from) {
  ASSERT_EQ(ids(page), part(all, from, query.limit));
  ASSERT_EQ(page.total, all.size());
  ASSERT_TRUE(page.number);
  EXPECT_EQ(page.number->number, from / query.limit + 1);
  EXPECT_EQ(page.number->count,
            std::max<std::size_t>(1, (all.size() + query.limit - 1) / query.limit));
  EXPECT_EQ(page.number->whole, from % query.limit == 0);
  EXPECT_EQ(page.previous.has_value(), from > 0);
  EXPECT_EQ(page.next.has_value(), from + query.limit < all.size());
}

inline void FacetWorld::compare_neighbours(Query query, const FoundPage& page,
                                           const std::vector<Comment>& all, std::size_t from) {
  query.page.reset();
  if (page.next) {
    query.after = page.next;
    expect_page(this->page(query), query, all, from + query.limit);
    query.after.reset();
  }
  if (!page.previous) return;
  query.before = page.previous;
  FoundPage before = this->page(query);
  expect_page(before, query, all, from - query.limit);
  query.before.reset();
  query.after = before.next;
  expect_page(this->page(query), query, all, from);
}

inline void FacetWorld::compare_places(const Query& query, const std::vector<Comment>& all) {
  if (!all.empty()) {
    auto n = below(all.size());
    EXPECT_EQ(wait(comments_.page_of(all[n].id, query)).value().number, n / query.limit + 1);
  }
  if (model_.size() == 0) return;
  const Comment& any = model_.at(below(model_.size()));
  Query of_any = query;
  of_any.product = any.product;
  auto place = wait(comments_.page_of(any.id, query));
  EXPECT_EQ(place.ok(), selects(of_any, model_.facets, any));
}

inline void FacetWorld::compare_counts(const Query& query,
                                       const std::vector<FacetCounts>& counted) {
  ASSERT_EQ(counted.size(), model_.facets.size() + 2);
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const char* first[] = {"language", "rating"};
    ASSERT_EQ(counted[i].facet, i < 2 ? first[i] : model_.facets[i - 2].name);
    std::vector<const Comment*> selected;
    for (const auto& comment : model_.all())
      if (selects(query, model_.facets, comment, counted[i].facet)) selected.push_back(&comment);
    compare_values(counted[i], selected);
    if (testing::Test::HasFatalFailure()) return;
  }
}

inline void FacetWorld::compare_values(const FacetCounts& counted,
                                       const std::vector<const Comment*>& selected) {
  auto facet = facet_named(model_.facets, counted.facet);
  std::map<std::string, std::uint64_t> expected;
  std::vector<std::int64_t> numbers;
  std::uint64_t comments = 0;
  for (const Comment* comment : selected) {
    auto texts = texts_of(*comment, facet);
    comments += !texts.empty();
    for (const auto& text : texts) ++expected[text];
    if (facet.type != FacetType::number) continue;
    if (auto number = number_of(*comment, facet.name)) numbers.push_back(*number);
  }
  EXPECT_EQ(counted.comments, comments);
  if (facet.type == FacetType::number) {
    if (numbers.empty()) numbers.push_back(0);
    EXPECT_EQ(counted.min, *std::min_element(numbers.begin(), numbers.end()));
    EXPECT_EQ(counted.max, *std::max_element(numbers.begin(), numbers.end()));
    if (facet.name != "rating") expected.clear();
  }
  std::map<std::string, std::uint64_t> values(counted.values.begin(), counted.values.end());
  EXPECT_EQ(values.size(), counted.values.size()) << "each value once";
  EXPECT_EQ(values.size(), std::min<std::size_t>(100, expected.size()));
  std::uint64_t least = ~std::uint64_t{0};
  for (const auto& [value, comments] : values) {
    EXPECT_EQ(comments, expected[value]) << facet.name << " " << value;
    least = std::min(least, comments);
  }
  for (const auto& [value, comments] : expected)
    EXPECT_TRUE(values.contains(value) || comments <= least) << value;
}

inline void FacetWorld::compare_statistics(const Query& query) {
  auto found = std::move(wait(comments_.statistics(query))).value();
  RatingCounts ratings{};
  std::map<std::string, std::uint64_t> of_languages;
  Query newest = query;
  newest.sort = Sort::newest;
  std::string latest, positive, critical;
  auto take = [](std::string& to, const Comment& comment) {
    if (to.empty()) to = encode_document(comment);
  };
  for (const auto& comment : model_.comments(newest)) {
    ++ratings[static_cast<std::size_t>(comment.rating - 1)];
    ++of_languages[comment.language];
    take(latest, comment);
    if (comment.rating > 3) take(positive, comment);
    if (comment.rating < 3) take(critical, comment);
  }
  EXPECT_EQ(found.ratings, ratings);
  using Languages = std::vector<std::pair<std::string, std::uint64_t>>;
  EXPECT_EQ(found.languages, Languages(of_languages.begin(), of_languages.end()));
  EXPECT_EQ(found.latest, latest);
  EXPECT_EQ(found.latest_positive, positive);
  EXPECT_EQ(found.latest_critical, critical);
}

}  // namespace quire
