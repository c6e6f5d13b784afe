// A first mapping from a sample: it is complete, and reads the sample.
#include "store/dynamodb/adopted/survey.h"

#include <gtest/gtest.h>

#include "survey_sample.h"

namespace quire::adopted {
namespace {

TEST(Survey, AnArticlesTableIsMapped) {
  std::vector<Item> sample;
  for (int i = 0; i < 30; ++i) {
    auto n = std::to_string(i);
    auto time = time_text(1'700'000'000'000 + static_cast<std::uint64_t>(i) * 1000);
    sample.push_back({{"PK", dynamodb::string("PRODUCT#" + std::to_string(i % 3))},
                      {"SK", dynamodb::string(time)},
                      {"PK2", dynamodb::string("PRODUCT#" + std::to_string(i % 3) + "/en")},
                      {"language", dynamodb::string(i % 2 ? "en" : "de")},
                      {"rating", {Type::number, std::to_string(1 + i % 5)}},
                      {"title", dynamodb::string("Title " + n)},
                      {"text", dynamodb::string("A longer text, number " + n)},
                      {"helpful", {Type::number, n}},
                      {"Status", dynamodb::string("approved")}});
  }
  auto text = propose_mapping(table_of({{"PK", "S"}, {"SK", "S"}}), sample);
  EXPECT_EQ(comments_in(text, {"PK", "SK"}, sample), 30u);
  for (const char* line :
       {"product = { attribute = \"PK\", pattern = \"PRODUCT#{product}\" }",
        "created_at = { attribute = \"SK\", format = \"iso8601\" }",
        "rating = { attribute = \"rating\" }", "language = { attribute = \"language\"",
        "text = { attribute = \"text\"", "helpful = { attribute = \"helpful\" }",
        "status = { attribute = \"Status\", values = { \"*\" = \"pending\", \"approved\" = "
        "\"published\" }, default = \"pending\" }",
        "[[index]]", "30 of them are comments"})
    EXPECT_NE(text.find(line), text.npos) << line << "\n" << text;
}

std::string mapping_of_times(const std::vector<std::string>& times) {
  std::vector<Item> sample;
  for (const auto& time : times)
    sample.push_back({{"PK", dynamodb::string("42")},
                      {"SK", dynamodb::string(time)},
                      {"rating", {Type::number, "5"}}});
  auto text = propose_mapping(table_of({{"PK", "S"}, {"SK", "S"}}), sample);
  EXPECT_EQ(comments_in(text, {"PK", "SK"}, sample), times.size());
  return text;
}

TEST(Survey, FormsOfTimeThatSortAmongThemselvesAreAnIndex) {
  const std::pair<const char*, std::vector<std::string>> forms[] = {
      {"iso8601", {"2024-11-20T12:01:00Z", "2024-11-20T12:01:00.5+00:00", "2024-11-21"}},
      {"2021-08-25 13:00", {"2021-08-25 13:00", "2021-08-25 13:01"}},
      {"2021-08-25 13:01:30", {"2021-08-25 13:00", "2021-08-25 13:01:30"}},
      {"2024-11-20T12:01Z", {"2024-11-20T12:01:30Z", "2024-11-20T12:01Z"}},
      {"2024-11-20T12:01:00+01:00", {"2024-11-20T12:01:00+01:00", "2024-11-20T00:20:00+01:00"}}};
  for (const auto& [format, times] : forms) {
    auto text = mapping_of_times(times);
    EXPECT_NE(text.find("format = \"" + std::string(format) + "\""), text.npos) << text;
    EXPECT_NE(text.find("\n[[index]]\n"), text.npos) << text;
  }
}

TEST(Survey, AMixtureOfTimesThatDoesNotSortIsNoIndex) {
  const std::vector<std::string> mixtures[] = {
      {"2021-08-25 13:00", "2021-08-25T13:00"},
      {"2021/08/25", "2021/08/26"},
      {"2021-8-25 13:00", "2021-10-25 13:00"},
      {"2024-11-20T12:01:00+01:00", "2024-11-20T12:01:00+02:00"},
      {"2024-11-20T12:01:00+01:00", "2024-11-20T12:01:00Z"}};
  for (const auto& times : mixtures) {
    auto text = mapping_of_times(times);
    EXPECT_EQ(text.find("\n[[index]]\n"), text.npos) << text;
    EXPECT_NE(text.find("does not sort by its time"), text.npos) << text;
  }
}

// The tables of the articles, as docs/adopting.md has them.
TEST(Survey, TheProductIsThatOfTheIndexByTime) {
  std::vector<Item> sample;
  for (int i = 0; i < 30; ++i) {
    auto n = std::to_string(i), rating = std::to_string(1 + i % 5);
    auto product = "PRODUCT#" + std::to_string(40 + i % 3);
    auto id = dynamodb::string("COMMENT#1000" + n);
    std::string language = i % 4 ? "en" : "de";
    sample.push_back({{"PK", id},
                      {"SK", id},
                      {"GSIPK", dynamodb::string(product + "/" + language + "/" + rating)},
                      {"GSI2PK", dynamodb::string(product + "/" + language)},
                      {"GSI3PK", dynamodb::string(product + "/" + rating)},
                      {"GSI4PK", dynamodb::string(product)},
                      {"GSISK", dynamodb::string("2021-08-25 13:" + std::to_string(10 + i))},
                      {"language", dynamodb::string(language)},
                      {"rating", {Type::number, rating}},
                      {"tags", {Type::other, R"({"SS":["fit","late"]})"}},
                      {"text", dynamodb::string("Fits")}});
  }
  auto table = table_of({{"PK", "S"}, {"SK", "S"}});
  table.indexes = {
      {.name = "byLangAndRating", .status = "ACTIVE", .keys = {{"GSIPK", "S"}, {"GSISK", "S"}}},
      {.name = "byLang", .status = "ACTIVE", .keys = {{"GSI2PK", "S"}, {"GSISK", "S"}}},
      {.name = "byRating", .status = "ACTIVE", .keys = {{"GSI3PK", "S"}, {"GSISK", "S"}}},
      {.name = "all", .status = "ACTIVE", .keys = {{"GSI4PK", "S"}, {"GSISK", "S"}}}};
  auto text = propose_mapping(table, sample);
  EXPECT_EQ(comments_in(text, {"PK", "SK"}, sample), 30u);
  for (const char* line : {"product = { attribute = \"GSI4PK\", pattern = \"PRODUCT#{product}\" }",
                           "created_at = { attribute = \"GSISK\", format = \"2021-08-25 13:10\" }",
                           "text = { attribute = \"text\"", "tags = { attribute = \"tags\" }"})
    EXPECT_NE(text.find(line), text.npos) << line << "\n" << text;
  constexpr auto lists = R"(
[[index]]
name = "all"

[[index]]
name = "byRating"
key = { attribute = "GSI3PK", pattern = "PRODUCT#{product}/{rating}" }

[[index]]
name = "byLang"
key = { attribute = "GSI2PK", pattern = "PRODUCT#{product}/{language}" }

[[index]]
name = "byLangAndRating"
key = { attribute = "GSIPK", pattern = "PRODUCT#{product}/{language}/{rating}" }
)";
  EXPECT_TRUE(text.ends_with(lists)) << text;
  // An index that lacks a comment does not have the list of its language.
  sample[7].erase("GSI2PK");
  text = propose_mapping(table, sample);
  EXPECT_EQ(text.find("GSI2PK"), text.npos) << text;
  EXPECT_NE(text.find("GSI3PK"), text.npos) << text;
}

TEST(Survey, ValuesInMapsAreNamedByTheirPaths) {
  std::vector<Item> sample;
  for (int i = 0; i < 9; ++i) {
    auto n = std::to_string(i);
    sample.push_back(
        {{"PK", dynamodb::string("COMMENT#" + n)},
         {"product", dynamodb::string("42")},
         {"at", dynamodb::string("2024-11-2" + n)},
         {"data", {Type::other, R"({"M":{"stars":{"N":"5"},"title":{"S":"Fits )" + n + R"("}}})"}},
         {"more", dynamodb::string(R"({"text":"It fits, and it is warm."})")}});
  }
  auto text = propose_mapping(table_of({{"PK", "S"}}), sample);
  EXPECT_EQ(comments_in(text, {"PK"}, sample), 9u);
  for (const char* line :
       {"rating = { attribute = \"data.stars\" }", "title = { attribute = \"data.title\"",
        "text = { attribute = \"more.text\"",
        "id = { attribute = \"PK\", pattern = \"COMMENT#{id}\" }"})
    EXPECT_NE(text.find(line), text.npos) << line << "\n" << text;
}

// No field is read from bytes.
TEST(Survey, BytesAreInNoColumn) {
  std::vector<Item> sample;
  for (int i = 0; i < 9; ++i)
    sample.push_back({{"PK", dynamodb::string("42")},
                      {"SK", dynamodb::string("2024-11-2" + std::to_string(i))},
                      {"rating", {Type::number, "5"}},
                      {"scan", {Type::other, R"({"B":"c2Nhbg=="})"}},
                      {"more", {Type::other, R"({"M":{"scans":{"BS":["c2Nhbg=="]}}})"}}});
  auto text = propose_mapping(table_of({{"PK", "S"}, {"SK", "S"}}), sample);
  EXPECT_EQ(comments_in(text, {"PK", "SK"}, sample), 9u);
  for (const char* path : {"scan.B", "more.scans.BS"})
    EXPECT_EQ(text.find(path), text.npos) << text;
}

TEST(Survey, ARandomKeyIsNoProduct) {
  std::vector<Item> sample;
  for (int i = 0; i < 30; ++i)
    sample.push_back({{"PK", dynamodb::string("abc" + std::to_string(281 + i))},
                      {"SK", dynamodb::string("2021-08-25 13:" + std::to_string(10 + i))},
                      {"PK2", dynamodb::string("DAFT_PUNK_TSHIRT")}});
  auto table = table_of({{"PK", "S"}, {"SK", "S"}});
  table.indexes = {{.name = "byProduct", .status = "ACTIVE", .keys = {{"PK2", "S"}, {"SK", "S"}}}};
  auto text = propose_mapping(table, sample);
  EXPECT_EQ(comments_in(text, {"PK", "SK"}, sample), 30u);
  EXPECT_NE(text.find("product = { attribute = \"PK2\" }\n"), text.npos) << text;
  EXPECT_NE(text.find("name = \"byProduct\""), text.npos) << text;
}

TEST(Survey, ASingleTableIsTakenApart) {
  std::vector<Item> sample;
  for (int i = 0; i < 20; ++i) {
    auto n = std::to_string(i);
    auto product = dynamodb::string("$shop#product_" + std::to_string(i % 4));
    auto time = time_text(1'700'000'000'000 + static_cast<std::uint64_t>(i) * 60'000);
    sample.push_back({{"pk", product},
                      {"sk", dynamodb::string("$review_1#createdat_" + time + "#id_" + n)},
                      {"__edb_e__", dynamodb::string("review")},
                      {"stars", {Type::number, std::to_string(1 + i % 5)}},
                      {"verifiedPurchase", {Type::other, R"({"BOOL":true})"}}});
    sample.push_back({{"pk", product},
                      {"sk", dynamodb::string("$order_1#id_" + n)},
                      {"__edb_e__", dynamodb::string("order")},
                      {"total", {Type::number, n}}});
  }
  auto text = propose_mapping(table_of({{"pk", "S"}, {"sk", "S"}}), sample);
  EXPECT_EQ(comments_in(text, {"pk", "sk"}, sample), 20u);
  for (const char* line : {"when = {", "{created_at}#{rest}",
                           "verified_purchase = { attribute = \"verifiedPurchase\" }"})
    EXPECT_NE(text.find(line), text.npos) << line << "\n" << text;
}

Item review_of(const std::string& product) {
  return {{"pid", dynamodb::string(product)},
          {"at", dynamodb::string("2024-11-20T12:01:00Z")},
          {"stars", {Type::number, "5"}}};
}

std::string mapping_for(const std::string& begins) {
  return propose_mapping(table_of({{"pid", "S"}, {"at", "S"}}),
                         {review_of(begins + "1"), review_of(begins + "2")});
}

// A sample of shoes alone does not make every hat a damaged item.
TEST(Survey, AProductsIdIsWhole) {
  for (const char* begins : {"shoe-", "DAFT_PUNK_", "shoe.", "shoe=", "shop-a/shoe-",
                             "gid://shopify/Product/", "v1:shoe-"}) {
    auto text = mapping_for(begins);
    bool after_a_separator = std::string_view(begins).starts_with("v1:");
    auto product = std::string("product = { attribute = \"pid\"") +
                   (after_a_separator ? ", pattern = \"v1:{product}\"" : "") + " }\n";
    EXPECT_NE(text.find(product), text.npos) << product << text;
    auto hat = review_of(after_a_separator ? "v1:hat-1" : "hat-1");
    EXPECT_EQ(comments_in(text, {"pid", "at"}, {hat}), 1u) << text;
  }
}

TEST(Survey, APrefixThatEndsInASeparatorIsNoPartOfAProduct) {
  for (const std::string begins : {"PRODUCT#", "product:", "SHOP#1|PRODUCT|"}) {
    auto text = mapping_for(begins + "shoe-");
    EXPECT_NE(text.find("\"" + begins + "{product}\""), text.npos) << text;
    EXPECT_EQ(comments_in(text, {"pid", "at"}, {review_of(begins + "hat-1")}), 1u) << text;
  }
}

// ElectroDB names an attribute before its value.
TEST(Survey, AnAttributeThatElectroNamesIsNoPartOfAProduct) {
  auto text = mapping_for("$shop#product_shoe_");
  EXPECT_NE(text.find("\"$shop#product_{product}\""), text.npos) << text;
}

// Where the beginning of a product's key tells comments from other items, it is no part of the id.
TEST(Survey, TextThatAdmitsCommentsIsNoPartOfAProduct) {
  std::vector<Item> sample{review_of("review-shoe-1"), review_of("review-shoe-2")};
  for (const char* order : {"order-1", "order-2"})
    sample.push_back({{"pid", dynamodb::string(order)}, {"at", dynamodb::string("2024-11-20")}});
  auto text = propose_mapping(table_of({{"pid", "S"}, {"at", "S"}}), sample);
  EXPECT_NE(text.find("when = { attribute = \"pid\", begins = \"review-\" }"), text.npos) << text;
  EXPECT_NE(text.find("pattern = \"review-{product}\""), text.npos) << text;
  EXPECT_EQ(comments_in(text, {"pid", "at"}, sample), 2u);
  EXPECT_EQ(comments_in(text, {"pid", "at"}, {review_of("review-hat-1")}), 1u);
}

// Comments of another month are comments, too.
TEST(Survey, NoTimeIsPartOfTheTextThatAdmitsComments) {
  auto item = [](const char* key, bool review) {
    Item made{{"PK", dynamodb::string("42")}, {"SK", dynamodb::string(key)}};
    if (review) made["stars"] = {Type::number, "5"};
    return made;
  };
  auto december = item("REVIEW#2024-12-01T12:00:00Z#ann", true);
  for (const char* other : {"ORDER#1", "REVIEW#none"}) {
    auto text = propose_mapping(table_of({{"PK", "S"}, {"SK", "S"}}),
                                {item("REVIEW#2024-11-20T12:01:00Z#bob", true),
                                 item("REVIEW#2024-11-21T12:01:00Z#cy", true), item(other, false)});
    EXPECT_EQ(text.find("2024"), text.npos) << text;
    EXPECT_EQ(comments_in(text, {"PK", "SK"}, {december}), 1u) << text;
  }
}

// A text that comments alone have says nothing of other items: the next comment may have another.
TEST(Survey, AnIdThatOnlyCommentsHaveAdmitsNothing) {
  std::vector<Item> sample{review_of("shoe-1"), review_of("shoe-2")};
  for (auto& item : sample) item["id"] = dynamodb::string("1");
  sample.push_back({{"id", dynamodb::string("2")}});
  auto text = propose_mapping(table_of({{"id", "S"}}), sample);
  EXPECT_EQ(text.find("begins = "), text.npos) << text;
}

// Names and values are quoted, and no sample breaks the proposal.
TEST(Survey, OddTablesGiveRemarks) {
  for (const auto& sample : std::vector<std::vector<Item>>{
           {},
           {{{"k\"\n", dynamodb::string("1")}}},
           {{{"k\"\n", dynamodb::string("1")}, {"rating", {Type::number, "5"}}},
            {{"k\"\n", dynamodb::string("2")}, {"rating", {Type::other, R"({"M":{}})"}}}}}) {
    auto text = propose_mapping(table_of({{"k\"\n", "S"}}), sample);
    EXPECT_TRUE(parse_mapping(text, "m")) << text;
    EXPECT_NE(text.find("# "), text.npos);
  }
}

}  // namespace
}  // namespace quire::adopted
