#include "http/api/json.h"

#include <gtest/gtest.h>

#include "model/document.h"

namespace quire::http {
namespace {

TEST(StatisticsJson, WithoutCommentsHasZerosAndNulls) {
  EXPECT_EQ(statistics_json("a/b\"", Statistics{}),
            R"({"product":"a/b\"","total":0,"average":0,)"
            R"("ratings":{"1":0,"2":0,"3":0,"4":0,"5":0},"languages":{},"last_comment_at":null,)"
            R"("latest_positive":null,"latest_critical":null})");
}

TEST(StatisticsJson, SplicesTheCommentsOwnText) {
  Comment comment{.id = Ulid::parse("01JD5ZK3V8Q6W3N0A9B7C5D2EF").value(),
                  .product = "42",
                  .language = "en",
                  .rating = 5,
                  .author = "",
                  .title = "",
                  .text = ""};
  auto document = encode_document(comment);
  Statistics statistics;
  statistics.ratings = {1, 0, 0, 0, 2};
  statistics.languages = {{"de", 1}, {"en", 2}};
  statistics.latest = statistics.latest_positive = document;
  statistics.latest_ms = comment.id.ms();
  std::string json(document_json(document));
  EXPECT_EQ(statistics_json("42", statistics),
            R"({"product":"42","total":3,"average":3.667,)"
            R"("ratings":{"1":1,"2":0,"3":0,"4":0,"5":2},"languages":{"de":1,"en":2},)"
            R"("last_comment_at":"2024-11-20T23:47:46.664Z","latest_positive":)" +
                json + R"(,"latest_critical":null})");
}

TEST(TotalsJson, HasTheProductsInTheirOrder) {
  EXPECT_EQ(totals_json({}), R"({"products":[]})");
  ProductTotals totals{{{"b", 3, {1, 0, 0, 0, 2}}, {"a\"", 0, {}}}, 1732103260123};
  EXPECT_EQ(totals_json(totals),
            R"({"products":[{"product":"b","total":3,"average":3.667,)"
            R"("ratings":{"1":1,"2":0,"3":0,"4":0,"5":2}},)"
            R"({"product":"a\"","total":0,"average":0,)"
            R"("ratings":{"1":0,"2":0,"3":0,"4":0,"5":0}}],"as_of":"2024-11-20T11:47:40.123Z"})");
}

TEST(StatisticsJson, SaysUpToWhichTimeItHolds) {
  Statistics statistics;
  statistics.as_of_ms = 1732103260123;
  auto json = statistics_json("42", statistics);
  EXPECT_TRUE(json.ends_with(R"("latest_critical":null,"as_of":"2024-11-20T11:47:40.123Z"})"))
      << json;
  EXPECT_EQ(leaderboard_json(Leaders::average, {{}, 1732103260123}),
            R"({"by":"average","language":null,"products":[],"as_of":"2024-11-20T11:47:40.123Z"})");
}

TEST(StatisticsJson, SaysThatThisTimeIsNotKnown) {
  Statistics statistics;
  statistics.as_of_ms = 0;
  auto json = statistics_json("42", statistics);
  EXPECT_TRUE(json.ends_with(R"("latest_critical":null,"as_of":null})")) << json;
  EXPECT_EQ(leaderboard_json(Leaders::average, {{}, 0}),
            R"({"by":"average","language":null,"products":[],"as_of":null})");
}

TEST(LeaderboardJson, NamesItsOrderAndItsProducts) {
  EXPECT_EQ(leaderboard_json(Leaders::average, {}),
            R"({"by":"average","language":null,"products":[]})");
  EXPECT_EQ(leaderboard_json(Leaders::five_star, {{{"<42>", {0, 0, 0, 0, 1}}}, {}, "en"}),
            R"({"by":"five_star","language":"en","products":[{"product":"<42>","total":1,)"
            R"("five_star":1,"average":5,"adjusted_average":2.404,)"
            R"("ratings":{"1":0,"2":0,"3":0,"4":0,"5":1}}]})");
}

}  // namespace
}  // namespace quire::http
