// For tests of page indexes: a way to open an index, a plain index to compare with, and histories
// of comments for both.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "loop/loop.h"
#include "model/facets.h"
#include "page_index/page_index.h"
#include "page_index/plain.h"
#include "projection/target_contract.h"
#include "temporary_directory.h"

namespace quire {

struct IndexBackend {
  std::string name;
  // Opens the index of the test that owns `directory`, with Access::write, as an earlier call left
  // it. The directory is empty at first, and each test has its own, so an index without files may
  // use its name as a name.
  std::function<std::unique_ptr<PageIndex>(const std::string& directory)> open;
  bool twice = true;  // whether a process may open the index twice
};

inline std::string name_of(const testing::TestParamInfo<IndexBackend>& info) {
  return info.param.name;
}

// Ids of which several share a time.
inline Ulid random_id(std::mt19937_64& random) {
  std::array<std::uint8_t, 10> entropy;
  for (auto& byte : entropy) byte = static_cast<std::uint8_t>(random());
  return Ulid::make(1'700'000'000'000 + random() % 50, entropy);
}

inline Cell random_cell(std::mt19937_64& random) {
  constexpr const char* languages[] = {"de", "en", "fr", "hu", "yue"};
  const char* language = languages[random() % 5];
  return cell(language, static_cast<int>(random() % 5) + 1);
}

// The cell of each comment.
class PlainCells {
 public:
  std::map<std::string, std::map<Ulid, Cell>> products;

  void apply(const std::vector<Change>& changes) {
    for (const auto& change : changes) {
      auto& comments = products[change.product];
      if (change.to) comments[change.id] = change.to->cell;
      if (!change.to) comments.erase(change.id);
      if (comments.empty()) products.erase(change.product);
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;  // std::string sorts by bytes
    for (const auto& [name, comments] : products) names.push_back(name);
    return names;
  }

  std::vector<FacetValue> languages(const std::string& product) const {
    std::set<FacetValue> values;
    auto found = products.find(product);
    if (found == products.end()) return {};
    for (const auto& [id, cell] : found->second) values.insert(cell[language_facet]);
    return {values.begin(), values.end()};
  }

  PlainRanks ranks(const std::string& product) const {
    PlainRanks ranks;
    auto found = products.find(product);
    if (found == products.end()) return ranks;
    for (const auto& [id, cell] : found->second) {
      for (const auto& index : indexes) ranks.lists[list_of(index, cell)].push_back(id);
    }
    return ranks;
  }

  // A change of a random comment, old or new.
  Change wander(std::mt19937_64& random, const std::string& product) {
    auto& comments = products[product];
    Change change{product, random_id(random)};
    if (!comments.empty() && random() % 3 > 0) {
      auto one =
          std::next(comments.begin(), static_cast<std::ptrdiff_t>(random() % comments.size()));
      change.id = one->first;
      change.from = one->second;
    }
    if (!change.from || random() % 3 > 0) change.to = random_cell(random);
    apply({change});
    return change;
  }
};

// All lists of some languages, most of which have no comments.
inline std::vector<Cell> all_lists() {
  std::vector<Cell> lists;
  for (const char* language : {"de", "en", "fr", "hu", "yue", "zz"}) {
    for (FacetValue rating = any; rating <= 5; ++rating)
      lists.push_back({cell(language, 1)[language_facet], rating});
  }
  for (FacetValue rating = any; rating <= 5; ++rating) lists.push_back({any, rating});
  return lists;
}

// All pairs of some languages and some ratings, like the lists of a plan.
inline std::vector<Cell> random_union(std::mt19937_64& random) {
  std::vector<FacetValue> languages, ratings;
  for (const char* language : {"de", "en", "fr", "hu", "yue", "zz"})
    if (random() % 3 != 0) languages.push_back(cell(language, 1)[language_facet]);
  for (FacetValue rating = 1; rating <= 5; ++rating)
    if (random() % 3 != 0) ratings.push_back(rating);
  if (random() % 4 == 0) languages = {any};
  if (random() % 4 == 0) ratings = {any};
  std::vector<Cell> lists;
  for (auto language : languages)
    for (auto rating : ratings) lists.push_back({language, rating});
  std::shuffle(lists.begin(), lists.end(), random);
  return lists;
}

class IndexContract : public testing::TestWithParam<IndexBackend> {
 protected:
  IndexContract() : index_(open()) {}

  std::unique_ptr<PageIndex> open() { return GetParam().open(directory_.path()); }
  void reopen() {
    index_.reset();
    index_ = open();
  }

  State state() { return wait(index_->state()).value(); }
  void reset(State state) { ASSERT_TRUE(wait(index_->reset(std::move(state)))); }
  void put(std::vector<Change> changes) { ASSERT_TRUE(wait(index_->put(std::move(changes)))); }
  bool apply(Step step) { return wait(index_->apply(std::move(step))).value(); }
  bool change_phase(std::string epoch, Phase from, Phase to) {
    return wait(index_->change_phase(std::move(epoch), from, to)).value();
  }
  std::vector<std::string> products(std::string after = "", std::size_t limit = 1000) {
    return wait(index_->products(std::move(after), limit)).value();
  }
  std::set<FacetValue> languages(std::string product) {
    auto found = wait(index_->languages(product)).value();
    std::set<FacetValue> each(found.begin(), found.end());
    EXPECT_EQ(each.size(), found.size()) << "a language came twice";
    return each;
  }
  std::vector<Ulid> ids(const std::string& product, const Cell& list = {}) {
    RankRange range{list, 0, 100'000};
    auto ranks = index_->ranks();
    auto slices = wait(ranks->slices(product, {&range, 1})).value();
    return slices.at(0);
  }

  // Applies a step of shard "s" that follows its mark. Call reset() with an epoch first.
  std::string follow(std::vector<Change> changes) {
    auto marks = state().marks;
    std::optional<Mark> before;
    if (marks.contains("s")) before = marks["s"];
    Mark after{before ? std::to_string(std::stoi(before->read_to) + 1) : "1"};
    bool moved = apply(step_of(state().epoch, "s", before, after, std::move(changes)));
    EXPECT_TRUE(moved);
    return after.read_to;
  }

  TemporaryDirectory directory_;
  std::unique_ptr<PageIndex> index_;
};

}  // namespace quire
