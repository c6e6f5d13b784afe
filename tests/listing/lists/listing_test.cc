// A listing of lists against a plain vector: in every sort and direction, from positions whose
// comments are there or not, with exact numbers, an index's own, and none.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <random>

#include "listing/lists/maker.h"
#include "listing/lying_store.h"
#include "listing/model.h"
#include "listing/plain_index.h"
#include "loop/wait.h"
#include "store/embedded/store.h"
#include "store/support.h"

namespace quire::lists {
namespace {

using Kind = Numbers::Kind;

class ListingOfLists : public testing::TestWithParam<Kind> {
 protected:
  // The listing of a query, and what the plain vector has for it.
  struct World {
    std::unique_ptr<View> view;
    std::unique_ptr<Listing> listing;
    Query query;
    std::vector<Comment> all;
  };

  ListingOfLists() {
    std::vector<Comment> batch;
    for (std::uint64_t made = 0; made < 300; ++made) {
      batch.push_back(comment_at(1000 + below(100), made, below(3) ? "en" : languages[below(4)],
                                 below(3) ? 5 : static_cast<int>(below(5)) + 1));
      model_.insert(batch.back());
      index_.add(batch.back());
    }
    EXPECT_TRUE(wait(embedded_->insert_many(batch)));
  }

  std::size_t below(std::size_t end) { return random_() % end; }

  Store& store() { return GetParam() == Kind::exact ? static_cast<Store&>(*embedded_) : lying_; }

  std::unique_ptr<ListingMaker> maker() {
    return listings_of(store(), {.index = GetParam() == Kind::of_index ? &index_ : nullptr});
  }

  Query random_query(Sort sort) {
    Query query{.product = below(20) ? "42" : "nobody", .limit = 1 + below(30), .sort = sort};
    for (auto count = below(3); count > 0; --count) query.languages.push_back(languages[below(4)]);
    for (auto count = below(4); count > 0; --count)
      query.ratings.push_back(static_cast<int>(below(5)) + 1);
    return query;
  }

  World open(const Query& query, Opening opening) {
    World world{store().view(), {}, query, model_.comments(query)};
    auto filter = make_filter(query).value();
    auto counts = wait(world.view->counts(query.product)).value();
    world.listing =
        std::move(wait(maker_->open(*world.view, filter, query.sort, counts, opening))).value();
    return world;
  }
  World open(const Query& query) { return open(query, {query.limit}); }

  static Position position_of(const Comment& comment, Sort sort) {
    bool by_rating = sort == Sort::highest || sort == Sort::lowest;
    return {comment.id, by_rating ? static_cast<FacetValue>(comment.rating) : any};
  }

  // A comment that need not be there, with a rating that the query selects.
  Comment random_edge(const World& world) {
    if (!world.all.empty() && below(3)) {
      Comment edge = world.all[below(world.all.size())];
      if (below(3) == 0) edge.id = below(2) ? edge.id.next() : edge.id.previous();
      return edge;
    }
    const auto& ratings = world.query.ratings;
    int rating = ratings.empty() ? static_cast<int>(below(5)) + 1 : ratings[below(ratings.size())];
    return comment_at(990 + below(120), below(400), "en", rating);
  }

  static std::size_t before(const World& world, const Comment& edge) {
    auto preceding = [&](const Comment& each) {
      return PlainModel::precedes(each, edge, world.query.sort);
    };
    return static_cast<std::size_t>(std::count_if(world.all.begin(), world.all.end(), preceding));
  }

  // The rows are the comments from the `from`-th to the `to`-th, which is not one of them.
  void expect_rows(World& world, const Rows& rows, std::size_t from, std::size_t to) {
    ASSERT_EQ(rows.entries.size(), to - from);
    EXPECT_EQ(rows.damaged, 0u);
    for (std::size_t i = from; i < to; ++i) {
      EXPECT_EQ(rows.entries[i - from].id, world.all[i].id);
      EXPECT_FALSE(rows.entries[i - from].document.empty());
    }
    EXPECT_EQ(rows.previous.has_value(), from > 0);
    EXPECT_EQ(rows.next.has_value(), to < world.all.size());
    EXPECT_GE(rows.read, rows.entries.size());
    if (from == to) return;
    EXPECT_EQ(rows.first, position_of(world.all[from], world.query.sort));
    if (rows.previous) {
      EXPECT_EQ(rows.previous, rows.first);
    }
    if (rows.next) {
      EXPECT_EQ(rows.next, position_of(world.all[to - 1], world.query.sort));
    }
  }

