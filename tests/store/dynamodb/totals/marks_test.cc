// The state of a projection as items.
#include "store/dynamodb/totals/marks.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>

#include "store/dynamodb/plain_table.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

using change::Mark;
using change::Phase;
using change::State;

State read_back(const std::vector<Item>& items) {
  State state;
  for (const auto& item : items) {
    auto text = json::serialize(encode(item));
    EXPECT_TRUE(add_to_state(state, decode_item(json::parse(text)).value())) << text;
  }
  return state;
}

std::vector<Item> items_with(const State& state) {
  std::vector<Item> items{state_item("statistics", state)};
  for (const auto& [shard, mark] : state.marks)
    items.push_back(mark_item("statistics", state.epoch, shard, mark));
  return items;
}

TEST(Marks, AStateIsAnItem) {
  State state{Phase::following, "01JD", "arn:aws:dynamodb:eu-west-1:1:table/t/stream/2024", {}};
  EXPECT_EQ(json::value(encode(state_item("statistics", state))), json::parse(R"({
    "PK": {"S": "PROJECTION#statistics"}, "SK": {"S": "STATE"},
    "phase": {"S": "following"}, "epoch": {"S": "01JD"},
    "stream": {"S": "arn:aws:dynamodb:eu-west-1:1:table/t/stream/2024"}})"));
  EXPECT_EQ(json::value(encode(state_item("statistics", {}))), json::parse(R"({
    "PK": {"S": "PROJECTION#statistics"}, "SK": {"S": "STATE"}, "phase": {"S": "empty"}})"));
}

TEST(Marks, AMarkIsAnItem) {
  EXPECT_EQ(json::value(encode(mark_item("statistics", "01JD", "shardId-1", {"4500", false, 17}))),
            json::parse(R"({
    "PK": {"S": "PROJECTION#statistics"}, "SK": {"S": "SHARD#shardId-1"}, "epoch": {"S": "01JD"},
    "sequence": {"S": "4500"}, "ended": {"N": "0"}, "as_of": {"N": "17"}})"));
  EXPECT_EQ(json::value(encode(mark_item("statistics", "01JD", "shardId-1", {"", true, 0}))),
            json::parse(R"({
    "PK": {"S": "PROJECTION#statistics"}, "SK": {"S": "SHARD#shardId-1"}, "epoch": {"S": "01JD"},
    "ended": {"N": "1"}, "as_of": {"N": "0"}})"));
  EXPECT_EQ(mark_key("p", "s"), key_of("PROJECTION#p", "SHARD#s"));
}

TEST(Marks, AreReadAsTheyWereWritten) {
  std::mt19937_64 random(1);
  constexpr Phase phases[] = {Phase::empty, Phase::building, Phase::following, Phase::lost};
  for (int round = 0; round < 200; ++round) {
    auto text = [&](const char* word) {
      return random() % 3 ? word + std::to_string(random()) : std::string();
    };
    State state{phases[random() % 4], text("e"), text("arn:"), {}};
    for (auto marks = random() % 5; marks > 0; --marks)
      state.marks["s/" + text("\"SHARD#")] = {text("0"), random() % 2 == 0,
                                              random() % (1ull << 53)};
    EXPECT_EQ(read_back(items_with(state)), state);
  }
}

TEST(Marks, OtherItemsAreIgnored) {
  State state{Phase::lost, "e", "arn", {{"s", {"1", false, 2}}}}, before = state;
  EXPECT_TRUE(add_to_state(state, key_of("PROJECTION#statistics", "LEASE#s")));
  EXPECT_TRUE(add_to_state(state, key_of("PROJECTION#statistics", "another")));
  EXPECT_TRUE(add_to_state(state, {}));
  EXPECT_EQ(state, before);
}

TEST(Marks, DamagedItemsAreReported) {
  State state;
  Item whole = state_item("p", {Phase::lost, "e", "arn", {}});
  for (auto phase : {string("Lost"), string(""), number(3)}) {
    Item item = whole;
    item.insert_or_assign("phase", phase);
    EXPECT_FALSE(add_to_state(state, item));
  }
  for (const char* name : {"ended", "as_of"}) {
    Item item = mark_item("p", "e", "s", {"1", false, 2});
    item.erase(name);
    EXPECT_FALSE(add_to_state(state, item));
    item.emplace(name, string("x"));
    EXPECT_FALSE(add_to_state(state, item));
  }
  EXPECT_EQ(state, State{});
}

// A step is made only if its mark is the one in the table; or, without a mark, if there is none.
TEST(Marks, AConditionHoldsForItsMarkAlone) {
  std::vector<std::optional<Mark>> marks{std::nullopt,       Mark{"", false, 0},
                                         Mark{"", true, 0},  Mark{"1", false, 0},
                                         Mark{"1", true, 0}, Mark{"10", false, 0}};
  for (const auto& is : marks) {
    for (const auto& wanted : marks) {
      Item item = is ? mark_item("p", "e", "s", *is) : Item{};
      const Item* there = is ? &item : nullptr;
      EXPECT_EQ(PlainTable::holds(mark_is("e", wanted), there), is == wanted);
      if (is && wanted) {
        EXPECT_FALSE(PlainTable::holds(mark_is("another", wanted), there));
      }
    }
  }
  Item late = mark_item("p", "e", "s", {"1", false, 99});
  EXPECT_TRUE(PlainTable::holds(mark_is("e", marks[3]), &late)) << "the time does not count";
}

TEST(Marks, AConditionHoldsForItsEpochAndPhaseAlone) {
  State state{Phase::building, "e", "arn", {}};
  Item item = state_item("p", state);
  EXPECT_TRUE(PlainTable::holds(state_is("e", Phase::building), &item));
  EXPECT_FALSE(PlainTable::holds(state_is("e", Phase::following), &item));
  EXPECT_FALSE(PlainTable::holds(state_is("another", Phase::building), &item));
  EXPECT_FALSE(PlainTable::holds(state_is("e", Phase::building), nullptr));

  PlainTable table;
  std::vector<std::string> refused{"ConditionalCheckFailed"};
  EXPECT_EQ(table.apply({require_state("p", state)}), refused);
  table.items[PlainTable::key_in(item)] = item;
  State other = state;
  other.epoch = "another";
  EXPECT_EQ(table.apply({require_state("p", other)}), refused);
  EXPECT_TRUE(table.apply({require_state("p", state)}).empty());
  EXPECT_EQ(*table.find(item), item) << "nothing is changed";
}

}  // namespace
}  // namespace quire::dynamodb
