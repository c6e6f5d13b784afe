#include "bitmap_index/reading/kept_totals.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <span>
#include <thread>

#include "bitmap_index/reading/answers.h"

namespace quire::bitmap_index {
namespace {

const std::vector<Value> red{{0, 1}}, blue{{0, 2}};

Ulid id_at(std::uint8_t place) {
  Ulid id;
  id.bytes[15] = place;
  return id;
}

Subject reds() {
  return {{{{0, false, false, {1}}}}};
}

// No id starts a block.
Databases one_block() {
  Databases databases;
  databases.block_bits = 63;
  return databases;
}

class KeptTotalsTest : public testing::Test {
 protected:
  Totals totals(std::uint32_t count) {
    return {starts_of(std::vector<Block>{{{}, 9}, {id_at(100), 9}}), {count, 1}};
  }
  // Absent: nothing is kept.
  std::optional<std::uint64_t> total(std::uint64_t generation, const Subject& subject = reds()) {
    auto counted = kept_.find(product, subject, generation);
    if (!counted) return {};
    return std::get<Totals>(*counted).total();
  }
  void change(std::uint64_t after, std::uint8_t place, std::optional<std::vector<Value>> before,
              std::optional<std::vector<Value>> now) {
    kept_.changed(databases_, product, after - 1, after, {{id_at(place), before, now}});
  }

