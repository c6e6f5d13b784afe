#include "base/ensure.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(Ensure, ABrokenInvariantEndsTheProcessWithASentence) {
  int ids = 3;
  QUIRE_ENSURE(ids == 3);
  EXPECT_DEATH(QUIRE_ENSURE(ids < 3), "a fault of the program: ids < 3 is not so");
}

}  // namespace
}  // namespace quire
