// Ends of lines become one character, whoever wrote them.
#include "base/text.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(LineEnds, AreOneCharacter) {
  EXPECT_EQ(without_returns(""), "");
  EXPECT_EQ(without_returns("a\nb"), "a\nb");
  EXPECT_EQ(without_returns("a\r\nb\rc\r"), "a\nb\nc\n");
  EXPECT_EQ(without_returns("\r\r\n\n"), "\n\n\n");
}

}  // namespace
}  // namespace quire