  Databases databases_ = one_block();
  KeptTotals kept_{1 << 20};
};

TEST_F(KeptTotalsTest, AnswerTheirGenerationAlone) {
  EXPECT_FALSE(total(5));
  kept_.keep(product, reds(), 5, totals(7));
  EXPECT_EQ(total(5), 8u);
  EXPECT_FALSE(total(4));
  EXPECT_FALSE(total(6));
  EXPECT_FALSE(total(5, {{{{0, false, false, {2}}}}}));
  EXPECT_FALSE(kept_.find(product + 1, reds(), 5));
  EXPECT_EQ(kept_.starts(product, 5)->size(), 2u);
  EXPECT_FALSE(kept_.starts(product, 6));
}

TEST_F(KeptTotalsTest, RanksGoWithAllTotals) {
  KeptRanks::Entry entry{{id_at(3), Order::newest_first, product, 5}, 42};
  kept_.ranks().keep(std::span(&entry, 1));
  EXPECT_EQ(kept_.ranks().find(entry.from), 42u);
  kept_.drop_all();
  EXPECT_FALSE(kept_.ranks().find(entry.from));
}

TEST_F(KeptTotalsTest, CatchUpWithCommits) {
  total(5);
  kept_.keep(product, reds(), 5, totals(7));
  change(6, 10, std::nullopt, red);
  change(7, 110, std::nullopt, blue);
  change(8, 110, blue, red);
  change(9, 10, red, std::nullopt);
  change(10, 11, red, blue);
  EXPECT_EQ(total(6), 9u);
  EXPECT_EQ(total(8), 10u);
  EXPECT_EQ(total(10), 8u);
  EXPECT_FALSE(total(9));  // it does not go back
  auto counted = kept_.find(product, reds(), 10);
  EXPECT_EQ(std::get<Totals>(*counted).before(id_at(100)), 6u);
}

TEST_F(KeptTotalsTest, OfWordsTellWhoseBlocksAreToBeCountedAgain) {
  auto words = reds();
  words.selection.words = {"zipper"};
  EXPECT_FALSE(kept_.behind(product, words, 5));
  EXPECT_FALSE(total(5, words));
  EXPECT_FALSE(kept_.behind(product, words, 5)) << "nothing was counted";
  kept_.keep(product, words, 5, totals(7));
  EXPECT_FALSE(kept_.behind(product, words, 5)) << "it is of this generation";
  change(6, 10, std::nullopt, red);
  change(7, 110, red, red);
  EXPECT_FALSE(total(7, words));
  auto behind = kept_.behind(product, words, 7);
  ASSERT_TRUE(behind);
  EXPECT_EQ(behind->changed, (std::vector<Ulid>{id_at(10), id_at(110)}));
  auto now = std::get<Totals>(*behind->counted);
  now.set({}, 3);
  EXPECT_EQ(now.total(), 4u);
  now.set(id_at(100), 5);
  EXPECT_EQ(now.total(), 8u);
  EXPECT_EQ(now.before(id_at(100)), 3u);
  EXPECT_EQ(std::get<Totals>(*behind->counted).total(), 8u);
  kept_.keep(product, words, 7, now);
  EXPECT_EQ(total(7, words), 8u);
  std::uint64_t generation = 7;
  for (std::size_t i = 0; i < KeptTotals::max_changed_words; ++i)
    change(++generation, 10, red, red);
  EXPECT_TRUE(kept_.behind(product, words, generation));
  change(++generation, 10, red, red);
  EXPECT_FALSE(kept_.behind(product, words, generation)) << "a scan costs no more";
}

TEST_F(KeptTotalsTest, LentTotalsStayAsTheyAre) {
  total(5);
  kept_.keep(product, reds(), 5, totals(7));
  auto lent = kept_.find(product, reds(), 5);
  change(6, 10, std::nullopt, red);
  EXPECT_EQ(total(6), 9u);
  EXPECT_EQ(std::get<Totals>(*lent).total(), 8u);
}

TEST_F(KeptTotalsTest, AScanThatTakesLongCatchesUp) {
  EXPECT_FALSE(total(5));
  change(6, 10, std::nullopt, red);
  kept_.keep(product, reds(), 5, totals(7));
  change(7, 11, std::nullopt, red);
  EXPECT_EQ(total(7), 10u);
}

TEST_F(KeptTotalsTest, GapsAreNotBridged) {
  total(5);
  kept_.keep(product, reds(), 5, totals(7));
  kept_.changed(databases_, product, 7, 8, {{id_at(10), std::nullopt, red}});
  EXPECT_FALSE(total(8));
  kept_.keep(product, reds(), 8, totals(9));
  change(9, 12, std::nullopt, red);
  EXPECT_EQ(total(9), 11u);
  change(9, 12, std::nullopt, red);  // told again: no harm
  EXPECT_EQ(total(9), 11u);
}

// A change of a text changes no index. The log of such commits has an end, too.
TEST_F(KeptTotalsTest, CommitsWithoutChangesKeepTotals) {
  total(5);
  kept_.keep(product, reds(), 5, totals(7));
  std::uint64_t generation = 5;
  auto commit = [&] {
    kept_.changed(databases_, product, generation, generation + 1, {});
    ++generation;
  };
  for (int i = 0; i < 1000; ++i) commit();
  EXPECT_EQ(total(generation), 8u);
  for (int i = 0; i < 2000; ++i) commit();
  EXPECT_FALSE(total(generation));
}

TEST_F(KeptTotalsTest, WhereABlockStartsAllIsCountedAgain) {
  total(5);
  kept_.keep(product, reds(), 5, totals(7));
  databases_.block_bits = 0;  // each id starts a block
  change(6, 10, red, blue);   // it was there before
  EXPECT_EQ(total(6), 7u);
  change(7, 11, std::nullopt, red);
  EXPECT_FALSE(total(7));
  EXPECT_FALSE(kept_.starts(product, 7));
}

TEST_F(KeptTotalsTest, HistogramsFollowValues) {
  Subject subject{{}, 0, Subject::Of::histogram};
  kept_.find(product, subject, 5);
  kept_.keep(product, subject, 5, Histogram{{{1, 4}, {2, 1}}, 6});
  change(6, 10, blue, red);
  change(7, 11, red, std::nullopt);
  change(8, 12, std::nullopt, std::vector<Value>{});
  auto counted = kept_.find(product, subject, 8);
  ASSERT_TRUE(counted);
  EXPECT_EQ(std::get<Histogram>(*counted), (Histogram{{{1, 4}}, 6}));
}

TEST_F(KeptTotalsTest, ValueCountsFollowValues) {
  Subject subject{{}, 0, Subject::Of::values};
  kept_.find(product, subject, 5);
  kept_.keep(product, subject, 5, ValueCounts{{{1, 4}, {2, 1}}, 5, {}, 6});
  change(6, 10, blue, red);
  change(7, 11, std::vector<Value>{}, std::nullopt);
  change(8, 12, std::nullopt, blue);
  auto counted = kept_.find(product, subject, 8);
  ASSERT_TRUE(counted);
  EXPECT_EQ(std::get<ValueCounts>(*counted), (ValueCounts{{{1, 5}, {2, 1}}, 6, {}, 6}));
}

TEST_F(KeptTotalsTest, WhereAnExtremeGoesValuesAreCountedAgain) {
  auto number = [](std::int64_t value) {
    auto [code, rest] = encode_number(value);
    return std::vector<Value>{{0, code, rest, true}};
  };
  Subject subject{{}, 0, Subject::Of::extremes};
  kept_.find(product, subject, 5);
  kept_.keep(product, subject, 5, ValueCounts{{}, 9, std::pair(3, 2000), 9, false});
  change(6, 10, number(1001), number(3000));
  auto counted = kept_.find(product, subject, 6);
  ASSERT_TRUE(counted);
  EXPECT_EQ(std::get<ValueCounts>(*counted), (ValueCounts{{}, 9, std::pair(3, 3000), 9, false}));
  counted.reset();
  change(7, 11, number(3), number(3));
  EXPECT_TRUE(kept_.find(product, subject, 7)) << "it has the same value";
  change(8, 11, number(3), number(4));
  EXPECT_FALSE(kept_.find(product, subject, 8));
  kept_.keep(product, subject, 8, ValueCounts{{}, 9, std::pair(4, 3000), 9, false});
  EXPECT_TRUE(kept_.find(product, subject, 8));
}

TEST_F(KeptTotalsTest, AreBoundedAndForgetTheLongestUnused) {
  KeptTotals kept(10'000);
  auto subject = [](Code code) { return Subject{{{{0, false, false, {code}}}}}; };
  for (Code code = 0; code < 100; ++code) {
    kept.find(product, subject(code), 1);
    kept.keep(product, subject(code), 1, totals(1));
    kept.find(product, subject(0), 1);
    EXPECT_LE(kept.statistics().bytes, 10'000u);
  }
  EXPECT_TRUE(kept.find(product, subject(0), 1));
  EXPECT_FALSE(kept.find(product, subject(50), 1));
  EXPECT_GT(kept.statistics().evictions, 50u);
  EXPECT_GT(kept.statistics().entries, 5u);
  for (std::uint64_t i = 1; i < 5000; ++i)
    kept.changed(databases_, product, i, i + 1, {{id_at(3), red, blue}});
  EXPECT_LE(kept.statistics().bytes, 10'000u);
  kept.drop(product);
  kept.drop_all();
  EXPECT_EQ(kept.statistics().bytes, 0u);
  EXPECT_EQ(kept.statistics().entries, 0u);
}

TEST(TotalsTest, FindBlocksAndSums) {
  std::mt19937_64 random(4);
  for (std::size_t size = 1; size < 40; ++size) {
    std::vector<Block> blocks;
    std::vector<std::uint32_t> counts;
    for (std::size_t i = 0; i < size; ++i) {
      blocks.push_back({id_at(static_cast<std::uint8_t>(i * 5)), 9});
      counts.push_back(static_cast<std::uint32_t>(random() % 4));
    }
    Totals totals(starts_of(blocks), counts);
    for (int change = 0; change < 20; ++change) {
      auto at = random() % size;
      bool more = counts[at] == 0 || random() % 2;
      counts[at] += more ? 1 : ~0u;
      totals.add(id_at(static_cast<std::uint8_t>(at * 5 + random() % 5)), more);
    }
    std::uint64_t n = 0;
    for (std::size_t at = 0; at < size; ++at) {
      ASSERT_EQ(totals.before(blocks[at].start), n);
      for (std::uint64_t i = 0; i < counts[at]; ++i, ++n)
        ASSERT_EQ(totals.locate(n), (Spot{blocks[at].start, i}));
    }
    ASSERT_EQ(totals.total(), n);
    ASSERT_FALSE(totals.locate(n));
  }
}

// A writer commits while readers ask few questions again and again. Every answer is that of the
// reader's own state.
class WriterAndReaders : public testing::Test {
 protected:
  static constexpr int commits = 150;
  static constexpr std::string_view generation_key = "generation";

  WriterAndReaders() {
    std::mt19937_64 random(6);
    for (FacetNumber number = 0; number < 3; ++number)
      facets_.push_back(random_facet(random, number));
    facets_.push_back({3, FacetType::number, {}, 20});
    for (std::int64_t n : {1, 2, 1000, 1001}) {
      auto code = encode_number(n);
      facets_[3].values.push_back({3, code.code, code.rest, true});
    }
    for (const auto& a : facets_) {
      for (const auto& b : facets_) {
        Selection selection{{{a.number, false, false, {a.values[0].code}}}};
        if (a.number != b.number)
          selection.terms.push_back({b.number, false, false, {}, {b.values[0].code}});
        auto sort = static_cast<Sort>(questions_.size() % 4);
        questions_.push_back({selection, sort, 3});
      }
    }
    commit(random_plain(random, facets_, 150), 1);
  }

  // Each product has one generation in this test: everything is built anew.
  void commit(Plain plain, std::uint64_t generation) {
    lmdb::WriteTransaction txn(index_.environment);
    for (MDB_dbi database :
         {index_.databases.ids, index_.databases.blocks.dbi, index_.databases.counts.dbi})
      txn.clear(database);
    build(index_.databases, txn, product, plain);
    txn.put(index_.databases.texts, generation_key, std::to_string(generation));
    {
      std::lock_guard lock(mutex_);
      states_[generation] = std::move(plain);
    }
    txn.commit();
  }

  // Changes some ids, as a group commit does.
  std::vector<IdChange> change(std::mt19937_64& random, Plain& plain) {
    std::map<Ulid, IdChange> changes;
    for (auto left = 1 + random() % 4; left > 0; --left) {
      auto id = random() % 3 ? plain[random() % plain.size()].id : random_ulid(random);
      if (changes.contains(id)) continue;
      auto at = std::lower_bound(plain.begin(), plain.end(), id,
                                 [](const PlainId& each, const Ulid& of) { return each.id < of; });
      IdChange change{id, {}, {}};
      bool there = at != plain.end() && at->id == id;
      if (there) change.before = at->values;
      if (there && random() % 3 == 0) {
        plain.erase(at);
      } else {
        change.after = random_values(random, facets_);
        if (there) at->values = *change.after;
        if (!there) plain.insert(at, {id, *change.after});
      }
      changes.emplace(id, std::move(change));
    }
    std::vector<IdChange> all;
    for (auto& [id, change] : changes) all.push_back(std::move(change));
    return all;
  }

  void write() {
    std::mt19937_64 random(7);
    auto plain = states_.at(1);
    for (std::uint64_t generation = 2; generation < commits; ++generation) {
      auto changes = change(random, plain);
      commit(plain, generation);
      if (generation % 50 == 0) {
        kept_.drop(product);
      } else if (generation % 31 != 0) {  // or it is not told
        kept_.changed(index_.databases, product, generation - 1, generation, std::move(changes));
      }
    }
    done_ = true;
  }

  void read(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    do {
      lmdb::ReadTransaction txn(index_.environment);
      auto generation = std::stoull(std::string(*txn.find(index_.databases.texts, generation_key)));
      Plain plain;
      {
        std::lock_guard lock(mutex_);
        plain = states_.at(generation);
      }
      Reader reader(txn.get(), index_.databases, product);
      const auto& question = questions_[random() % questions_.size()];
      auto expected = plain_matches(plain, question);
      Matches matches(reader, question, {&kept_, generation});
      ASSERT_EQ(wait(matches.total()), expected.size());
      for (int i = 0; i < 3 && !expected.empty(); ++i) {
        auto n = random() % expected.size();
        ASSERT_EQ(wait(matches.nth(n)), expected[n]);
        ASSERT_EQ(wait(matches.rank(expected[n])), n);
      }
      compare_counts(reader, plain, question.selection, facets_, {&kept_, generation});
    } while (!done_);
  }

  Index index_{2, 1};
  std::vector<PlainFacet> facets_;
  std::vector<Question> questions_;
  std::mutex mutex_;
  std::map<std::uint64_t, Plain> states_;  // guarded by mutex_; by generation
  KeptTotals kept_{1 << 20};
  std::atomic<bool> done_ = false;
};

TEST_F(WriterAndReaders, NoAnswerIsStale) {
  std::vector<std::thread> readers;
  for (std::uint64_t seed = 0; seed < 3; ++seed) readers.emplace_back([this, seed] { read(seed); });
  write();
  for (auto& reader : readers) reader.join();
  EXPECT_GT(kept_.statistics().hits, 10u);
  EXPECT_GT(kept_.statistics().misses, 10u);
}

}  // namespace
}  // namespace quire::bitmap_index
