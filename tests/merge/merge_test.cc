// The merge against a plain sorted vector, on every small input.
#include "merge/merge.h"

#include <gtest/gtest.h>

#include "base/rounds.h"
#include "merge/exhaustive.h"
#include "merge/world.h"

namespace quire {
namespace {

// The right page, found without a merge.
struct Expected {
  std::vector<Ulid> rows;
  std::optional<Ulid> reached;
};

Expected expected(const World& world, const std::optional<Ulid>& after, std::size_t wanted,
                  const Filter& residual) {
  Expected page;
  for (const auto& entry : world.in_order(after)) {
    if (page.rows.size() == wanted) break;
    page.reached = entry.id;
    if (residual.matches(document_cell(entry.document))) page.rows.push_back(entry.id);
  }
  return page;
}

std::vector<Ulid> ids(const std::vector<Entry>& entries) {
  std::vector<Ulid> out;
  for (const auto& entry : entries) out.push_back(entry.id);
  return out;
}

// Whether the merge of `world` is right. A single verdict, because millions of assertions are
// slow.
bool merges_well(const World& world, const std::optional<Ulid>& after, std::size_t wanted,
                 const Filter& residual, const Cutter& cut) {
  Merge merge(world.lists.size(), world.order, after, wanted, residual);
  Fed fed = run(merge, world, after, cut);
  Expected page = expected(world, after, wanted, residual);
  return ids(merge.rows()) == page.rows && merge.reached() == page.reached && !fed.asked_in_vain &&
         !fed.lost_its_position && merge.read() == fed.entries &&
         merge.discarded() == fed.entries - page.rows.size();
}

// Ids 2, 4, 6 … so that positions between them exist; each in any of the lists.
World any_world(EveryChoice& every, std::size_t ids) {
  World world{std::vector<std::vector<Entry>>(every.choose(4)), Order::newest_first};
  if (every.choose(2)) world.order = Order::oldest_first;
  if (world.lists.empty()) return world;
  for (std::size_t i = 1; i <= ids; ++i) {
    world.add(every.choose(world.lists.size()), {id_number(2 * i), document_rated(1 + i % 2 * 4)});
  }
  world.sort();
  return world;
}

std::optional<Ulid> any_position(EveryChoice& every, std::size_t ids) {
  auto position = every.choose(2 * ids + 3);
  if (position == 0) return {};
  return id_number(
      position);  // 1 … 2 * ids + 2: on each id, between them, and before and after all
}

TEST(Merge, OfEverySmallInputInEveryWayToSliceIt) {
  for (std::size_t ids = 0; ids <= 3u - sanitized; ++ids) {
    for (EveryChoice every; every.next();) {
      World world = any_world(every, ids);
      auto after = any_position(every, ids);
      auto wanted = every.choose(ids + 2);
      Filter residual{"42", {}};
      if (every.choose(2)) residual.values[rating_facet] = {5};
      // Empty slices come before any other, but not two in a row: that could go on for ever.
      Cutter cut = [&](std::size_t, std::size_t left, bool was_empty) -> Cut {
        auto least = was_empty && left > 0 ? 1u : 0u;
        auto count = least + every.choose(left + 1 - least);
        bool tell = count == left && (was_empty || every.choose(2) == 0);
        return {count, tell};
      };
      ASSERT_TRUE(merges_well(world, after, wanted, residual, cut));
    }
  }
}

// Slices of `size`, each after an empty one or not, the end told with the last entries or after
// them.
Cutter regular(std::size_t size, bool empties, bool late) {
  return [=](std::size_t, std::size_t left, bool was_empty) -> Cut {
    if (empties && !was_empty && left > 0) return {0, false};
    return {std::min(size, left), !late || left == 0};
  };
}

TEST(Merge, OfEveryDistributionOfIdsOverThreeLists) {
  constexpr std::size_t ids = 6 - sanitized;
  const std::array<Cutter, 4> cutters{regular(1, false, true), regular(2, true, false),
                                      regular(3, true, true), regular(6, false, false)};
  for (EveryChoice every; every.next();) {
    World world = any_world(every, ids);
    auto after = any_position(every, ids);
    Filter residual{"42", {}};
    for (std::size_t wanted = 0; wanted <= ids + 1; ++wanted) {
      residual.values[rating_facet].clear();
      if (wanted % 2) residual.values[rating_facet] = {5};
      ASSERT_TRUE(merges_well(world, after, wanted, residual, cutters[wanted % cutters.size()]));
    }
  }
}

TEST(Merge, TakesNothingWhileAListsNextEntryIsUnknown) {
  Merge merge(2, Order::newest_first, {}, 5, {});
  EXPECT_EQ(merge.advance(), (std::vector<std::size_t>{0, 1}));
  merge.feed(0, {{{id_number(9), {}}}, true});
  EXPECT_EQ(merge.advance(), std::vector<std::size_t>{1});
  merge.feed(1, {{}, false});  // nothing yet is not the end
  EXPECT_EQ(merge.advance(), std::vector<std::size_t>{1});
  EXPECT_TRUE(merge.rows().empty());
  merge.feed(1, {{{id_number(10), {}}}, true});
  EXPECT_TRUE(merge.advance().empty());
  EXPECT_EQ(ids(merge.rows()), (std::vector<Ulid>{id_number(10), id_number(9)}));
}

TEST(Merge, TakesAnIdOfSeveralListsOnce) {
  Merge merge(3, Order::newest_first, {}, 5, {});
  merge.advance();
  merge.feed(0, {{{id_number(9), {}}, {id_number(7), {}}}, true});
  merge.feed(1, {{{id_number(9), {}}}, false});
  merge.feed(2, {{{id_number(8), {}}}, true});
  EXPECT_EQ(merge.advance(), std::vector<std::size_t>{1});
  merge.feed(1, {{{id_number(7), {}}}, true});
  EXPECT_TRUE(merge.advance().empty());
  EXPECT_EQ(ids(merge.rows()), (std::vector<Ulid>{id_number(9), id_number(8), id_number(7)}));
  EXPECT_EQ(merge.discarded(), 2u);
}

TEST(Merge, AsksForNothingOnceThereAreEnoughRows) {
  Merge merge(2, Order::newest_first, {}, 1, {});
  EXPECT_EQ(merge.advance().size(), 2u);
  merge.feed(0, {{{id_number(9), {}}}, false});
  merge.feed(1, {{{id_number(8), {}}}, false});
  EXPECT_TRUE(merge.advance().empty());
  EXPECT_EQ(merge.read(), 2u);
  EXPECT_EQ(merge.discarded(), 1u);
}

TEST(Merge, OfNoRowsReadsNothing) {
  Merge merge(3, Order::newest_first, {}, 0, {});
  EXPECT_TRUE(merge.advance().empty());
  EXPECT_EQ(merge.reached(), std::nullopt);
}

TEST(Merge, OfNoListsIsComplete) {
  Merge merge(0, Order::newest_first, {}, 5, {});
  EXPECT_TRUE(merge.advance().empty());
  EXPECT_TRUE(merge.rows().empty());
}

TEST(Merge, CountsWhatItReadAndDropped) {
  Filter fives{"42", {{{}, {5}}}};
  Merge merge(1, Order::oldest_first, {}, 2, fives);
  merge.advance();
  merge.feed(0, {{{id_number(1), document_rated(5)},
                  {id_number(2), document_rated(1)},
                  {id_number(3), document_rated(1)},
                  {id_number(4), document_rated(5)},
                  {id_number(5), document_rated(5)}},
                 false});
  EXPECT_TRUE(merge.advance().empty());
  EXPECT_EQ(ids(merge.rows()), (std::vector<Ulid>{id_number(1), id_number(4)}));
  EXPECT_EQ(merge.read(), 5u);
  EXPECT_EQ(merge.discarded(), 3u);  // two of another rating, and one too many
  EXPECT_EQ(merge.reached(), id_number(4));
}

TEST(Merge, HasReachedAlsoWhatItDropped) {
  Filter fives{"42", {{{}, {5}}}};
  Merge merge(1, Order::oldest_first, {}, 2, fives);
  merge.advance();
  merge.feed(0, {{{id_number(1), document_rated(1)}, {id_number(2), document_rated(1)}}, false});
  EXPECT_EQ(merge.advance(), std::vector<std::size_t>{0});
  EXPECT_EQ(merge.reached(), id_number(2));
  EXPECT_TRUE(merge.rows().empty());
}

TEST(Stream, IsPendingUntilToldOtherwise) {
  Stream stream(id_number(3));
  EXPECT_EQ(stream.head(), Stream::Head::pending);
  EXPECT_EQ(stream.after(), id_number(3));
  stream.feed({{}, false});
  EXPECT_EQ(stream.head(), Stream::Head::pending);
  EXPECT_EQ(stream.after(), id_number(3));
  stream.feed({{{id_number(5), {}}}, false});
  EXPECT_EQ(stream.head(), Stream::Head::entry);
  EXPECT_EQ(stream.after(), id_number(5));
  stream.pop();
  EXPECT_EQ(stream.head(), Stream::Head::pending);
  stream.feed({{}, true});
  EXPECT_EQ(stream.head(), Stream::Head::end);
}

}  // namespace
}  // namespace quire
