// Contract of page indexes: the contents of lists after any changes.
#pragma once

#include <atomic>
#include <thread>

#include "base/rounds.h"
#include "page_index/index_marks.h"

namespace quire {

TEST_P(IndexContract, ACommentIsInItsFourListsOnly) {
  put({inserted(1)});
  EXPECT_EQ(state(), State{});  // put() changes no marks
  auto lists = all_lists();
  auto lengths = wait(index_->ranks()->lengths("42", lists)).value();
  for (std::size_t i = 0; i < lists.size(); ++i)
    EXPECT_EQ(lengths[i], covers(lists[i], english_five)) << list_key("42", lists[i]);
  EXPECT_EQ(languages("42"), std::set{english_five[language_facet]});
}

TEST_P(IndexContract, RandomChangesGiveTheSameListsAsVectors) {
  std::mt19937_64 random(42);
  const std::vector<std::string> names{"42", "4", "42/en", "42/5", "a b"};
  PlainCells plain;
  reset({Phase::following, "e", "arn", {}});
  for (int step = 0; step < 12; ++step) {
    std::vector<Change> changes;
    for (auto count = random() % 80; count > 0; --count)
      changes.push_back(plain.wander(random, names[random() % names.size()]));
    follow(changes);
    if (step % 3 == 2) expect_same(*index_, plain, random);
    if (HasFailure()) return;
  }
  std::vector<Change> all_gone;
  for (const auto& [product, comments] : plain.products) {
    for (const auto& [id, cell] : comments) all_gone.push_back({product, id, cell, {}});
  }
  follow(all_gone);
  expect_same(*index_, {}, random);
}

TEST_P(IndexContract, EmptyQuestionsHaveEmptyAnswers) {
  put({inserted(1)});
  auto ranks = index_->ranks();
  EXPECT_TRUE(wait(ranks->lengths("42", {}))->empty());
  EXPECT_TRUE(wait(ranks->slices("42", {}))->empty());
  EXPECT_TRUE(wait(ranks->ranks("42", {}, id_number(1)))->empty());
  put({});
}

TEST_P(IndexContract, ACommentMayChangeSeveralTimesInOneBatch) {
  auto first = id_number(1), second = id_number(2), third = id_number(3), fourth = id_number(4);
  put({{"42", fourth, {}, english_five}});
  put({{"42", first, {}, english_five},
       {"42", first, english_five, german_one},
       {"42", second, {}, english_five},
       {"42", first, german_one, cell("en", 4)},
       {"42", second, english_five, {}},
       {"42", second, {}, german_one},
       {"42", third, {}, german_one},
       {"42", third, german_one, {}},
       {"42", fourth, english_five, {}},
       {"42", fourth, {}, english_five}});
  PlainCells plain;
  plain.products["42"] = {{first, cell("en", 4)}, {second, german_one}, {fourth, english_five}};
  std::mt19937_64 random(1);
  expect_same(*index_, plain, random);
}

// A change decides where a comment is afterwards, even if its `from` is wrong.
TEST_P(IndexContract, AChangeToTheSameCellAddsAMissingComment) {
  put({{"42", id_number(1), english_five, english_five}});
  EXPECT_EQ(ids("42", english_five).size(), 1u);
  put({{"42", id_number(1), english_five, english_five}});
  EXPECT_EQ(ids("42"), std::vector{id_number(1)});
  EXPECT_EQ(products(), std::vector<std::string>{"42"});
}

TEST_P(IndexContract, RemovingAnAbsentCommentLeavesNothing) {
  put({{"42", id_number(1), english_five, {}}, {"42", id_number(2)}});
  EXPECT_TRUE(products().empty());
  EXPECT_TRUE(languages("42").empty());
  put({inserted(3), {"42", id_number(1), english_five, {}}});
  EXPECT_EQ(ids("42"), std::vector{id_number(3)});
}

TEST_P(IndexContract, TheSameChangesMayComeAgain) {
  std::mt19937_64 random(5);
  PlainCells plain;
  std::vector<Change> inserts;
  for (int i = 0; i < 50; ++i) {
    inserts.push_back({"42", random_id(random), {}, random_cell(random)});
    plain.apply({inserts.back()});
  }
  for (int i = 0; i < 3; ++i) put(inserts);
  expect_same(*index_, plain, random);
  std::vector<Change> moves;
  for (const auto& change : inserts)
    moves.push_back({"42", change.id, change.to, random_cell(random)});
  plain.apply(moves);
  for (int i = 0; i < 3; ++i) put(moves);
  expect_same(*index_, plain, random);
}

// A backfill works like this: a scan finds each comment at some moment of its own, then the stream
// repeats all changes since before the scan.
TEST_P(IndexContract, AHistoryAfterAScanEndsInTheStateOfTheHistory) {
  std::mt19937_64 random(9);
  PlainCells plain;
  std::vector<Change> history;
  std::map<Ulid, std::optional<Cell>> scanned;
  for (int i = 0; i < 400; ++i) {
    auto change = plain.wander(random, i % 3 ? "42" : "a/b");
    bool seen = i % 4 == 0 || !scanned.contains(change.id);
    if (seen) scanned[change.id] = cell_of(change.to);
    history.push_back(std::move(change));
  }
  reset({Phase::building, "e", "arn", {}});
  std::vector<Change> scan;
  std::set<Ulid> last;  // the scan sees half of the comments in their last state
  for (auto change = history.rbegin(); change != history.rend(); ++change) {
    if (!last.insert(change->id).second) continue;
    auto cell = last.size() % 2 ? cell_of(change->to) : scanned[change->id];
    if (cell) scan.push_back({change->product, change->id, {}, *cell});
  }
  follow(scan);
  for (std::size_t i = 0; i < history.size(); i += 50)
    follow({history.begin() + static_cast<std::ptrdiff_t>(i),
            history.begin() + static_cast<std::ptrdiff_t>(std::min(i + 50, history.size()))});
  expect_same(*index_, plain, random);
}

TEST_P(IndexContract, LongListsAreFilledInBigBatchesAndReadAtDepth) {
  std::mt19937_64 random(11);
  PlainCells plain;
  reset({Phase::building, "e", "arn", {}});
  for (int batch = 0; batch < rounds(40); ++batch) {
    std::vector<Change> changes;
    for (int i = 0; i < 1000; ++i)
      changes.push_back({"42", random_id(random), {}, random_cell(random)});
    plain.apply(changes);
    follow(std::move(changes));
  }
  expect_same(*index_, plain, random);
  std::vector<Change> moves;
  for (auto& [id, cell] : plain.products["42"]) {
    if (moves.size() < 1000 && random() % 10 == 0)
      moves.push_back({"42", id, cell, random_cell(random)});
  }
  plain.apply(moves);
  follow(moves);
  expect_same(*index_, plain, random);
}

TEST_P(IndexContract, OneQuestionMayNameHundredsOfLists) {
  PlainCells plain;
  std::vector<Cell> lists;
  std::vector<Change> changes;
  std::mt19937_64 random(17);
  for (int i = 0; i < 300; ++i) {
    std::string language{'x', static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)};
    for (int rating : {1, 5}) {
      lists.push_back(cell(language, rating));
      changes.push_back({"42", random_id(random), {}, lists.back()});
    }
  }
  plain.apply(changes);
  put(std::move(changes));
  EXPECT_EQ(languages("42").size(), 300u);
  Comparison(*index_, plain, "42", lists).every_one(random);
}

