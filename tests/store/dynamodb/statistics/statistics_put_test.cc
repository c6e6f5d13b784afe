// A product's statistics are compared with a recount and repaired. On a real server, leaderboards
// equal the embedded store's.
#include <gtest/gtest.h>

#include <thread>

#include "model/counts.h"
#include "store/dynamodb/comments/view.h"
#include "store/dynamodb/statistics_world.h"
#include "store/embedded/store.h"
#include "store/table_backend.h"

namespace quire::dynamodb {
namespace {

Totals totals_of(const PlainCells& plain, const std::string& product) {
  Totals totals;
  auto at = plain.products.find(product);
  if (at == plain.products.end()) return totals;
  for (const auto& [id, cell] : at->second) {
    for (FacetValue language : {any, cell[language_facet]})
      ++totals[language][cell[rating_facet] - 1];
  }
  return totals;
}

class StatisticsPut : public testing::Test, protected StatisticsWorld {
 protected:
  StatisticsPut() : StatisticsWorld(8) {
    recorder_.products = 2;
    reset(following());
    auto changes = recorder_.records(60);
    follow("s", changes, {recorder_.place()});
    right_ = items_of(recorder_.plain, 8);
  }
  Items items() { return beside_marks(service.table); }
  Totals totals() { return totals_of(recorder_.plain, "p/0"); }
  std::vector<std::string> differences() {
    return wait(statistics.differences("p/0", totals())).value();
  }
  Status put() { return wait(statistics.put({{"p/0", totals()}})); }

