// The n-th id of a union, and the rank in it: all small cases, large cases against a sorted vector,
// and the number of rounds, which must not grow unnoticed.
#include "page_index/union.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <random>

#include "base/rounds.h"
#include "loop/wait.h"
#include "page_index/plain.h"
#include "page_index/search.h"

namespace quire {
namespace {

// Ids in the order of their numbers. Several share a time.
Ulid id_of(std::uint64_t number) {
  std::uint64_t ms = 1'700'000'000'000 + number / 3 * 1000;
  std::array<std::uint8_t, 10> entropy{};
  entropy[0] = static_cast<std::uint8_t>(number % 3 * 80);
  for (int i = 9; i >= 2; --i, number >>= 8) entropy[i] = static_cast<std::uint8_t>(number);
  return Ulid::make(ms, entropy);
}

struct World {
  PlainRanks ranks;
  std::vector<Cell> names;
  std::vector<std::uint64_t> lengths;
  std::vector<Ulid> all;

  explicit World(const std::vector<std::vector<Ulid>>& lists) {
    for (const auto& list : lists) {
      names.push_back({static_cast<FacetValue>(names.size() + 1), any});
      lengths.push_back(list.size());
      ranks.lists[names.back()] = list;
      std::sort(ranks.lists[names.back()].begin(), ranks.lists[names.back()].end());
      all.insert(all.end(), list.begin(), list.end());
    }
    std::sort(all.begin(), all.end());
  }

