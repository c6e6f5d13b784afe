// What presets make of files in the forms that they are for.
#include <gtest/gtest.h>

#include "mapping/conversions.h"
#include "mapping/presets/presets.h"
#include "mapping/sample_records.h"

namespace quire {
namespace {

std::vector<std::string> rows_by(std::string_view preset, const std::vector<Record>& records) {
  auto mapping = parse_file_mapping(find_preset(preset)->text, preset).value();
  Conversion conversion(mapping, {});
  return convert_all(conversion, records);
}

// Of the records that are taken.
std::vector<std::string> expected_rows(const std::string& name) {
  std::vector<std::string> rows;
  for (const auto& line : lines_of(sample(name)))
    rows.push_back(boost::json::serialize(boost::json::parse(line)));
  return rows;
}

std::vector<std::string> taken(std::vector<std::string> rows) {
  std::erase_if(rows, [](const auto& row) { return !row.starts_with('{'); });
  return rows;
}

TEST(PresetRows, AreThoseOfTheSamples) {
  EXPECT_EQ(taken(rows_by("judgeme", records_of_csv(sample("01-judgeme.csv"), ','))),
            expected_rows("01-judgeme.expected.jsonl"));
  EXPECT_EQ(taken(rows_by("woocommerce", records_of_array(sample("07-woocommerce-rest.json")))),
            expected_rows("07-woocommerce-rest.expected.jsonl"));
  EXPECT_EQ(taken(rows_by("amazon", records_of_lines(sample("09-amazon.jsonl")))),
            expected_rows("09-amazon.expected.jsonl"));
}

std::string only_row(std::string_view preset, const std::string& record) {
  auto rows = rows_by(preset, records_in(record));
  EXPECT_EQ(rows.size(), 1u);
  return rows.front();
}

void expect_has(const std::string& row, std::initializer_list<std::string_view> parts) {
  for (auto part : parts) EXPECT_NE(row.find(part), row.npos) << part << "\n" << row;
}

std::string play_row(const std::string& link) {
  return only_row("play", R"({"Package Name":"com.x.y","App Version Name":"1.3","Device":"F51B",
      "Reviewer Language":"ja","Review Submit Millis Since Epoch":"1755006252725",
      "Star Rating":"3","Review Title":"","Review Text":"works",
      "Developer Reply Millis Since Epoch":"1763038967867","Developer Reply Text":"Thanks",
      "Review Link":")" + link +
                              R"("})");
}

TEST(PresetRows, OfPlayHaveTheirIdInALink) {
  const std::string play = "https://play.google.com/";
  auto row = play_row(play +
                      "console/developers/5/app/4/user-feedback/review-details?"
                      "reviewId=d2b0-7a18&corpus=PUBLIC_REVIEWS");
  expect_has(row, {R"("product":"com.x.y")", R"("language":"ja")", R"("version":"1.3")",
                   R"("created_at":"2025-08-12T13:44:12.725Z")", R"("reply":{)",
                   R"("source_id":"d2b0-7a18")"});
  auto old = play_row(play + "apps/publish?account=70#ReviewDetailsPlace:p=com.x&reviewid=gp:AOqp");
  expect_has(old, {R"("source_id":"gp:AOqp")"});
  expect_has(play_row(""), {R"({"product":"com.x.y")"});
}

TEST(PresetRows, OfBazaarvoiceHaveTheProductAround) {
  auto records = records_in(
      R"({"@id":"9","@removed":"false","ModerationStatus":"APPROVED",
 "UserProfileReference":{"@id":"u","ExternalId":"u7","DisplayName":"Ann","Anonymous":"false"},
 "Title":"Fits","ReviewText":"Well","Rating":"4","RatingRange":"5","Recommended":"true",
 "NumPositiveFeedbacks":"3","DisplayLocale":"de_DE",
 "SubmissionTime":"2020-01-02T03:04:05.000-05:00","FirstPublishTime":"0001-01-01T00:00:00",
 "ClientResponses":{"ClientResponse":{"Department":"Care","Name":"Jo","Response":"Thanks",
 "Date":"2020-02-01T00:00:00"}}},)"
      R"({"@id":"10","@removed":"true","Rating":"4","RatingRange":"5",
 "SubmissionTime":"2020-01-02"})");
  for (auto& record : records)
    record.around = std::make_shared<Surroundings>(
        Surroundings{{"Product", {{"@id", "bv-42"}, {"ExternalId", "42"}}}});
  auto rows = rows_by("bazaarvoice", records);
  expect_has(rows.at(0), {R"("product":"42")", R"("language":"de-DE")", R"("rating":4)",
                          R"("created_at":"2020-01-02T08:04:05.000Z")", R"("author":"Ann")",
                          R"("recommended":true)", R"("helpful":3)", R"("author":"Care")"});
  EXPECT_EQ(rows.at(0).find("u7"), std::string::npos);
  EXPECT_FALSE(rows.at(1).starts_with('{'));
}

struct Case {
  std::string_view preset;
  std::string record;
  std::vector<std::string_view> parts;  // of its row
};

void expect_parts(const std::vector<Case>& cases) {
  for (const auto& [preset, record, parts] : cases) {
    auto row = only_row(preset, record);
    for (auto part : parts) EXPECT_NE(row.find(part), row.npos) << part << "\n" << row;
  }
}

