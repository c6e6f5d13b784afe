// Flaws of facts of products are found and repaired.
#include <gtest/gtest.h>

#include "store/dynamodb/inspection/inspection.h"
#include "store/dynamodb/items/facts_item.h"
#include "store/dynamodb/items/layout.h"

namespace quire::dynamodb {
namespace {

TEST(FlawOf, FactsThatLostAnIndexKeyGetItBack) {
  const Item whole = facts_item({"42", {.name = "Lamp"}});
  EXPECT_FALSE(flaw_of(whole));
  Item lost = whole;
  lost.erase(std::string(partition_attributes[0]));
  auto flaw = flaw_of(lost);
  ASSERT_TRUE(flaw);
  EXPECT_EQ(
      flaw->sentence,
      "Item \"PRODUCT#42 FACTS\" lies in other lists than its own: GSI4PK is missing, and must "
      "be \"FACTS\".");
  EXPECT_EQ(flaw->change.text, "SET #n0 = :v0");
  Item beside = whole;
  beside["GSI2PK"] = string("PRODUCT#x");
  flaw = flaw_of(beside);
  ASSERT_TRUE(flaw);
  EXPECT_EQ(flaw->sentence,
            "Item \"PRODUCT#42 FACTS\" lies in other lists than its own: GSI2PK is "
            "\"PRODUCT#x\", and must be absent.");
  Item damaged = whole;
  damaged["facts"] = string("{}");
  flaw = flaw_of(damaged);
  ASSERT_TRUE(flaw);
  EXPECT_EQ(flaw->sentence,
            "Item \"PRODUCT#42 FACTS\" is damaged: Its facts are not as Quire writes them.");
}

}  // namespace
}  // namespace quire::dynamodb
