// A first mapping makes no private data public, shows nobody what is held, and outlives odd values.
#include <gtest/gtest.h>

#include <functional>
#include <tuple>

#include "survey_sample.h"

namespace quire::adopted {
namespace {

// What a shop writes beside its comments: `make` gives the attributes of the i-th.
std::string mapping_with(std::size_t size, const std::function<Item(std::size_t)>& make,
                         std::size_t comments) {
  std::vector<Item> sample;
  for (std::size_t i = 0; i < size; ++i) {
    Item item{{"pk", dynamodb::string("PRODUCT#" + std::to_string(i % 7))},
              {"sk", dynamodb::string(time_text(1'700'000'000'000 + i * 1000))},
              {"rating", dynamodb::number(1 + i % 5)},
              {"text", dynamodb::string("Write to me: ann" + std::to_string(i) + "@example.com")}};
    for (auto& [name, value] : make(i)) item.insert_or_assign(name, value);
    sample.push_back(std::move(item));
  }
  auto text = propose_mapping(table_of({{"pk", "S"}, {"sk", "S"}}), sample);
  EXPECT_EQ(comments_in(text, {"pk", "sk"}, sample), comments) << text;
  return text;
}

TEST(Survey, ColumnsAboutAPersonAreNoAttributes) {
  const Attribute flag{Type::other, R"({"BOOL":true})"};
  auto text = mapping_with(
      40,
      [&](std::size_t i) {
        auto n = std::to_string(i);
        return Item{{"author", dynamodb::string("Ann " + n)},
                    {"email", dynamodb::string("ann" + n + "@example.com")},
                    {"ip", dynamodb::string("192.0.2." + n)},
                    {"orderId", dynamodb::string("A-" + n)},
                    {"clientip", dynamodb::string("n/a")},
                    {"user_agent", dynamodb::string("Mozilla")},
                    {"reviewer", {Type::other, R"({"M":{"id":{"N":")" + n + R"("}}})"}},
                    {"contact", dynamodb::string(i == 7 ? "ask Bob <bob@example.org>" : "none")},
                    {"called", dynamodb::string("+49 30 1234 5" + n)},
                    {"seen", dynamodb::string("2001:db8::" + n)},
                    {"verifiedUser", flag},
                    {"border", dynamodb::string("red")},
                    {"description", dynamodb::string("thick")},
                    {"tip", dynamodb::string("wash it cold")},
                    {"ean", dynamodb::string("978-3-16-148410-0")}};
      },
      40);
  for (const char* line :
       {R"(# email = { attribute = "email" }  # personal: its name has "email")", "# ip = {",
        R"(# order_id = { attribute = "orderId" }  # personal: its name has "order")",
        "# clientip = {", "# user_agent = {", R"(# reviewer_id = { attribute = "reviewer.id" })",
        R"(# contact = { attribute = "contact" }  # personal: 1 of 40 values has a mail address)",
        R"(# called = { attribute = "called" }  # personal: 40 of 40 values have a telephone)",
        R"(# seen = { attribute = "seen" }  # personal: 40 of 40 values have an IP address)",
        "\nauthor = { attribute = \"author\"", "\ntext = { attribute = \"text\"",
        "\nverified_user = {", "\nborder = {", "\ndescription = {", "\ntip = {", "\nean = {",
        "# Everybody sees attributes."})
    EXPECT_NE(text.find(line), text.npos) << line << "\n" << text;
  EXPECT_EQ(parse_mapping(text, "m").value().attributes.size(), 5u) << text;
}

TEST(Survey, AnAuthorHasAName) {
  auto named = [](const char* column) {
    auto make = [&](std::size_t) { return Item{{column, dynamodb::string("Ann")}}; };
    return mapping_with(4, make, 4);
  };
  for (const char* column : {"author", "user", "customer", "reviewerName", "user_name"})
    EXPECT_NE(named(column).find("author = { attribute = \"" + std::string(column) + "\""),
              std::string::npos)
        << column;
  for (const char* column : {"userId", "customer_id", "author_email", "user.ip", "reviewerNo"})
    EXPECT_EQ(named(column).find("\nauthor = "), std::string::npos) << column;
}

std::string mapping_of_status(const char* column, const std::vector<Attribute>& values,
                              std::size_t comments) {
  auto make = [&](std::size_t i) { return Item{{column, values[i]}}; };
  return mapping_with(values.size(), make, comments);
}

TEST(Survey, AColumnThatSaysWhoIsSeenIsTheStatus) {
  const Attribute yes{Type::other, R"({"BOOL":true})"}, no{Type::other, R"({"BOOL":false})"};
  auto text_of = [](const char* text) { return dynamodb::string(text); };
  struct Case {
    const char* column;
    std::vector<Attribute> values;
    std::size_t published;
    const char* line;
  };
  const Case cases[] = {
      {"state",
       {text_of("approved"), text_of("held"), text_of("odd")},
       1,
       R"(# Of these nobody knows what they mean, so they wait: "odd")"},
      {"comment_approved",
       {text_of("1"), text_of("0"), text_of("spam")},
       1,
       R"("spam" = "rejected")"},
      {"isApproved", {yes, no, no}, 1, R"("false" = "pending")"},
      {"visible",
       {dynamodb::number(1), dynamodb::number(1), dynamodb::number(0)},
       2,
       R"("0" = "pending")"},
      {"hidden", {yes, no, no}, 2, R"(default = "published")"},
      {"deleted", {yes, no}, 1, R"("true" = "rejected")"},
      {"moderationResult", {text_of("Published"), text_of("On Hold")}, 1, R"("On Hold")"},
      {"phase",
       {text_of("PUBLISHED"), text_of("REJECTED"), text_of("pending")},
       1,
       R"(status = { attribute = "phase")"},
      {"status", {text_of("A"), text_of("B")}, 0, "# 2 items are not published by their status"}};
  for (const auto& [column, values, published, line] : cases) {
    auto text = mapping_of_status(column, values, published);
    EXPECT_NE(text.find("\nstatus = { attribute = "), text.npos) << column << "\n" << text;
    EXPECT_NE(text.find(line), text.npos) << line << "\n" << text;
  }
  for (const auto& [column, one, other] :
       {std::tuple("state", "CA", "NY"), std::tuple("condition", "new", "used")})
    EXPECT_EQ(mapping_of_status(column, {text_of(one), text_of(other)}, 2).find("\nstatus"),
              std::string::npos)
        << column;
}

TEST(Survey, OfTwoColumnsThatSayWhoIsSeenOneIsLeftToDecide) {
  auto text = mapping_with(
      4,
      [](std::size_t i) {
        return Item{{"status", dynamodb::string("approved")},
                    {"hidden", {Type::other, i % 2 ? R"({"BOOL":true})" : R"({"BOOL":false})"}}};
      },
      4);
  EXPECT_NE(text.find("status = { attribute = \"status\""), text.npos) << text;
  EXPECT_NE(text.find("# hidden = { attribute = \"hidden\" }"), text.npos) << text;
}

// One item of many that another program spoiled does not spoil the mapping.
TEST(Survey, OddValuesAreNamedAndChangeNothingElse) {
  const std::pair<Item, const char*> odd_items[] = {
      {{{"rating", {Type::number, "11"}}},
       R"(rating = { attribute = "rating" }  # 1 of 100 values is no whole number from 1 to 5: "11")"},
      {{{"rating", dynamodb::string("five")}}, R"("five")"},
      {{{"language", dynamodb::string("not a language")}},
       R"(# 1 of 100 values is no language: "not a language")"},
      {{{"sk", dynamodb::string("yesterday")}}, R"(# 1 of 100 values is no time: "yesterday")"}};
  for (const auto& [odd, line] : odd_items) {
    auto text = mapping_with(
        100,
        [&](std::size_t i) {
          Item item{{"language", dynamodb::string("en")}};
          if (i == 42)
            for (const auto& [name, value] : odd) item.insert_or_assign(name, value);
          return item;
        },
        99);
    EXPECT_NE(text.find(line), text.npos) << line << "\n" << text;
    EXPECT_NE(text.find("By it, 99 of them are comments."), text.npos) << text;
    EXPECT_NE(text.find("1 would be damaged"), text.npos) << text;
  }
}

}  // namespace
}  // namespace quire::adopted
