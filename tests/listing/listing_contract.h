// What holds of every listing, whoever makes it: in every sort and direction, from positions whose
// comments are there or not, compared with a plain vector. Included by one file of each folder of
// tests, which says what the listings are made over.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "base/rounds.h"
#include "listing/listing.h"
#include "listing/random_facets.h"
#include "loop/loop.h"
#include "store/ports.h"

namespace quire {

// A store and the maker of its listings.
struct ListingBackend {
  virtual ~ListingBackend() = default;
  virtual Store& store() = 0;
  virtual std::unique_ptr<ListingMaker> maker() = 0;
  // An index beside the store has this comment, too.
  virtual void add(const Comment&) {}

  Numbers::Kind kind = Numbers::Kind::exact;
  std::size_t facets = 0;  // that can be filtered and sorted by
  bool words = false;      // whether queries have some
};
using MakeBackend = std::function<std::unique_ptr<ListingBackend>()>;

class ListingContract : public testing::TestWithParam<MakeBackend> {
 protected:
  // The listing of a query, and what the plain vector has for it.
  struct World {
    std::unique_ptr<View> view;
    std::unique_ptr<const Filter> filter;
    std::unique_ptr<Listing> listing;
    Query query;
    std::vector<Comment> all;
  };

  ListingContract() {
    for (const auto& facet : random_.declared())
      EXPECT_TRUE(wait(store().facets()->declare(facet)));
    model_.facets = random_.declared();
    std::vector<Comment> batch;
    for (int i = 0; i < 300; ++i) {
      batch.push_back(random_.comment());
      model_.insert(batch.back());
      backend_->add(batch.back());
    }
    EXPECT_TRUE(wait(store().insert_many(batch)));
  }

  std::size_t below(std::size_t end) { return random_.below(end); }
  Store& store() { return backend_->store(); }
  Numbers::Kind kind() const { return backend_->kind; }

  Query random_query(Sort sort) {
    Query query = random_.query(below(20) ? "42" : "nobody");
    query.limit = 1 + below(30);
    query.sort = sort;
    if (backend_->facets == 0) query.facets.clear();
    return query;
  }

  World open(const Query& query, Opening opening) {
    World world{store().view(), {}, {}, query, model_.comments(query)};
    auto schema = wait(world.view->schema()).value();
    world.filter = std::make_unique<Filter>(make_filter(query, *schema).value());
    SortBy sort{query.sort};
    if (sort.by_value()) sort.by = sort_facet(query, *schema).value();
    auto counts = wait(world.view->counts(query.product)).value();
    auto listing = wait(maker_->open(*world.view, *world.filter, sort, counts, opening));
    world.listing = std::move(listing).value();
    return world;
  }
  World open(const Query& query) { return open(query, {query.limit}); }

  static Position position_of(const Comment& comment, const Query& query) {
    if (query.sort == Sort::newest || query.sort == Sort::oldest) return {comment.id};
    return {comment.id, number_of(comment, query.sort_facet)};
  }

  // A comment that need not be there. Its rating is one that the query selects.
  Comment random_edge(const World& world) {
    if (!world.all.empty() && below(3)) {
      Comment edge = world.all[below(world.all.size())];
      if (below(3) == 0) edge.id = below(2) ? edge.id.next() : edge.id.previous();
      return edge;
    }
    Comment edge = random_.comment();
    const auto& ratings = world.query.ratings;
    if (!ratings.empty()) edge.rating = ratings[below(ratings.size())];
    return edge;
  }

  static std::size_t before(const World& world, const Comment& edge) {
    auto preceding = [&](const Comment& each) { return precedes(each, edge, world.query); };
    return static_cast<std::size_t>(std::count_if(world.all.begin(), world.all.end(), preceding));
  }

  // The rows are the comments from the `from`-th to the `to`-th, which is not one of them.
  void expect_rows(const World& world, const Rows& rows, std::size_t from, std::size_t to) {
    SCOPED_TRACE(world.listing->explanation().summary);
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
    EXPECT_EQ(rows.first, position_of(world.all[from], world.query));
    if (rows.previous) {
      EXPECT_EQ(rows.previous, rows.first);
    }
    if (rows.next) {
      EXPECT_EQ(rows.next, position_of(world.all[to - 1], world.query));
    }
  }

