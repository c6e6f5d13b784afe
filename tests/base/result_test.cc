#include "quire/result.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(Result, IsEitherAValueOrAnError) {
  Result<int> value(7);
  EXPECT_TRUE(value);
  EXPECT_EQ(*value, 7);
  Result<int> error(Error{ErrorCode::not_found, "gone"});
  EXPECT_FALSE(error);
  EXPECT_EQ(error.error().message, "gone");
}

TEST(Result, ReadingTheAbsentSideThrowsAnExplanation) {
  Result<int> error(Error{ErrorCode::unavailable, "The disk is full."});
  try {
    (void)error.value();
    FAIL();
  } catch (const std::logic_error& misread) {
    EXPECT_STREQ(misread.what(), "there is no value: The disk is full.");
  }
  EXPECT_THROW((void)Result<int>(7).error(), std::logic_error);
}

}  // namespace
}  // namespace quire
