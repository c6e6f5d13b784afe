// Asks a page index and plain vectors all kinds of questions, and compares the answers.
#pragma once

#include "page_index/index_backend.h"

namespace quire {

class Comparison {
 public:
  Comparison(PageIndex& index, const PlainCells& plain, const std::string& product,
             std::vector<Cell> lists = all_lists())
      : ranks_(index.ranks()),
        plain_(plain.ranks(product)),
        product_(product),
        lists_(std::move(lists)) {}

  // Reads each list whole, and asks random questions.
  void whole(std::mt19937_64& random) {
    lengths();
    slices(random);
    for (int i = 0; i < 3; ++i) ranks(random_id(random));
    for (const auto& id : {Ulid{}, Ulid::make(Ulid::max_ms, {})}) ranks(id);
    for (int i = 0; i < 3; ++i) member_ranks(random);
    for (int i = 0; i < 12; ++i) nth_of_union(random, random_union(random));
  }

  // For disjoint lists: also asks questions to their union.
  void every_one(std::mt19937_64& random) {
    lengths();
    slices(random);
    member_ranks(random);
    nth_of_union(random, lists_);
  }

  void lengths() {
    auto found = wait(ranks_->lengths(product_, lists_));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(*found, *wait(plain_.lengths(product_, lists_))) << product_;
  }

  // The whole list, then slices from random ranks, some past the end.
  void slices(std::mt19937_64& random) {
    std::vector<RankRange> ranges;
    for (const auto& list : lists_) ranges.push_back({list, 0, 100'000});
    for (const auto& list : lists_) {
      auto length = plain_.lists[list].size();
      ranges.push_back({list, random() % (length + 3), random() % 5});
    }
    ranges.push_back({Cell{}, 1'000'000'000'000, 10});
    auto found = wait(ranks_->slices(product_, ranges));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(*found, *wait(plain_.slices(product_, ranges))) << product_;
  }

  void ranks(const Ulid& id) {
    auto found = wait(ranks_->ranks(product_, lists_, id));
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(*found, *wait(plain_.ranks(product_, lists_, id))) << product_ << " " << id.text();
  }

  void member_ranks(std::mt19937_64& random) {
    const auto& all = plain_.lists[Cell{}];
    if (all.empty()) return;
    const auto& id = all[random() % all.size()];
    ranks(id);
    ranks(id.next());
  }

  // The first, the last and some other ids of a union.
  void nth_of_union(std::mt19937_64& random, const std::vector<Cell>& lists) {
    std::vector<Ulid> all;
    for (const auto& list : lists)
      all.insert(all.end(), plain_.lists[list].begin(), plain_.lists[list].end());
    std::sort(all.begin(), all.end());
    for (int i = 0; i < 4 && !all.empty(); ++i) {
      auto n = i == 0 ? 0 : i == 1 ? all.size() - 1 : random() % all.size();
      auto found = wait(ranks_->nth_of_union(product_, lists, all.size(), n));
      ASSERT_TRUE(found) << found.error().message;
      EXPECT_EQ(*found, all[n]) << product_ << " " << n << " of " << lists.size() << " lists";
    }
  }

 private:
  std::unique_ptr<Ranks> ranks_;
  PlainRanks plain_;
  std::string product_;
  std::vector<Cell> lists_;
};

// The products of the index, and one that it does not have.
inline void expect_same(PageIndex& index, const PlainCells& plain, std::mt19937_64& random) {
  auto names = plain.names();
  auto found = wait(index.products("", names.size() + 10));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(*found, names);
  names.push_back("nowhere");
  for (const auto& name : names) {
    Comparison(index, plain, name).whole(random);
    auto languages = wait(index.languages(name)).value();
    std::sort(languages.begin(), languages.end());
    EXPECT_EQ(languages, plain.languages(name)) << name;
    auto flaws = wait(index.flaws(name));
    ASSERT_TRUE(flaws) << flaws.error().message;
    EXPECT_EQ(*flaws, std::vector<std::string>()) << name;
  }
}

}  // namespace quire