TEST(PresetRows, OfFeedsAndExportsHaveTheirFields) {
  expect_parts(
      {{"google",
        R"({"review_id":"jm-2","reviewer":{"name":{"@is_anonymous":"true","#text":"Anonymous"}},
            "review_timestamp":"2026-09-28T23:00:00-02:00","content":"ok",
            "reviewer_images":{"reviewer_image":{"url":"https://i.example/1.jpg"}},
            "ratings":{"overall":{"@min":"1","@max":"10","#text":"8"}},
            "products":{"product":{"product_ids":{"gtins":{"gtin":"1234567890123"}},
            "product_url":"https://shop.example/products/mug"}},"is_spam":"true"})",
        {R"("product":"https://shop.example/products/mug")", R"("rating":4)", R"("author":"")",
         R"("media":[{"url":"https://i.example/1.jpg"}])", R"("reason":"spam")"}},
       {"trustpilot",
        R"json({"Review Id":"65a","Review Created (UTC)":"2024-01-02 10:11:12",
            "Review Consumer User Id":"u1","Review Username":"Ann","Review Stars":"5",
            "Review Title":"Great shop I will...","Review Content":"Great shop I will be back",
            "Domain Url":"shop.example","Company Reply":"Thanks"})json",
        {R"("product":"shop.example")", R"("title":"")", R"("text":"Thanks")",
         R"("created_at":"2024-01-02T10:11:12.000Z")"}},
       {"magento",
        R"({"review_id":7,"sku":"hat-1","created_at":"2020-01-02 03:04:05.000000","status_id":2,
            "nickname":"Ann","title":"t","detail":"d","rating":4})",
        {R"("product":"hat-1")", R"("status":"pending")", R"("author":"Ann")"}},
       {"amazon",
        R"({"rating":5.0,"title":"Fine","text":"Good<br />one","asin":"B01","parent_asin":"B00",
            "images":[{"small_image_url":"https://i.example/s.jpg",
            "large_image_url":"https://i.example/l.jpg"}],"user_id":"AFK",
            "timestamp":1588615855070,"helpful_vote":2,"verified_purchase":true})",
        {R"("product":"B00")", R"("created_at":"2020-05-04T18:10:55.070Z")",
         R"(https://i.example/l.jpg)", R"("verified":true)"}},
       {"amazon",
        R"({"customer_id":"1","review_id":"R1","product_id":"B9","star_rating":"4",
            "helpful_votes":"0","verified_purchase":"Y","review_headline":"h",
            "review_body":"b","review_date":"2015-08-31"})",
        {R"("product":"B9")", R"("source_id":"R1")",
         R"("created_at":"2015-08-31T00:00:00.000Z")"}}});
}

TEST(PresetRows, OfThoseMadeFromDocumentationHaveTheirFields) {
  expect_parts(
      {{"shopify",
        R"({"product_handle":"hat","state":"unpublished","rating":"5","title":"t","author":"A",
            "email":"a@b.example","location":"X","body":"b","reply":"r",
            "created_at":"2026-08-01 10:00:00 UTC","replied_at":""})",
        {R"("product":"hat")", R"("status":"rejected")", R"("text":"r")"}},
       {"loox",
        R"({"id":"A1","status":"Active","rating":"5","email":"a@b.example","nickname":"",
            "full_name":"Zoe M","review":"ok","date":"2024-11-05T08:00:00.000Z",
            "productId":"8123","handle":"robe","img":"https://i.example/x.jpg","variant":"M",
            "verified_purchase":"true"})",
        {R"("product":"robe")", R"("author":"Zoe M")", R"("variant":"M")"}},
       {"okendo",
        R"({"reviewId":"r-1","productId":"shopify-123","body":"b","rating":5,"title":"t",
            "dateCreated":"2025-09-12T16:36:26.905Z","helpfulCount":1,"isRecommended":true,
            "media":[{"fullSizeUrl":"https://i.example/a.jpg","type":"image"}],
            "reviewer":{"displayName":"Tim C.","email":"t@e.example","isVerified":true}})",
        {R"("product":"123")", R"("author":"Tim C.")", R"(https://i.example/a.jpg)"}},
       {"yotpo",
        R"({"Review Title":"t","Review Content":"c","Review Score":"5","Date":"2025-03-15",
            "Product ID":"999","Product URL":"https://shop.example/products/bag?variant=1",
            "Display Name":"Ana"})",
        {R"("product":"bag")", R"("author":"Ana")"}},
       {"stamped",
        R"({"id":12,"productId":"asheville","author":"S","reviewRating":5,"reviewTitle":"t",
            "reviewMessage":"m","dateCreated":"2026-02-10T14:22:00.000Z","reviewVotesUp":18,
            "reviewUserPhotos":"a.jpg"})",
        {R"("product":"asheville")", R"("helpful":18)"}}});
}

TEST(PresetRows, OfWordPressTakeAnswersOfTheShopAlone) {
  auto comment = [](const std::string& id, const std::string& user, const std::string& parent,
                    const std::string& rating) {
    return R"({"comment_id":")" + id +
           R"(","comment_author":"Lea","comment_date_gmt":"2012-02-15 00:00:00",
 "comment_content":"Holds )" +
           id + R"(","comment_approved":"1","comment_type":"review","comment_parent":")" + parent +
           R"(","comment_user_id":")" + user +
           R"(","commentmeta":[{"meta_key":"rating","meta_value":")" + rating + R"("}]})";
  };
  auto records = records_in(comment("86", "0", "0", "4") + "," + comment("87", "5", "86", "") +
                            "," + comment("88", "1", "86", ""));
  for (auto& record : records)
    record.around = std::make_shared<Surroundings>(
        Surroundings{{"item", {{"post_name", "mug"}, {"post_id", "12"}}}});
  auto rows = rows_by("wordpress", records);
  expect_has(rows.at(0), {R"("product":"mug")", R"("rating":4)", R"("text":"Holds 88")"});
  EXPECT_EQ(taken(rows).size(), 1u);
}

}  // namespace
}  // namespace quire
