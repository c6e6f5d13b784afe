// If-Match: the states that a change is meant for.
#include "http/api/comments_api.h"

#include <gtest/gtest.h>

#include "http/support.h"

namespace quire::http {
namespace {

using Tags = std::vector<std::string>;

TEST(IfMatch, NamesTagsOrAnyState) {
  EXPECT_EQ(if_match(fields({})).value(), Tags{});
  EXPECT_EQ(if_match(fields({{"If-Match", "*"}})).value(), Tags{});
  EXPECT_EQ(if_match(fields({{"If-Match", "\"a\""}})).value(), Tags{"\"a\""});
  EXPECT_EQ(if_match(fields({{"If-Match", "\"a\",\"b,c\" ,, W/\"d\", \"\""}})).value(),
            (Tags{"\"a\"", "\"b,c\"", "W/\"d\"", "\"\""}));
  EXPECT_EQ(if_match(fields({{"If-Match", "\"a\""}, {"if-match", "\"b\""}})).value(),
            (Tags{"\"a\"", "\"b\""}));
  EXPECT_EQ(if_match(fields({{"If-Match", "\"a-gzip\", \"b-zstd\""}})).value(),
            (Tags{"\"a\"", "\"b\""}))
      << "a compressed comment has the state of the comment";
}

TEST(IfMatch, AValueThatIsNoListOfTagsIsRefused) {
  for (std::string text : {"", ",", "a", "\"a", "a\"", "\"a\" \"b\"", "*, \"a\"", "\"a\", *",
                           "w/\"a\"", "W/", "W/a", "\"a b\"", "\"a\"x", "**"}) {
    auto tags = if_match(fields({{"If-Match", text}}));
    ASSERT_FALSE(tags) << text;
    EXPECT_EQ(tags.error().code, ErrorCode::invalid_parameter);
    EXPECT_EQ(tags.error().parameter, "If-Match");
  }
  EXPECT_FALSE(if_match(fields({{"If-Match", "*"}, {"If-Match", "\"a\""}})));
}

}  // namespace
}  // namespace quire::http