  static Rows read(World& world, const std::optional<Position>& from, Direction direction) {
    return std::move(wait(world.listing->read(from, direction))).value();
  }
  static std::optional<std::uint64_t> rank(World& world, const std::optional<Position>& position) {
    return wait(world.listing->rank(position)).value();
  }
  static std::optional<Position> at(World& world, std::uint64_t n) {
    return wait(world.listing->at(n)).value();
  }

  static constexpr Sort sorts[] = {Sort::newest, Sort::oldest, Sort::highest, Sort::lowest};

  std::unique_ptr<ListingBackend> backend_ = GetParam()();
  RandomFacets random_{20261123, backend_->facets, backend_->words};
  PlainModel model_;
  std::unique_ptr<ListingMaker> maker_ = backend_->maker();
};

TEST_P(ListingContract, IsReadFromAnyPositionInBothDirections) {
  for (int round = 0; round < rounds(200); ++round) {
    World world = open(random_query(sorts[round % 4]));
    auto limit = world.query.limit, size = world.all.size();
    Comment edge = random_edge(world);
    auto position = position_of(edge, world.query);
    auto from = before(world, edge);
    bool there = from < size && world.all[from].id == edge.id;
    auto forward = read(world, position, Direction::forward);
    expect_rows(world, forward, from + there, std::min(size, from + there + limit));
    auto backward = read(world, position, Direction::backward);
    expect_rows(world, backward, from - std::min(from, limit), from);
    if (HasFailure()) return;
  }
}

TEST_P(ListingContract, IsReadFromBothEnds) {
  for (int round = 0; round < rounds(40); ++round) {
    World world = open(random_query(sorts[round % 4]));
    auto limit = world.query.limit, size = world.all.size();
    expect_rows(world, read(world, {}, Direction::forward), 0, std::min(size, limit));
    expect_rows(world, read(world, {}, Direction::backward), size - std::min(size, limit), size);
    if (HasFailure()) return;
  }
}

TEST_P(ListingContract, LeadsFromRowsToTheirNeighbours) {
  for (int round = 0; round < rounds(60); ++round) {
    World world = open(random_query(sorts[round % 4]));
    auto size = world.all.size(), limit = world.query.limit;
    Comment edge = random_edge(world);
    for (bool on : {true, false}) {
      auto position = position_of(edge, world.query);
      Rows rows = read(world, position, on ? Direction::backward : Direction::forward);
      const auto& neighbour = on ? rows.next : rows.previous;
      if (!neighbour) continue;
      // Without rows the neighbours begin beside the position, with the same value.
      Comment beside = edge;
      if (!rows.entries.empty()) {
        auto at = std::find_if(world.all.begin(), world.all.end(),
                               [&](const Comment& each) { return each.id == neighbour->id; });
        ASSERT_NE(at, world.all.end());
        beside = *at;
      }
      beside.id = neighbour->id;
      auto from = before(world, beside);
      bool there = from < size && world.all[from].id == beside.id;
      Rows next = read(world, neighbour, on ? Direction::forward : Direction::backward);
      if (on) expect_rows(world, next, from + there, std::min(size, from + there + limit));
      if (!on) expect_rows(world, next, from - std::min(from, limit), from);
      EXPECT_FALSE(next.entries.empty());
    }
    if (HasFailure()) return;
  }
}

TEST_P(ListingContract, NumbersItsPositionsOrSaysThatItDoesNot) {
  for (int round = 0; round < rounds(100); ++round) {
    World world = open(random_query(sorts[round % 4]));
    auto size = world.all.size();
    EXPECT_EQ(world.listing->numbers().kind, kind());
    EXPECT_EQ(world.listing->numbers().missing, "");
    Comment edge = random_edge(world);
    auto position = position_of(edge, world.query);
    if (kind() == Numbers::Kind::none) {
      EXPECT_FALSE(rank(world, position));
      EXPECT_FALSE(rank(world, {}));
      EXPECT_FALSE(at(world, 0));
      continue;
    }
    ASSERT_EQ(world.listing->total(), size) << world.listing->explanation().summary;
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
    if (HasFailure()) return;
  }
}

TEST_P(ListingContract, ReadsNoMoreThanItsRowsWhereNobodyAsksForNeighbours) {
  Query query{.product = "42", .limit = 7};
  Opening opening{query.limit, Opening::Numbered::no, Opening::Neighbours::skip};
  World world = open(query, opening);
  EXPECT_EQ(world.listing->numbers().kind, Numbers::Kind::none);
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

}  // namespace quire
