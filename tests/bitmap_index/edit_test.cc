// After any changes, in any order and in any batches, the rows are those that the format says.
#include "bitmap_index/edit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/rounds.h"
#include "bitmap_index/index_model.h"
#include "bitmap_index/numbers.h"

namespace quire::bitmap_index {
namespace {

using State = std::map<Ulid, Values>;

Ulid id_of(std::uint64_t number) {
  Ulid id;
  lmdb::put_u64(reinterpret_cast<char*>(id.bytes.data()), number / 7);
  id.bytes[15] = static_cast<std::uint8_t>(number % 7);
  return id;
}

class EditTest : public IndexTest {
 protected:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  void add_text(Values& values, FacetNumber facet, std::uint64_t of) {
    static const std::vector<std::string> texts = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const auto& text = texts[below(of)];
    values.push_back({facet, code_of_text(db_.hash_key, text), 0, false, text});
  }
  void add_number(Values& values, FacetNumber facet, std::int64_t number) {
    auto [code, rest] = encode_number(number);
    values.push_back({facet, code, rest, true, {}});
  }

  // A choice, a small number, a flag, tags, a number with rests, and a choice that few have.
  Values random_values() {
    Values values;
    if (below(8) > 0) add_text(values, 0, 3);
    if (below(8) > 0) add_number(values, 1, static_cast<std::int64_t>(1 + below(5)));
    if (below(2) > 0) values.push_back({2, below(9) == 0, 0, false, {}});
    for (auto i = below(4); i > 0; --i) add_text(values, 5, 8);
    if (below(2) > 0) {
      auto number = static_cast<std::int64_t>(random_() >> (11 + below(50)));
      add_number(values, 6, below(3) == 0 ? -number : number % 200 + (number % 2) * 1'000'000);
    }
    if (below(50) == 0) add_text(values, 40'000, 2);
    auto order = [](const Value& a, const Value& b) {
      return std::tie(a.facet, a.code) < std::tie(b.facet, b.code);
    };
    auto same = [](const Value& a, const Value& b) {
      return a.facet == b.facet && a.code == b.code;
    };
    std::sort(values.begin(), values.end(), order);
    values.erase(std::unique(values.begin(), values.end(), same), values.end());
    return values;
  }

  std::vector<Change> random_changes(const State& state, std::uint64_t ids) {
    auto first = below(ids), range = below(2) ? ids : 1 + below(ids);
    auto removed_of_10 = below(11);
    std::map<Ulid, Change> changes;
    for (auto i = below(4) ? below(5) : below(2 * range); i > 0; --i) {
      auto id = id_of((first + below(range)) % ids);
      auto there = state.find(id);
      Change change{id, {}};
      if (below(10) >= removed_of_10) change.values = random_values();
      if (change.values && there != state.end() && below(2)) {
        change.values = there->second;
        if (below(2)) change_facet(change);
      }
      changes[id] = change;
    }
    std::vector<Change> sorted;
    for (auto& [id, change] : changes) sorted.push_back(std::move(change));
    return sorted;
  }

  // Changes the flag alone, and promises it.
  void change_facet(Change& change) {
    static const std::vector<FacetNumber> flag = {2}, flag_and_more = {2, 5, 7};
    auto at = std::find_if(change.values->begin(), change.values->end(),
                           [](const Value& value) { return value.facet >= 2; });
    if (at != change.values->end() && at->facet == 2) at = change.values->erase(at);
    if (below(3) > 0) change.values->insert(at, {2, below(2), 0, false, {}});
    change.differs = below(2) ? flag : flag_and_more;
  }

  static void apply(State& state, const std::vector<Change>& changes) {
    for (const auto& change : changes) {
      state.erase(change.id);
      if (change.values) state[change.id] = *change.values;
    }
  }

  // Many rounds of random changes to three products.
  void change_at_random(int times, std::uint64_t ids) {
    Products products;
    lmdb::WriteTransaction txn(environment_);
    for (int round = 0; round < rounds(times); ++round) {
      Product product = round % 5 == 0 ? 0xFFFFFFFF : round % 5 == 1 ? 6 : 7;
      auto changes = random_changes(products[product], ids);
      apply(products[product], changes);
      IndexEdit(db_, txn).apply(product, changes);
      ASSERT_TRUE(holds(txn, products)) << "round " << round;
      if (round % 7 != 0) continue;
      IndexEdit(db_, txn).apply(product, changes);  // again
      ASSERT_TRUE(holds(txn, products)) << "round " << round;
    }
  }

  std::mt19937_64 random_{20241122};
};

TEST_F(EditTest, TheRowsAreThoseOfTheFormatAfterAnyChanges) {
  change_at_random(500, 60);
}

TEST_F(EditTest, ManyIdsHaveManyLevels) {
  change_at_random(40, 600);
}

class EditOfBlocksTest : public EditTest {
 protected:
  EditOfBlocksTest() { db_.block_bits = 7; }
};

TEST_F(EditOfBlocksTest, BlocksOfManyWordsAreMovedBitByBit) {
  change_at_random(60, 1500);
}

class EditOfOneBlockTest : public EditTest {
 protected:
  EditOfOneBlockTest() { db_.block_bits = 40; }
};

TEST_F(EditOfOneBlockTest, AProductOfOneBlockHasNoLevels) {
  change_at_random(60, 700);
}

TEST_F(EditTest, AllStatesOfFewIdsBecomeAllOthers) {
  // Six ids, of which each is there or not; and four, each with one of two values or absent.
  constexpr std::uint64_t step = sanitized ? 13 : 1;
  for (int pattern = 0; pattern < 2 * rounds(2); ++pattern) {
    bool six = pattern % 2 == 0;
    std::uint64_t ids = six ? 6 : 4, states = six ? 64 : 81, base = six ? 2 : 3;
    db_.hash_key = random_();
    auto state_of = [&](std::uint64_t number) {
      State state;
      for (std::uint64_t i = 0; i < ids; ++i, number /= base) {
        if (number % base == 0) continue;
        Values values = {{1, number % base + (i & 1), 0, false, {}}};
        if (i & 2) add_number(values, 2, static_cast<std::int64_t>(1000 + i));
        state[id_of(i)] = values;
      }
      return state;
    };
    lmdb::WriteTransaction txn(environment_);
    IndexEdit edit(db_, txn);
    for (std::uint64_t from = 0; from < states; ++from) {
      for (std::uint64_t to = from % step; to < states; to += step) {
        auto before = state_of(from), after = state_of(to);
        std::vector<Change> first, then;
        for (auto& [id, values] : before) first.push_back({id, values});
        for (std::uint64_t i = 0; i < ids; ++i) {
          auto id = id_of(i);
          if (before.contains(id) && after.contains(id) && before[id] == after[id]) continue;
          if (after.contains(id)) then.push_back({id, after[id]});
          if (before.contains(id) && !after.contains(id)) then.push_back({id, std::nullopt});
        }
        edit.clear();
        edit.apply(9, first);
        edit.apply(9, then);
        ASSERT_TRUE(holds(txn, {{9, after}})) << pattern << ": from " << from << " to " << to;
      }
    }
  }
}

TEST_F(EditTest, ADroppedFacetIsGoneAndTheOthersStay) {
  lmdb::WriteTransaction txn(environment_);
  Products products;
  for (Product product : {0u, 3u, 4u, 0xFFFFFFFFu}) {
    auto changes = random_changes(products[product], 200);
    apply(products[product], changes);
    IndexEdit(db_, txn).apply(product, changes);
  }
  std::size_t calls = 0;
  IndexEdit edit(db_, txn);
  for (auto from = std::optional<Product>(0); from; ++calls) from = edit.drop_facet(5, *from, 10);
  EXPECT_GT(calls, 5u);
  for (auto& [product, ids] : products) {
    for (auto& [id, values] : ids)
      std::erase_if(values, [](const Value& value) { return value.facet == 5; });
  }
  EXPECT_TRUE(holds(txn, products));
  for (const auto& [key, text] : read_rows(txn.get(), db_.texts))
    EXPECT_NE(lmdb::get_u16(&key[0]), 5);
}

TEST_F(EditTest, AFacetThatIsIgnoredIsLeftAlone) {
  lmdb::WriteTransaction txn(environment_);
  State state;
  std::vector<FacetNumber> ignored = {5};
  for (int round = 0; round < 200; ++round) {
    auto changes = random_changes(state, 60);
    apply(state, changes);
    IndexEdit(db_, txn, round > 20 ? ignored : std::vector<FacetNumber>()).apply(8, changes);
    if (round == 20) {
      IndexEdit edit(db_, txn);
      EXPECT_TRUE(edit.drop_facet(5, 0, 3));
    }
  }
  IndexEdit edit(db_, txn);
  while (edit.drop_facet(5, 0, 1000)) {
  }
  for (auto& [id, values] : state)
    std::erase_if(values, [](const Value& value) { return value.facet == 5; });
  EXPECT_TRUE(holds(txn, {{8, state}}));
}

TEST_F(EditOfBlocksTest, RowsThatAreNotWholeEndNoProgram) {
  State state;
  {
    lmdb::WriteTransaction txn(environment_);
    for (int round = 0; round < 4; ++round) {
      auto changes = random_changes(state, 400);
      apply(state, changes);
      IndexEdit(db_, txn).apply(7, changes);
    }
    txn.commit();
  }
  std::size_t refused = 0;
  for (int round = 0; round < rounds(1500); ++round) {
    lmdb::WriteTransaction txn(environment_);
    const auto& database = round % 3 == 0 ? db_.counts : db_.blocks;
    auto rows = read_rows(txn.get(), database);
    auto row = std::next(rows.begin(), static_cast<std::ptrdiff_t>(below(rows.size())));
    auto value = row->second;
    for (auto flips = 1 + below(3); flips > 0; --flips)
      value[below(value.size())] ^= static_cast<char>(1 << below(8));
    if (below(4) == 0) value.resize(below(value.size()));
    txn.put(database, row->first, value);  // with the right seal
    auto later = state;
    try {
      for (int i = 0; i < 3; ++i) {
        auto changes = random_changes(later, 400);
        apply(later, changes);
        IndexEdit(db_, txn).apply(7, changes);
      }
    } catch (const lmdb::Damaged&) {
      ++refused;
    } catch (const std::length_error&) {
    }
  }
  EXPECT_GT(refused, rounds(100u));
}

TEST_F(EditTest, TextsAreKeptUnderTheirCodes) {
  lmdb::WriteTransaction txn(environment_);
  Value red{3, 77, 0, false, "red"}, blue{3, 77, 0, false, "blue"}, other{4, 77, 0, false, "blue"};
  IndexEdit(db_, txn).apply(1, std::vector<Change>{{id_of(1), Values{red, other}}});
  std::map<std::string, std::string> texts = {
      {std::string(std::string_view(text_key(3, 77))), "red"},
      {std::string(std::string_view(text_key(4, 77))), "blue"}};
  EXPECT_EQ(read_rows(txn.get(), db_.texts), texts);
  IndexEdit(db_, txn).apply(1, std::vector<Change>{{id_of(1), std::nullopt}});
  EXPECT_EQ(read_rows(txn.get(), db_.texts), texts);
  IndexEdit edit(db_, txn);
  EXPECT_THROW(edit.apply(2, std::vector<Change>{{id_of(1), Values{blue}}}), lmdb::Damaged);
}

TEST_F(EditTest, ChangesThatAreNotSortedAreRefused) {
  lmdb::WriteTransaction txn(environment_);
  IndexEdit edit(db_, txn);
  Change one{id_of(1), Values{}}, two{id_of(2), Values{}};
  EXPECT_THROW(edit.apply(1, std::vector<Change>{two, one}), std::invalid_argument);
  EXPECT_THROW(edit.apply(1, std::vector<Change>{one, one}), std::invalid_argument);
  EXPECT_TRUE(holds(txn, {}));
}

TEST_F(EditOfOneBlockTest, ABlockOfTooManyIdsIsRefused) {
  lmdb::WriteTransaction txn(environment_);
  std::vector<Change> changes;
  for (std::uint64_t i = 0; i < max_block; ++i) changes.push_back({id_of(i), Values{{1, i % 3}}});
  IndexEdit(db_, txn).apply(1, changes);
  IndexEdit edit(db_, txn);
  EXPECT_THROW(edit.apply(1, std::vector<Change>{{id_of(max_block), Values{}}}), std::length_error);
}

}  // namespace
}  // namespace quire::bitmap_index
