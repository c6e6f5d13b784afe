// The articles from which Quire grew page through several partitions with a combined cursor: one
// LastEvaluatedKey for each partition. A partition without a row on the page has its first unseen
// key, with the last character decremented. In a query in descending order the start key lies above
// the entries that follow, so this key skips the entry it was made from. The test follows that rule
// to the letter, and compares it with a single id as the position in all lists.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "merge/world.h"

namespace quire {
namespace {

constexpr std::size_t page_size = 5;

// 120 comments of one product: most have 5 stars, some 4, and every thirteenth 1.
World three_rating_lists() {
  World world{std::vector<std::vector<Entry>>(3), Order::newest_first};
  for (std::uint64_t n = 1; n <= 120; ++n) {
    world.add(n % 13 == 0 ? 0 : n % 7 == 0 ? 1 : 2, {id_number(n), {}});
  }
  world.sort();
  return world;
}

// A partition, and queries on it as the articles' store answers them.
struct Partition {
  std::vector<std::string> keys;  // newest first
  std::optional<std::string> start;

  // At most a page of keys strictly below the start key.
  std::vector<std::string> query() const {
    std::vector<std::string> answer;
    for (const auto& key : keys) {
      if (answer.size() < page_size && (!start || key < *start)) answer.push_back(key);
    }
    return answer;
  }
};

std::vector<Partition> partitions(const World& world) {
  std::vector<Partition> made;
  for (const auto& list : world.lists) {
    made.emplace_back();
    for (const auto& entry : list) made.back().keys.push_back(entry.id.text());
  }
  return made;
}

// Changes the key of an entry that the page had no room for into the next start key.
using Rule = void (*)(char& last_character);

// Queries every partition, shows the newest keys as a page, and moves the combined cursor. Empty:
// at the end.
std::vector<std::string> turn_page(std::vector<Partition>& partitions, Rule rule) {
  std::map<std::string, Partition*, std::greater<>> found;
  std::vector<std::vector<std::string>> answers;
  for (auto& partition : partitions) {
    answers.push_back(partition.query());
    for (const auto& key : answers.back()) found.emplace(key, &partition);
  }
  std::vector<std::string> page;
  std::set<Partition*> shown;
  for (const auto& [key, partition] : found) {
    if (page.size() == page_size) break;
    page.push_back(key);
    partition->start = key;  // ends up as the last one shown: its LastEvaluatedKey
    shown.insert(partition);
  }
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    if (shown.contains(&partitions[i]) || answers[i].empty()) continue;
    partitions[i].start = answers[i].front();
    rule(partitions[i].start->back());
  }
  return page;
}

std::vector<std::string> walk_by_rule(const World& world, Rule rule) {
  std::vector<std::string> seen;
  auto all = partitions(world);
  for (auto page = turn_page(all, rule); !page.empty(); page = turn_page(all, rule)) {
    seen.insert(seen.end(), page.begin(), page.end());
  }
  return seen;
}

std::vector<std::string> walk_by_one_position(const World& world) {
  std::vector<std::string> seen;
  std::optional<Ulid> position;
  for (;;) {
    Merge merge(world.lists.size(), world.order, position, page_size, {});
    run(merge, world, position, [](std::size_t, std::size_t left, bool) -> Cut {
      return {std::min(left, page_size), left <= page_size};
    });
    if (merge.rows().empty()) return seen;
    for (const auto& row : merge.rows()) seen.push_back(row.id.text());
    position = merge.rows().back().id;
  }
}

std::vector<std::string> everything(const World& world) {
  std::vector<std::string> all;
  for (const auto& entry : world.in_order({})) all.push_back(entry.id.text());
  return all;
}

TEST(DecrementRule, LosesCommentsWhenQueriesRunDownwards) {
  World world = three_rating_lists();
  auto seen = walk_by_rule(world, [](char& last) { --last; });
  std::set<std::string> distinct(seen.begin(), seen.end());
  EXPECT_EQ(distinct.size(), seen.size());
  EXPECT_EQ(everything(world).size() - distinct.size(), 22u);  // of 120
}

TEST(DecrementRule, ItsMirrorImageLosesNone) {
  World world = three_rating_lists();
  EXPECT_EQ(walk_by_rule(world, [](char& last) { ++last; }), everything(world));
}

TEST(OnePosition, LosesNoneOnTheSameComments) {
  World world = three_rating_lists();
  EXPECT_EQ(walk_by_one_position(world), everything(world));
}

}  // namespace
}  // namespace quire