  Rows read(World& world, const std::optional<Position>& from, Direction direction) {
    return std::move(wait(world.listing->read(from, direction))).value();
  }
  std::optional<std::uint64_t> rank(World& world, const std::optional<Position>& position) {
    return wait(world.listing->rank(position)).value();
  }
  std::optional<Position> at(World& world, std::uint64_t n) {
    return wait(world.listing->at(n)).value();
  }

  TemporaryDirectory directory_;
  std::unique_ptr<embedded::LmdbStore> embedded_ =
      embedded::LmdbStore::open(directory_.path(), Access::write).value();
  LyingStore lying_{*embedded_, half_forgotten};
  PlainIndex index_;
  std::mt19937_64 random_{20261123};
  PlainModel model_;
  std::unique_ptr<ListingMaker> maker_ = maker();
};

constexpr Sort sorts[] = {Sort::newest, Sort::oldest, Sort::highest, Sort::lowest};

TEST_P(ListingOfLists, IsReadFromAnyPositionInBothDirections) {
  for (int round = 0; round < 200; ++round) {
    World world = open(random_query(sorts[round % 4]));
    auto limit = world.query.limit, size = world.all.size();
    Comment edge = random_edge(world);
    auto position = position_of(edge, world.query.sort);
    auto from = before(world, edge);
    bool there = from < size && world.all[from].id == edge.id;
    auto forward = read(world, position, Direction::forward);
    expect_rows(world, forward, from + there, std::min(size, from + there + limit));
    auto backward = read(world, position, Direction::backward);
    expect_rows(world, backward, from - std::min(from, limit), from);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ListingOfLists, IsReadFromBothEnds) {
  for (Sort sort : sorts) {
    World world = open(random_query(sort));
    auto limit = world.query.limit, size = world.all.size();
    expect_rows(world, read(world, {}, Direction::forward), 0, std::min(size, limit));
    expect_rows(world, read(world, {}, Direction::backward), size - std::min(size, limit), size);
  }
}

TEST_P(ListingOfLists, LeadsFromRowsToTheirNeighbours) {
  for (int round = 0; round < 40; ++round) {
    World world = open(random_query(sorts[round % 4]));
    auto size = world.all.size(), limit = world.query.limit;
    auto edge = position_of(random_edge(world), world.query.sort);
    for (bool on : {true, false}) {
      Rows rows = read(world, edge, on ? Direction::backward : Direction::forward);
      const auto& neighbour = on ? rows.next : rows.previous;
      if (!neighbour) continue;
      // Without rows the neighbours begin beside the position.
      Comment beside = comment_at(0, 0, "en", static_cast<int>(neighbour->value));
      beside.id = neighbour->id;
      auto from = before(world, beside);
      bool there = from < size && world.all[from].id == beside.id;
      Rows next = read(world, neighbour, on ? Direction::forward : Direction::backward);
      if (on) expect_rows(world, next, from + there, std::min(size, from + there + limit));
      if (!on) expect_rows(world, next, from - std::min(from, limit), from);
      EXPECT_FALSE(next.entries.empty());
    }
    if (HasFatalFailure()) return;
  }
}

TEST_P(ListingOfLists, NumbersItsPositionsOrSaysThatItDoesNot) {
  for (int round = 0; round < 100; ++round) {
    World world = open(random_query(sorts[round % 4]));
    auto size = world.all.size();
    EXPECT_EQ(world.listing->numbers().kind, GetParam());
    EXPECT_EQ(world.listing->numbers().missing, "");
    Comment edge = random_edge(world);
    auto position = position_of(edge, world.query.sort);
    if (GetParam() == Kind::none) {
      EXPECT_FALSE(rank(world, position));
      EXPECT_FALSE(rank(world, {}));
      EXPECT_FALSE(at(world, 0));
      continue;
    }
    ASSERT_EQ(world.listing->total(), size);
    EXPECT_EQ(rank(world, {}), 0u);
    EXPECT_EQ(rank(world, position), before(world, edge));
    EXPECT_FALSE(at(world, size)) << "there are fewer";
    EXPECT_FALSE(at(world, UINT64_MAX));
    if (size == 0) continue;
    auto n = below(size);
    auto found = at(world, n);
    ASSERT_TRUE(found);
    EXPECT_EQ(rank(world, found), n) << "each is the other's inverse";
    Rows rows = read(world, found, Direction::forward);
    expect_rows(world, rows, n, std::min(size, n + world.query.limit));
    EXPECT_EQ(rank(world, rows.first), n);
    if (rows.next) {
      EXPECT_EQ(rank(world, rows.next), n + rows.comments() - 1);
    }
    rows = read(world, position, Direction::backward);
    EXPECT_EQ(rank(world, rows.first), before(world, edge) - rows.comments());
    if (HasFatalFailure()) return;
  }
}

TEST_P(ListingOfLists, ReadsNoMoreThanItsRowsWhereNobodyAsksForNeighbours) {
  Query query{.product = "42", .limit = 7};
  Opening opening{query.limit, Opening::Numbered::no, Opening::Neighbours::skip};
  World world = open(query, opening);
  EXPECT_EQ(world.listing->numbers().kind, Kind::none);
  std::optional<Position> from;
  for (std::size_t n = 0; n < world.all.size(); n += query.limit) {
    Rows rows = read(world, from, Direction::forward);
    ASSERT_EQ(rows.entries.size(), std::min(query.limit, world.all.size() - n));
    EXPECT_EQ(rows.read, rows.entries.size());
    EXPECT_EQ(rows.requests, 1u);
    EXPECT_EQ(rows.entries.front().id, world.all[n].id);
    ASSERT_TRUE(rows.next);
    from = rows.next;
  }
  Rows end = read(world, from, Direction::forward);
  EXPECT_TRUE(end.entries.empty() && !end.next && !end.previous);
}

TEST_P(ListingOfLists, ExplainsItsLastReading) {
  World world = open({.product = "42", .ratings = {1, 2}, .limit = 5, .sort = Sort::lowest});
  Rows rows = read(world, {}, Direction::forward);
  Explanation explanation = world.listing->explanation();
  EXPECT_EQ(explanation.read, rows.read);
  EXPECT_EQ(explanation.requests, rows.requests);
  EXPECT_EQ(explanation.discarded, rows.read - rows.entries.size());
  EXPECT_NE(explanation.summary.find("byRating: 1 list 1"), std::string::npos)
      << explanation.summary;
  if (GetParam() == Kind::none) return;
  read(world, at(world, 6), Direction::forward);
  EXPECT_NE(world.listing->explanation().summary.find("; row 7 found by the page index in "),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, ListingOfLists,
                         testing::Values(Kind::exact, Kind::of_index, Kind::none));

// An index beside the store that fails in the middle of a request.
class ListingOfAFailingIndex : public ListingOfLists {
 protected:
  ListingOfAFailingIndex() { spdlog::set_level(spdlog::level::off); }
  ~ListingOfAFailingIndex() override { spdlog::set_level(spdlog::level::info); }
};

TEST_P(ListingOfAFailingIndex, HasNoNumbersFromThenOn) {
  const std::string why = "The page index cannot be asked now.";
  Query query{.product = "42", .limit = 7, .sort = Sort::highest};
  for (bool of_number : {true, false}) {
    World world = open(query);
    auto total = world.listing->total();
    index_.fails = [](int) { return true; };
    bool answered = of_number ? at(world, 10).has_value()
                              : rank(world, position_of(world.all[10], query.sort)).has_value();
    EXPECT_FALSE(answered);
    index_.fails = {};
    EXPECT_EQ(world.listing->numbers().kind, Kind::none);
    EXPECT_EQ(world.listing->numbers().missing, why);
    EXPECT_FALSE(at(world, 10));
    EXPECT_FALSE(rank(world, position_of(world.all[10], query.sort)));
    EXPECT_EQ(world.listing->total(), total);
    expect_rows(world, read(world, {}, Direction::forward), 0, 7);
  }
  // The index was asked how it stands, and does not follow.
  index_.said.phase = change::Phase::building;
  World world = open(query);
  EXPECT_EQ(world.listing->numbers().missing, "The page index is being built.");
  EXPECT_EQ(wait(maker_->index_status())->missing, "The page index is being built.");
}

// Beyond the last comment, the index is asked whether it was lost.
TEST_P(ListingOfAFailingIndex, DoesNotTakeALostIndexForTheEnd) {
  World world = open({.product = "42"});
  EXPECT_FALSE(at(world, 1000));
  EXPECT_EQ(world.listing->numbers().kind, Kind::of_index);
  index_.said = {};
  EXPECT_FALSE(at(world, 1000));
  EXPECT_EQ(world.listing->numbers().missing, "The page index is empty: run quire backfill.");
}

INSTANTIATE_TEST_SUITE_P(All, ListingOfAFailingIndex, testing::Values(Kind::of_index));

}  // namespace
}  // namespace quire::lists
