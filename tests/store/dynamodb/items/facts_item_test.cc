// The item of a product's facts, as docs/formats/table.md has it.
#include "store/dynamodb/items/facts_item.h"

#include <gtest/gtest.h>

namespace quire::dynamodb {
namespace {

const NamedFacts told{"a b", {.name = "Lamp"}};

TEST(FactsItem, HasTheKeysOfItsFormat) {
  EXPECT_EQ(facts_item(told), (Item{{"PK", string("PRODUCT#a%20b")},
                                    {"SK", string("FACTS")},
                                    {"GSI4PK", string("FACTS")},
                                    {"GSISK", string("a b")},
                                    {"facts", string(R"({"name":"Lamp"})")}}));
}

TEST(FactsItem, IsReadBack) {
  auto named = facts_in(facts_item(told));
  ASSERT_TRUE(named);
  EXPECT_EQ(named->product, told.product);
  EXPECT_EQ(named->facts, told.facts);
}

TEST(FactsItem, IsNoneWhereItIsDamagedOrAnother) {
  auto item = facts_item(told);
  item["facts"] = string("{}");
  EXPECT_TRUE(is_facts(item));
  EXPECT_FALSE(facts_in(item));
  item = facts_item(told);
  item["SK"] = string("S");
  EXPECT_FALSE(is_facts(item));
  EXPECT_FALSE(facts_in(item));
}

}  // namespace
}  // namespace quire::dynamodb