  FoundNth nth(std::uint64_t n) {
    auto found = wait(ranks.nth_of_union("42", names, lengths, n));
    EXPECT_TRUE(found) << n << " of " << names.size() << ": " << found.error().message;
    return found ? found.value() : FoundNth{};
  }
  std::uint64_t rank(const Ulid& id) { return wait(rank_in_union(ranks, "42", names, id)).value(); }
};

// Tries every way to divide up to 7 ids among 3 lists.
TEST(Union, EverySmallCaseIsExact) {
  for (std::size_t size = 0; size <= 7; ++size) {
    auto ways = static_cast<std::size_t>(std::pow(3, size));
    for (std::size_t way = 0; way < ways; ++way) {
      std::vector<std::vector<Ulid>> lists(3);
      for (std::size_t i = 0, left = way; i < size; ++i, left /= 3)
        lists[left % 3].push_back(id_of(i));
      World world(lists);
      for (std::size_t n = 0; n < size; ++n) ASSERT_EQ(world.nth(n).id, world.all[n]);
      for (std::size_t i = 0; i <= size; ++i) ASSERT_EQ(world.rank(id_of(i)), i);
    }
  }
}

// Runs the search itself on all small cases, because nth_of_union() would read so few ids at once.
TEST(UnionSearch, NarrowingNeverLosesTheAnswer) {
  for (std::size_t way = 0; way < 2187; ++way) {
    std::vector<std::vector<Ulid>> lists(3);
    for (std::size_t i = 0, left = way; i < 7; ++i, left /= 3) lists[left % 3].push_back(id_of(i));
    World world(lists);
    for (std::size_t n = 0; n < 7; ++n) {
      UnionSearch search(world.lengths, n);
      for (int round = 0; round < 20 && !search.found(); ++round) {
        ASSERT_FALSE(search.lost());
        std::vector<RankRange> ranges;
        for (const auto& rest : search.rest())
          ranges.push_back({world.names[rest.list], rest.from, rest.count});
        ASSERT_EQ(search.finish(*wait(world.ranks.slices("42", ranges))), id_of(n));
        auto pivots = search.pivots();
        search.feed(pivots, *wait(world.ranks.probe("42", world.names, pivots)));
      }
      EXPECT_EQ(search.found(), id_of(n));
    }
  }
}

enum class Mix { even, skewed, one_after_the_other, in_blocks, at_one_time };

std::array<std::uint8_t, 10> entropy(std::mt19937_64& random) {
  std::array<std::uint8_t, 10> bytes;
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

// `count` ids in `k` lists. Skewed: each list gets half of the remaining ids.
World deal(Mix mix, std::size_t k, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<Ulid>> lists(k);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t list = 0;
    if (mix == Mix::even) list = random() % k;
    if (mix == Mix::one_after_the_other) list = i * k / count;
    if (mix == Mix::in_blocks) list = i / 1000 % k;
    if (mix == Mix::skewed) {
      while (list + 1 < k && random() % 2 == 0) ++list;
    }
    // An import without times: all ids have one time, and random bits.
    if (mix == Mix::at_one_time) list = random() % k;
    lists[list].push_back(mix == Mix::at_one_time ? Ulid::make(1000, entropy(random)) : id_of(i));
  }
  return World(lists);
}

constexpr std::pair<Mix, const char*> mixes[] = {
    {Mix::even, "even"},
    {Mix::skewed, "skewed"},
    {Mix::one_after_the_other, "one after the other"},
    {Mix::in_blocks, "in blocks"},
    {Mix::at_one_time, "at one time"},
};

TEST(Union, LargeUnionsEqualTheSortedVector) {
  std::mt19937_64 random(7);
  for (auto [mix, name] : mixes) {
    for (std::size_t k : {1, 2, 5, 8, 20, 250}) {
      World world = deal(mix, k, 20'000, k);
      for (int i = 0; i < rounds(100); ++i) {
        auto n = i == 0 ? 0 : i == 1 ? world.all.size() - 1 : random() % world.all.size();
        ASSERT_EQ(world.nth(n).id, world.all[n]) << name << " " << k << " " << n;
        ASSERT_EQ(world.rank(world.all[n]), n);
      }
    }
  }
}

// The rounds at 50 ranks; under a sanitizer not those of a million ids. QUIRE_GOLDEN=write rewrites
// the file.
TEST(Union, TakesTheExpectedNumberOfRounds) {
  std::string table = "mix, lists, ids: rounds on average, most\n";
  for (auto [mix, name] : mixes) {
    for (std::size_t k : {1, 2, 4, 8, 20, 250}) {
      for (std::size_t count : {1'000, 50'000, 1'000'000}) {
        if (count == 1'000'000 && k != 8) continue;
        if (count > 1'000 && sanitized) continue;
        World world = deal(mix, k, count, k);
        std::mt19937_64 random(count);
        int most = 0;
        double sum = 0;
        for (int i = 0; i < 50; ++i) {
          world.ranks.rounds = 0;
          auto found = world.nth(random() % count);
          EXPECT_EQ(world.ranks.rounds, found.rounds);
          most = std::max(most, found.rounds);
          sum += found.rounds;
        }
        table += fmt::format("{}, {}, {}: {:.1f}, {}\n", name, k, count, sum / 50, most);
      }
    }
  }
  if (const char* golden = std::getenv("QUIRE_GOLDEN"); golden && std::string(golden) == "write")
    std::ofstream(QUIRE_ROUNDS) << table;
  std::string kept;
  std::ifstream file(QUIRE_ROUNDS);
  for (std::string line; std::getline(file, line);) {
    if (!sanitized || line.find("0000:") == line.npos) kept += line + "\n";
  }
  EXPECT_EQ(table, kept);
}

// Lists may shrink between the rounds. The search then gives an error.
TEST(Union, ListsThatChangeMeanwhileAreAnError) {
  World world = deal(Mix::even, 4, 10'000, 1);
  for (auto& [name, list] : world.ranks.lists) list.resize(5);
  for (std::uint64_t n : {0, 17, 5'000, 9'999}) {
    auto found = wait(world.ranks.nth_of_union("42", world.names, world.lengths, n));
    if (!found) {
      EXPECT_EQ(found.error().code, ErrorCode::unavailable);
    }
  }
}

}  // namespace
}  // namespace quire
