// Rows of an import: their ids, and their attributes.
#include "service/importer.h"

#include <gtest/gtest.h>

#include <set>

namespace quire {
namespace {

constexpr std::string_view row =
    R"({"product":"42","language":"en","rating":5,"created_at":"2024-11-20T12:01:00.123Z",)"
    R"("author":"Ann","title":"Fits","text":"Warm")";

std::string with_attributes(std::string_view attributes) {
  return std::string(row) + ",\"attributes\":" + std::string(attributes) + "}";
}

// What an import of these rows stores.
std::vector<Comment> imported(const std::vector<std::string>& rows) {
  std::vector<Comment> stored;
  Importer importer(
      [&](std::vector<Comment> batch) {
        stored.insert(stored.end(), batch.begin(), batch.end());
        return Result<std::size_t>(batch.size());
      },
      1000);
  for (const auto& each : rows) EXPECT_TRUE(importer.add(each)) << each;
  EXPECT_TRUE(importer.finish());
  return stored;
}

// A file that was imported by an earlier version adds nothing when it is imported again.
TEST(RowIds, OfRowsWithoutAttributesStayForEver) {
  auto bare = std::string(row) + "}";
  auto stored = imported({bare, bare, with_attributes("{}")});
  ASSERT_EQ(stored.size(), 3u);
  EXPECT_EQ(stored[0].id.text(), "01JD4Q4Z6VQJFDJ8BR4GJ4KRN9");
  EXPECT_EQ(stored[1].id.text(), "01JD4Q4Z6V4A71ASWRGGTF3V0T");
  EXPECT_NE(stored[2].id, stored[0].id) << "the third of equal rows";
}

TEST(RowIds, DependOnTheAttributesAndNotOnTheirOrder) {
  std::set<Ulid> ids;
  for (auto attributes : {"{}", R"({"a":1})", R"({"a":2})", R"({"b":1})", R"({"a":"1"})",
                          R"({"a":["1"]})", R"({"a":true})"})
    ids.insert(imported({with_attributes(attributes)}).front().id);
  EXPECT_EQ(ids.size(), 7u);
  EXPECT_EQ(imported({with_attributes(R"({"a":1,"b":"x"})")}).front().id,
            imported({with_attributes(R"({ "b": "x", "a": 1 })")}).front().id);
}

TEST(Importer, KeepsAttributes) {
  auto stored = imported({with_attributes(R"({"size":"M","helpful":8})")});
  EXPECT_EQ(stored.front().attributes, (Attributes{{"helpful", 8}, {"size", "M"}}));
}

TEST(Importer, RejectsARowWhoseAttributesDoNotFitTheFacets) {
  Importer importer([](std::vector<Comment> batch) { return Result<std::size_t>(batch.size()); },
                    1000, system_ms(), Schema({{2, {{"helpful", FacetType::number}}}}));
  EXPECT_TRUE(importer.add(with_attributes(R"({"helpful":8})")));
  EXPECT_TRUE(importer.add(with_attributes(R"({"free":"8"})")));
  auto rejected = importer.add(with_attributes(R"({"helpful":"8"})"));
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().message,
            "The comment was not taken: attributes.helpful must be a whole number.");
  EXPECT_TRUE(importer.finish());
  EXPECT_EQ(importer.added(), 2u);
}

}  // namespace
}  // namespace quire
