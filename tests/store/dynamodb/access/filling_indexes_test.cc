// Which indexes are being filled, and when it is time to look whether they are full.
#include "store/dynamodb/access/filling_indexes.h"

#include <gtest/gtest.h>

namespace quire::dynamodb {
namespace {

TEST(FillingIndexes, AreLookedAtEveryTenSecondsAsLongAsThereAreSome) {
  FillingIndexes filling;
  FillingIndexes::Time now{};
  EXPECT_FALSE(filling.look_is_due(now)) << "none is known";
  filling.note(1, true);
  EXPECT_TRUE(filling.has(1));
  EXPECT_FALSE(filling.has(0));
  EXPECT_TRUE(filling.look_is_due(now));
  EXPECT_FALSE(filling.look_is_due(now)) << "one of several callers looks";
  now += FillingIndexes::between_looks;
  EXPECT_TRUE(filling.look_is_due(now));
  filling.note(1, false);
  now += FillingIndexes::between_looks;
  EXPECT_FALSE(filling.has(1));
  EXPECT_FALSE(filling.look_is_due(now));
}

TEST(FillingIndexes, ASuspicionIsLookedAtOnce) {
  FillingIndexes filling;
  FillingIndexes::Time now{};
  filling.suspect();
  EXPECT_TRUE(filling.look_is_due(now));
  now += FillingIndexes::between_looks;
  EXPECT_FALSE(filling.look_is_due(now));
}

}  // namespace
}  // namespace quire::dynamodb
