// A store that keeps no ranks, and a page index beside it.
#pragma once

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <random>

#include "listing/lists/maker.h"
#include "listing/lying_store.h"
#include "listing/model.h"
#include "listing/plain_index.h"
#include "service/comments.h"
#include "store/support.h"

namespace quire {

inline std::vector<Ulid> ids(const FoundPage& page) {
  std::vector<Ulid> out;
  for (const auto& row : page.rows) out.push_back(row.id);
  return out;
}

class NumbersOfAnIndex : public testing::TestWithParam<Lie> {
 protected:
  NumbersOfAnIndex() {
    spdlog::set_level(spdlog::level::off);
    fill(400);
  }
  ~NumbersOfAnIndex() override { spdlog::set_level(spdlog::level::info); }

  std::size_t below(std::size_t end) { return random_() % end; }

  Comment random_comment() {
    return comment_at(1000 + below(300), ++made_, below(3) ? "en" : languages[below(4)],
                      below(3) ? 5 : static_cast<int>(below(5)) + 1);
  }

  void fill(std::size_t size) {
    std::vector<Comment> batch;
    while (model_.size() < size) {
      batch.push_back(random_comment());
      model_.insert(batch.back());
      index_.add(batch.back());
    }
    EXPECT_TRUE(wait(store_.insert_many(batch)));
  }

  Query random_query() {
    Query query{.product = below(20) ? "42" : "nobody"};
    for (auto count = below(4); count > 0; --count) query.languages.push_back(languages[below(4)]);
    for (auto count = below(5); count > 0; --count)
      query.ratings.push_back(static_cast<int>(below(5)) + 1);
    query.limit = 1 + below(60);
    query.sort = static_cast<Sort>(below(4));
    return query;
  }

  FoundPage page(const Query& query) { return std::move(wait(comments_.page(query))).value(); }

  // Asking by number gives the page that was walked to, and its comments are on the page of this
  // number.
  void expect_same_by_number(Query query, const FoundPage& walked, std::uint64_t number) {
    query.after.reset();
    query.page = number;
    FoundPage found = std::move(wait(comments_.page(query, Links::by_number))).value();
    EXPECT_TRUE(found.number->joins);
    ASSERT_EQ(ids(found), ids(walked));
    EXPECT_EQ(found.next, walked.next);
    EXPECT_EQ(found.previous, walked.previous);
    EXPECT_EQ(found.number->number, number);
    EXPECT_EQ(found.total, walked.total);
    if (found.rows.empty()) return;
    auto numbered = wait(comments_.page_of(found.rows[below(found.rows.size())].id, query));
    EXPECT_EQ(numbered.value().number, number);
  }

  LyingStore store_{GetParam()};
  PlainIndex index_;
  std::uint64_t now_ = 5'000'000;
  Comments comments_{store_,
                     lists::listings_of(store_, {.index = &index_}, [this] { return now_; }),
                     Seal({Seal::Key{1, 2, 3}})};
  std::mt19937_64 random_{20261122};
  std::uint64_t made_ = 0;
  PlainModel model_;
};

}  // namespace quire
