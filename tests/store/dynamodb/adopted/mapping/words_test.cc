// Each word of the language of mappings, on an item: it means what it means for rows of files.
#include <gtest/gtest.h>

#include <tuple>

#include "model/attributes.h"
#include "review_item.h"

namespace quire::adopted {
namespace {

TEST(MappedItem, TimesComeInTheFormsOfFiles) {
  auto time_of = [](std::string_view words, const Attribute& value) {
    auto mapping = mapping_with("created_at = { attribute = \"at\"" + std::string(words) + " }");
    auto reading = read_item(mapping, names, with("at", value));
    return reading.comment ? time_text(reading.comment->created_ms()) : reading.reason;
  };
  for (const char* iso :
       {"2024-11-20T12:01:00", "2024-11-20 12:01:00 UTC", "2024-11-20T12:01Z", "2024/11/20 12:01",
        "2024-11-20T13:01+0100", "2024-11-20T12:01:00.000+0000"}) {
    EXPECT_EQ(time_of("", text(iso)), "2024-11-20T12:01:00.000Z") << iso;
    EXPECT_EQ(time_of(R"(, format = "2021-08-25 13:00")", text(iso)), "2024-11-20T12:01:00.000Z");
  }
  const std::tuple<std::string_view, Attribute, std::string_view> cases[] = {
      {R"(, format = "epoch_s")", digits("1732104060"), "2024-11-20T12:01:00.000Z"},
      {R"(, format = "epoch_s")", digits("1732104060.123"), "2024-11-20T12:01:00.123Z"},
      {R"(, format = "epoch_s")", digits("1732104060.12345678"), "2024-11-20T12:01:00.123Z"},
      {R"(, format = "epoch_ms")", text("1732104060000"), "2024-11-20T12:01:00.000Z"},
      {R"(, format = "epoch")", digits("1732104060"), "2024-11-20T12:01:00.000Z"},
      {R"(, format = "epoch")", digits("1732104060000"), "2024-11-20T12:01:00.000Z"},
      {R"(, format = "DD/MM/YYYY HH:mm")", text("20/11/2024 12:01"), "2024-11-20T12:01:00.000Z"},
      {R"(, format = "MMMM D, YYYY")", text("November 20, 2024"), "2024-11-20T00:00:00.000Z"},
      {R"(, zone = "Europe/Berlin")", text("2024-11-20 13:01"), "2024-11-20T12:01:00.000Z"},
      {R"(, zone = "Europe/Berlin")", text("2024-11-20 12:01Z"), "2024-11-20T12:01:00.000Z"},
      {R"(, default = "2020-01-31")", text("0000-00-00"), "2020-01-31T00:00:00.000Z"},
      {"", text("0000-00-00"), "There is no date, and created_at has no default."},
      {"", text("03/04/2025"),
       "The date has two meanings; write format = \"DD/MM/YYYY\" or format "
       "= \"MM/DD/YYYY\": \"03/04/2025\"."},
      {R"(, format = "epoch_s")", text("1."), "The date is not as its format says: \"1.\"."},
      {R"(, format = "epoch_s")", text("20 Nov"),
       "The date is not as its format says: \"20 Nov\"."}};
  for (const auto& [words, value, time] : cases) EXPECT_EQ(time_of(words, value), time) << words;
}

// The languages of files and of tables are one: each word does here what it does there.
TEST(MappedItem, HasTheWordsOfFiles) {
  auto comment_of = [](const std::string& line, const Item& item) {
    auto reading = read_item(mapping_with(line), names, item);
    EXPECT_TRUE(reading.comment) << line << ": " << reading.reason;
    return std::move(reading.comment).value_or(Comment());
  };
  auto item = with("name", text("Ann &amp; <b>Bob</b>"));
  item["nick"] = text(" ");
  EXPECT_EQ(comment_of(R"(author = { attribute = ["nick", "name"] })", item).author,
            "Ann &amp; <b>Bob</b>");
  EXPECT_EQ(comment_of(R"(author = { attribute = "name", html = true })", item).author,
            "Ann & Bob");
  EXPECT_EQ(comment_of(R"(author = { attribute = "nick", default = "Someone" })", item).author,
            "Someone");
  EXPECT_EQ(comment_of(R"(author = { attribute = "user", values = { Ann = "A." } })", item).author,
            "A.");
  EXPECT_EQ(comment_of(R"(title = { attribute = "body", unless_in_text = true })", item).title, "");
  EXPECT_EQ(comment_of(R"(text = { attribute = "body", replace = ["dry", "soft"] })", item).text,
            "Warm\nand soft");
  EXPECT_EQ(
      comment_of(R"(language = { attribute = "lang", values = { en = "pt_br" } })", item).language,
      "pt-BR");
  EXPECT_EQ(comment_of(R"(language = { attribute = "none" })", item).language, "und");
  auto by_sku = comment_of(R"(product = { attribute = ["sku", "PK"], )"
                           R"(pattern = ["SKU-{product}", "PRODUCT#{product}"] })",
                           with("sku", text("SKU-7")));
  EXPECT_EQ(by_sku.product, "7");
  item["img"] = json(R"({"L":[{"M":{"url":{"S":"http://a.example/1.jpg"}}},{"S":"no picture"}]})");
  auto pictures = comment_of(R"(pictures = { attribute = "img", member = "url" })", item).media;
  EXPECT_EQ(pictures, (Media{{.url = "https://a.example/1.jpg"}}));
  item["answer"] = text("Thank you");
  item["by"] = text("Eve");
  auto reply = comment_of("[reply]\ntext.attribute = \"answer\"\nauthor.attribute = \"by\"", item);
  EXPECT_EQ(reply.reply.value(), (Reply{"Eve", "Thank you", reply.created_ms()}));
  EXPECT_FALSE(comment_of("[reply]\ntext.attribute = \"answer\"\nwhen = { attribute = \"by\", "
                          "not = \"Eve\" }",
                          item)
                   .reply);
}

TEST(MappedItem, ARatingHasAScale) {
  auto rating = [](const std::string& words, const Attribute& value) {
    auto mapping = mapping_with("rating = { attribute = \"stars\"" + words + " }");
    auto reading = read_item(mapping, names, with("stars", value));
    return reading.comment ? std::to_string(reading.comment->rating) : reading.reason;
  };
  EXPECT_EQ(rating(", max = 10", digits("9")),
            R"(The rating is between two of 1 to 5; write round )"
            R"(= "up" or round = "down": "9".)");
  EXPECT_EQ(rating(", max = 10, round = \"up\"", digits("9")), "5");
  EXPECT_EQ(rating(", max = 10, round = \"down\"", digits("9")), "4");
  EXPECT_EQ(rating(", max = 100", digits("81")), "4");
  EXPECT_EQ(rating(", max = \"votes\"", digits("12")), "5") << "votes are 12";
  EXPECT_EQ(rating("", digits("4.6")), "5");
  EXPECT_EQ(rating("", digits("0.1")), "1");
  EXPECT_EQ(rating("", digits("0")), "The rating is not above 0: \"0\".");
  EXPECT_EQ(rating(", values = { up = 5, down = 1 }", text("down")), "1");
  EXPECT_EQ(rating(", values = { up = 5, down = 1 }", text("left")),
            "The rating is a word that its values do not list: \"left\".");
}

TEST(MappedItem, WhenHasConditions) {
  auto admitted = [](const std::string& when, const Item& item) {
    return admits(mapping_with("when = " + when), item);
  };
  EXPECT_TRUE(admitted(R"({ attribute = "SK", begins = ["NOTE#", "REVIEW#"] })", review));
  EXPECT_FALSE(admitted(R"({ attribute = "SK", begins = "NOTE#" })", review));
  EXPECT_TRUE(admitted(R"({ attribute = "SK", ends = "#7f" })", review));
  EXPECT_FALSE(admitted(R"({ attribute = "SK", ends = "#7" })", review));
  EXPECT_TRUE(admitted(R"({ attribute = "lang", is = ["de", "en"] })", review));
  EXPECT_FALSE(admitted(R"({ attribute = "lang", is = "e" })", review));
  EXPECT_FALSE(admitted(R"({ attribute = "verifiedPurchase", not = true })", review));
  EXPECT_TRUE(admitted(R"({ attribute = "deleted", not = true })", review));
  EXPECT_FALSE(admitted(R"({ attribute = "deleted", is = false })", review));
  EXPECT_FALSE(
      admitted(R"([{ attribute = "lang", is = "en" }, { attribute = "stars", is = 4 }])", review));
}

TEST(MappedItem, AttributesMayHaveAType) {
  auto value = [](const std::string& words, const Attribute& attribute) {
    auto mapping = mapping_with("[attributes]\nx = { attribute = \"x\"" + words + " }");
    auto reading = read_item(mapping, names, with("x", attribute));
    if (!reading.comment) return reading.reason;
    std::string out;
    append_json(out, reading.comment->attributes);
    return out;
  };
  const auto no = json(R"({"BOOL":false})");
  EXPECT_EQ(value("", no), R"({"x":false})");
  EXPECT_EQ(value(", type = \"flag\"", no), "{}");
  EXPECT_EQ(value(", type = \"flag\"", text("yes")), R"({"x":true})");
  EXPECT_EQ(value(", type = \"flag\"", text("perhaps")),
            "The flag x is neither true nor false; list it in values: \"perhaps\".");
  EXPECT_EQ(value("", json(R"({"L":[{"S":"a, b"}]})")), R"({"x":["a, b"]})");
  EXPECT_EQ(value(", type = \"tags\"", text("a, b")), R"({"x":["a","b"]})");
  EXPECT_EQ(value(", type = \"number\"", text("12")), R"({"x":12})");
  EXPECT_EQ(value("", digits("12")), R"({"x":12})");
  EXPECT_EQ(value("", text("12")), R"({"x":"12"})");
  EXPECT_EQ(value(", values = { 12 = \"dozen\" }", digits("12")), R"({"x":"dozen"})");
}

}  // namespace
}  // namespace quire::adopted