  Recorder recorder_{5};
  Items right_;
};

TEST_F(StatisticsPut, CorrectItemsHaveNoDifferencesAndAreNotWritten) {
  EXPECT_EQ(items(), right_);
  EXPECT_TRUE(differences().empty());
  service.asked.clear();
  EXPECT_TRUE(put());
  EXPECT_EQ(service.asked["TransactWriteItems"], 0u);
  EXPECT_EQ(wait(statistics.products("", 10)).value(), (std::vector<std::string>{"p/0", "p/1"}));
  EXPECT_EQ(wait(statistics.products("p/0", 10)).value(), std::vector<std::string>{"p/1"});
}

TEST_F(StatisticsPut, EachMissingOrWrongItemIsFoundAndRepaired) {
  std::size_t tried = 0;
  for (const auto& [key, item] : right_) {
    bool mine = key.first == "PRODUCT#p%2F0" || key == PlainTable::Key("PRODUCTS", "p/0");
    if (!mine) continue;
    ++tried;
    service.table.items.erase(key);
    std::string name = "Item " + key.first + " " + key.second;
    EXPECT_EQ(differences(), std::vector<std::string>{name + " is missing."});
    EXPECT_TRUE(put());
    EXPECT_EQ(items(), right_);
    if (item.size() == 2) continue;
    service.table.items[key].insert_or_assign("GSISK", string("000000000099"));
    EXPECT_EQ(differences(), std::vector<std::string>{name + " is not what a recount gives."});
    EXPECT_TRUE(put());
    EXPECT_EQ(items(), right_);
  }
  EXPECT_GT(tried, 5u);
}

TEST_F(StatisticsPut, SuperfluousItemsAreFoundAndRemoved) {
  FacetValue language = cell("xx", 1)[language_facet];
  for (const auto& item : {statistics_item("p/0", language, {1, 0, 0, 0, 0}, 8),
                           *average_item("p/0", language, {1, 0, 0, 0, 0}, 8)}) {
    service.table.items[PlainTable::key_in(item)] = item;
    EXPECT_EQ(differences(), std::vector<std::string>{"Item PRODUCT#p%2F0 " + item.at("SK").text +
                                                      " counts no comments."});
    EXPECT_TRUE(put());
    EXPECT_EQ(items(), right_);
  }
  // Items of other programs stay.
  Item other = key_of("PRODUCT#p%2F0", "note");
  service.table.items[PlainTable::key_in(other)] = other;
  EXPECT_TRUE(differences().empty());
  EXPECT_TRUE(put());
  EXPECT_TRUE(service.table.find(other));
}

TEST_F(StatisticsPut, AProductWithoutCommentsIsRemoved) {
  EXPECT_TRUE(wait(statistics.put({{"p/0", {}}})));
  recorder_.plain.products.erase("p/0");
  EXPECT_EQ(items(), items_of(recorder_.plain, 8));
  EXPECT_TRUE(differences().empty());
  EXPECT_EQ(wait(statistics.products("", 10)).value(), std::vector<std::string>{"p/1"});
}

TEST_F(StatisticsPut, ManyProductsShareTransactions) {
  std::map<std::string, Totals> counted;
  auto language = cell("en", 1)[language_facet];
  for (int i = 0; i < 60; ++i)
    counted["q/" + std::to_string(i)] = {{any, {0, 0, 0, 1, 2}}, {language, {0, 0, 0, 1, 2}}};
  service.asked.clear();
  EXPECT_TRUE(wait(statistics.put(counted)));
  // Five items each.
  EXPECT_EQ(service.asked["TransactWriteItems"], 4u);
  for (const auto& [product, totals] : counted)
    EXPECT_TRUE(wait(statistics.differences(product, totals)).value().empty()) << product;
  for (auto& [product, totals] : counted) totals.clear();
  counted["p/0"] = totals();
  EXPECT_TRUE(wait(statistics.put(counted)));
  EXPECT_EQ(items(), right_);
}

TEST_F(StatisticsPut, ManyLanguagesTakeSeveralTransactions) {
  Totals many;
  for (char a = 'a'; a <= 'z'; ++a) {
    for (char b : {'a', 'b', 'c', 'd'}) {
      auto language = cell(std::string{a, b}, 1)[language_facet];
      many[language] = {1, 2, 0, 0, 3};
      for (std::size_t i = 0; i < 5; ++i) many[any][i] += many[language][i];
    }
  }
  ASSERT_TRUE(wait(statistics.put({{"p/0", many}})));
  EXPECT_TRUE(wait(statistics.differences("p/0", many)).value().empty());
  EXPECT_EQ(totals_in(service.table, "p/0"), many);
  EXPECT_TRUE(put());
  EXPECT_EQ(items(), right_);
}

// Steps go on during the comparison: newer items are not overwritten.
TEST_F(StatisticsPut, ItemsThatChangeMeanwhileAreNotOverwritten) {
  Item item = statistics_item("p/0", any, {7, 7, 7, 7, 7}, 8);
  auto key = PlainTable::key_in(item);
  service.table.items.erase(key);
  service.on_the_way = [&] { service.table.items[key] = item; };
  auto refused = put();
  service.on_the_way = {};
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_EQ(*service.table.find(item), item);
  EXPECT_TRUE(put());
  EXPECT_EQ(items(), right_);
}

// The next step counts on from the repaired statistics.
TEST_F(StatisticsPut, StepsGoOnFromTheRepairedCounts) {
  service.table.items.erase(PlainTable::key_in(statistics_key("p/0", any)));
  ASSERT_TRUE(put());
  auto before = recorder_.place();
  auto more = recorder_.records(20);
  ASSERT_TRUE(apply(step_of("e", "s", Mark{before}, {recorder_.place()}, more)).value());
  EXPECT_EQ(items(), items_of(recorder_.plain, 8));
}

class OnAServer : public testing::Test {
 protected:
  // A table of its own for each number of shards.
  static Address address(std::size_t leaders = 1) {
    auto address = table_address(endpoint_of<LocalDynamo>(), "statistics" + std::to_string(leaders),
                                 StatisticsBy::stream);
    address.leaders = leaders;
    return address;
  }
  static void begin(TableStore& store, const State& state) {
    TableStatistics statistics(store.access());
    ASSERT_TRUE(wait(statistics.reset(state)));
  }
  static std::uint64_t counted(TableStore& store, const std::string& product) {
    auto counts = wait(store.view()->counts(product)).value();
    return counts.total();
  }
};

void expect_same_leaders(Store& store, Store& other) {
  for (auto by : {Leaders::five_star, Leaders::average}) {
    for (FacetValue language : {any, cell("en", 1)[language_facet], cell("de", 1)[language_facet],
                                cell("fr", 1)[language_facet]}) {
      for (std::size_t limit : {1u, 7u, 39u, 100u}) {
        auto wanted = wait(other.view()->leaders(by, language, limit)).value();
        auto found = wait(store.view()->leaders(by, language, limit)).value();
        ASSERT_EQ(found.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          EXPECT_EQ(found[i].product, wanted[i].product) << i << " of " << limit;
          EXPECT_EQ(found[i].ratings, wanted[i].ratings);
        }
      }
    }
  }
}

// Comments of forty products, some of equal rank.
std::vector<Comment> ranked_comments() {
  std::mt19937_64 random(9);
  std::vector<Comment> comments;
  for (std::uint64_t product = 0; product < 40; ++product) {
    auto kind = random() % 6;
    for (std::uint64_t i = 0, count = 1 + kind * kind; i < count; ++i) {
      int rating = kind < 2 ? 5 : static_cast<int>(random() % 5) + 1;
      auto number = comments.size();
      comments.push_back(comment_at(1000 + number, number, number % 3 ? "en" : "de", rating,
                                    "p" + std::to_string(product)));
    }
  }
  return comments;
}

TEST_F(OnAServer, LeadersAreThoseOfTheEmbeddedStore) {
  auto comments = ranked_comments();
  TemporaryDirectory directory;
  auto embedded = embedded::LmdbStore::open(directory.path(), Access::write).value();
  ASSERT_EQ(wait(embedded->insert_many(comments)).value(), comments.size());
  std::vector<change::Change> changes;
  for (const auto& comment : comments) {
    changes.push_back({comment.product,
                       comment.id,
                       {},
                       cell(comment.language, comment.rating),
                       std::to_string(changes.size() + 1)});
  }
  for (std::size_t shards : {1u, 8u}) {
    auto store = open_table(address(shards));
    begin(*store, following());
    TableStatistics statistics(store->access());
    Mark after{changes.back().sequence};
    ASSERT_TRUE(wait(statistics.apply(step_of("e", "s", {}, after, changes))).value());
    expect_same_leaders(*store, *embedded);
  }
}

// Two processes follow the same shard on a real server.
TEST_F(OnAServer, OfTwoProcessesOneMakesEachStep) {
  auto first = open_table(address()), second = open_table(address());
  State state = following();
  state.epoch = "race";
  begin(*first, state);
  constexpr int steps = 20;
  std::array<std::vector<bool>, 2> told;
  auto race = [&](TableStore& store, std::vector<bool>& mine) {
    TableStatistics statistics(store.access());
    for (int i = 1; i <= steps; ++i) {
      std::optional<Mark> before;
      if (i > 1) before = Mark{std::to_string(i - 1)};
      change::Change change{
          "race", id_at(1000, static_cast<std::uint64_t>(i)), {}, cell("en", 5), std::to_string(i)};
      auto step = step_of("race", "r", before, {std::to_string(i)}, {change});
      auto made = wait(statistics.apply(step));
      for (int again = 0; !made && again < 100; ++again) made = wait(statistics.apply(step));
      mine.push_back(made.value());
    }
  };
  std::thread other([&] { race(*second, told[1]); });
  race(*first, told[0]);
  other.join();
  int made = 0;
  for (int i = 0; i < steps; ++i) {
    auto at = static_cast<std::size_t>(i);
    EXPECT_FALSE(told[0][at] && told[1][at]) << i;
    made += told[0][at] + told[1][at];
  }
  EXPECT_EQ(made, steps);
  EXPECT_EQ(counted(*open_table(address()), "race"), static_cast<std::uint64_t>(steps));
}

// A real server checks conditions as the in-memory service of the other tests does.
TEST_F(OnAServer, AStepOfAnotherEpochIsRefused) {
  auto store = open_table(address());
  State state = following({{"s", {"5"}}});
  state.epoch = "life";
  begin(*store, state);
  TableStatistics statistics(store->access());
  change::Change change{"life", id_at(1000, 1), {}, cell("en", 5), "6"};
  for (const auto& step :
       {step_of("another", "s", Mark{"5"}, {"6"}, {change}),
        step_of("another", "new", {}, {"6"}, {change}), step_of("life", "s", Mark{"4"}, {"6"}, {}),
        step_of("life", "s", {}, {"6"}, {change}), step_of("life", "new", Mark{}, {"6"}, {})})
    EXPECT_FALSE(wait(statistics.apply(step)).value());
  EXPECT_EQ(wait(statistics.state()).value(), state);
  EXPECT_TRUE(wait(statistics.apply(step_of("life", "new", {}, {"6"}, {change}))).value());
  EXPECT_EQ(counted(*store, "life"), 1u);
  EXPECT_TRUE(wait(statistics.change_phase("life", Phase::following, Phase::lost)).value());
  EXPECT_FALSE(wait(statistics.change_phase("life", Phase::following, Phase::lost)).value());
}

}  // namespace
}  // namespace quire::dynamodb