// Each answer belongs to one moment, so its sizes lie between those before and after.
TEST_P(IndexContract, ManyReadersRunBesideAWriter) {
  std::mt19937_64 random(13);
  PlainCells plain;
  std::vector<Change> first;
  for (int i = 0; i < 300; ++i) first.push_back({"42", random_id(random), {}, random_cell(random)});
  plain.apply(first);
  reset({Phase::following, "e", "arn", {}});
  follow(first);
  constexpr std::size_t steps = 30, a_step = 20;
  constexpr std::size_t most = 300 + steps * a_step;
  std::atomic<bool> done = false;
  auto read = [&](unsigned seed) {
    std::mt19937_64 chance(seed);
    std::vector<Cell> lists{Cell{}};
    for (FacetValue rating = 1; rating <= 5; ++rating) lists.push_back({any, rating});
    std::span<const Cell> ratings(lists.data() + 1, 5);
    do {
      auto ranks = index_->ranks();
      auto lengths = wait(ranks->lengths("42", lists)).value();
      EXPECT_GE(lengths[0], 300u);
      EXPECT_LE(lengths[0], most);
      RankRange range{Cell{}, 0, most + 1};
      auto all = std::move(wait(ranks->slices("42", {&range, 1})).value().at(0));
      EXPECT_GE(all.size(), lengths[0]);
      EXPECT_LE(all.size(), most);
      EXPECT_TRUE(std::adjacent_find(all.begin(), all.end(), std::greater_equal<>()) == all.end());
      auto older = wait(ranks->ranks("42", lists, all[all.size() / 2])).value();
      EXPECT_GE(older[0], all.size() / 2);
      auto nth = wait(ranks->nth_of_union("42", ratings, lengths[0], chance() % 300));
      if (!nth) {
        EXPECT_EQ(nth.error().code, ErrorCode::unavailable);
      }
    } while (!done);
  };
  std::vector<std::thread> readers;
  for (unsigned i = 0; i < 3; ++i) readers.emplace_back(read, i);
  for (std::size_t i = 0; i < steps; ++i) {
    std::vector<Change> changes;
    for (std::size_t j = 0; j < a_step; ++j)
      changes.push_back({"42", random_id(random), {}, random_cell(random)});
    plain.apply(changes);
    follow(std::move(changes));
  }
  done = true;
  for (auto& reader : readers) reader.join();
  expect_same(*index_, plain, random);
}

}  // namespace quire
