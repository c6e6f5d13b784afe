// Changes, cut by bucket; and open steps as texts.
#include "page_index/redis/changes.h"

#include <gtest/gtest.h>

#include <random>

namespace quire::redis {
namespace {

using change::Change;

Ulid id_of(std::uint8_t number) {
  return Ulid::make(1'700'000'000'000, {number});
}

TEST(RedisChanges, AreCutByTheBucketOfTheirProduct) {
  std::vector<Change> changes;
  for (int i = 0; i < 1000; ++i)
    changes.push_back({std::to_string(i), id_of(1), {}, cell("en", 5)});
  auto parts = parts_of(changes);
  EXPECT_GT(parts.size(), 200u);
  std::size_t names = 0;
  for (const auto& part : parts) {
    EXPECT_LT(part.bucket, bucket_count);
    names += part.names.size();
    for (std::size_t i = 0; i < part.names.size(); i += 2) {
      auto product = part.names[i].substr(std::string("PRODUCT#").size());
      EXPECT_EQ(bucket_of(product), part.bucket);
      EXPECT_EQ(part.names[i + 1], part.names[i] + "/en");
    }
  }
  EXPECT_EQ(names, 2000u);
}

TEST(RedisChanges, NameTheLastListOfEachComment) {
  auto parts = parts_of(
      {{"42", id_of(1), {}, cell("en", 1)}, {"42", id_of(1), cell("en", 1), cell("en", 5)}});
  ASSERT_EQ(parts.size(), 1u);
  std::string id(id_of(1).view());
  std::vector<std::string> ratings{"1", id, "0", "0", "0", "0", "0", "0", "0", "0", "2", "0", id};
  std::vector<std::string> wanted{"3", "42"};
  wanted.insert(wanted.end(), ratings.begin(), ratings.end());
  wanted.insert(wanted.end(), {"4", "PRODUCT#42/en"});
  wanted.insert(wanted.end(), ratings.begin(), ratings.end());
  EXPECT_EQ(parts[0].arguments, wanted);
  EXPECT_TRUE(parts_of({}).empty());
  EXPECT_TRUE(parts_of({{"42", id_of(1)}}).empty());
}

TEST(RedisChanges, OfAnOpenStepAreReadAsTheyWereWritten) {
  OpenStep step{"0 1732104060123 {\"a\": \"\r\n\"}", {"shard-1", ""}, {}};
  EXPECT_EQ(parse_step(text_of(step)), step);
  step.parts =
      parts_of({{"42", id_of(1), {}, cell("en", 1)}, {"a/b", id_of(2), cell("de", 2), {}}});
  ASSERT_EQ(step.parts.size(), 2u);
  auto text = text_of(step);
  EXPECT_EQ(parse_step(text), step);
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(parse_step(text.substr(0, size))) << size;
  for (std::string_view odd : {"", "mine", "*0\r\n", "*1\r\n:1\r\n", "*2\r\n$1\r\na\r\n$1\r\nb\r\n",
                               "*5\r\n$1\r\na\r\n$1\r\n0\r\n$3\r\n256\r\n$1\r\n0\r\n$1\r\n0\r\n"})
    EXPECT_FALSE(parse_step(odd)) << odd;
}

}  // namespace
}  // namespace quire::redis
