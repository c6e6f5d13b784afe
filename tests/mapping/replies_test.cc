// Replies: in columns of their comment, and in rows of their own.
#include "mapping/replies.h"

#include "mapping/conversions.h"

namespace quire {
namespace {

using Found = Replies::Found;

TEST(Replies, TheFirstByTimeIsKept) {
  Replies replies;
  ASSERT_TRUE(replies.add("1", {"Shop", "later", 20}));
  ASSERT_TRUE(replies.add("1", {"Shop", "undated", {}}));
  ASSERT_TRUE(replies.add("1", {"", "first", 10}));
  ASSERT_TRUE(replies.add("1", {"Shop", "as early", 10}));
  ASSERT_TRUE(replies.add("2", {"Shop", std::string(100'000, 'x'), {}}));
  ASSERT_TRUE(replies.add("2", {"Shop", "undated, too", {}}));
  EXPECT_EQ(replies.left(), 6u);
  auto found = replies.take("1").value();
  EXPECT_EQ(found.first->text, "first");
  EXPECT_EQ(found.first->ms, 10u);
  EXPECT_EQ(found.count, 4u);
  ASSERT_TRUE(replies.add("3", {"a", "b", 1}));
  found = replies.take("2").value();
  EXPECT_EQ(found.first->text.size(), 100'000u);
  EXPECT_FALSE(found.first->ms);
  EXPECT_FALSE(replies.take("2")->first) << "it is taken once";
  EXPECT_FALSE(replies.take("none")->first);
  EXPECT_EQ(replies.left(), 1u);
}

TEST(Replies, InColumnsHaveADateOrTheirComments) {
  auto toml = comment_section(
      "id.column = \"i\"\n[reply]\ntext.column = \"t\"\n"
      "author = { default = \"Shop\" }\ncreated_at.column = \"rd\"\n"
      "when = { column = \"k\", not = \"hidden\" }");
  auto records = records_in(R"(
    {"p": "1", "r": 5, "d": "2025-01-03", "i": 1, "t": "a", "rd": "2025-01-04"},
    {"p": "1", "r": 5, "d": "2025-01-03", "i": 2, "t": "b", "rd": ""},
    {"p": "1", "r": 5, "d": "2025-01-03", "i": 3, "t": "c", "rd": "soon"},
    {"p": "1", "r": 5, "d": "2025-01-03", "i": 4, "t": " "},
    {"p": "1", "r": 5, "d": "2025-01-03", "i": 5, "t": "e", "k": "hidden"})");
  Conversion conversion(mapping_in(toml), {});
  std::vector<std::string> replies;
  for (const auto& row : convert_all(conversion, records)) {
    auto at = row.find("\"reply\":");
    replies.push_back(at == row.npos ? "" : row.substr(at));
  }
  auto reply = [](const std::string& text, const std::string& day) {
    return R"("reply":{"author":"Shop","text":")" + text + R"(","created_at":")" + day +
           "T00:00:00.000Z\"}}";
  };
  EXPECT_EQ(replies, (std::vector<std::string>{reply("a", "2025-01-04"), reply("b", "2025-01-03"),
                                               reply("c", "2025-01-03"), "", ""}));
  EXPECT_EQ(conversion.remarks(),
            (Remarks{{"replies that when of [reply] does not admit", 1},
                     {"replies with a date that cannot be read: they have their comment's", 1}}));
}

const std::string rows_mapping = comment_section(R"(id.column = "i"
author.column = "a"
text.column = "t"
status = { column = "s", values = { "1" = "published", "0" = "pending" } }
[reply]
of = "parent"
when = { column = "a", is = ["Shop", "Team"] }
)");

constexpr auto rows_records = R"(
  {"i": 11, "parent": 1, "d": "2025-02-02", "a": "Team", "t": "second", "s": 1},
  {"i": 12, "parent": 1, "d": "2025-02-01", "a": "Shop", "t": "first", "s": 1},
  {"i": 1, "parent": 0, "p": "x", "r": 5, "d": "2025-01-01", "a": "Ann", "t": "Nice", "s": 1},
  {"i": 2, "parent": "", "p": "x", "r": 4, "d": "2025-01-01", "a": "Bo", "t": "Good", "s": 1},
  {"i": 3, "p": "x", "r": 0, "d": "2025-01-01", "a": "Cy", "t": "No stars", "s": 1},
  {"i": 13, "parent": 1, "d": "2025-01-31", "a": "Visitor", "t": "me too", "s": 1},
  {"i": 14, "parent": 1, "d": "2025-01-31", "a": "Shop", "t": "draft", "s": 0},
  {"i": 15, "parent": 1, "d": "2025-01-31", "a": "Shop", "t": "odd", "s": 7},
  {"i": 16, "parent": 2, "d": "0000-00-00", "a": "Shop", "t": "undated", "s": 1},
  {"i": 17, "parent": 2, "d": "2025-02-02", "a": "Shop", "t": " ", "s": 1},
  {"i": 18, "parent": 3, "d": "2025-02-02", "a": "Shop", "t": "to a rejected one", "s": 1},
  {"i": 19, "parent": 99, "d": "2025-02-02", "a": "Shop", "t": "to none", "s": 1},
  {"i": 20, "parent": 12, "d": "2025-02-02", "a": "Shop", "t": "to a reply", "s": 1})";

TEST(Replies, InRowsOfTheirOwnFindTheirComment) {
  Conversion conversion(mapping_in(rows_mapping), {});
  auto rows = convert_all(conversion, records_in(rows_records));
  ASSERT_EQ(rows.size(), 13u);
  auto reply_in = [&](std::size_t at) { return rows[at].substr(rows[at].find("\"reply\":")); };
  EXPECT_EQ(reply_in(2), R"("reply":{"author":"Shop","text":"first",)"
                         R"("created_at":"2025-02-01T00:00:00.000Z"}})");
  EXPECT_EQ(reply_in(3), R"("reply":{"author":"Shop","text":"undated",)"
                         R"("created_at":"2025-01-01T00:00:00.000Z"}})");
  EXPECT_EQ(rows[4], "The rating is not above 0: \"0\".");
  for (std::size_t at : {0, 1, 5, 6, 7, 8, 9, 10, 11, 12})
    EXPECT_EQ(rows[at], "replies in rows of their own");
  EXPECT_EQ(conversion.remarks(), (Remarks{{"further replies", 1},
                                           {"replies that are not published", 2},
                                           {"replies that when of [reply] does not admit", 1},
                                           {"replies to comments that were not taken", 3},
                                           {"replies without a text", 1}}));
}

TEST(Replies, NameTheirCommentAsIdsAreOrWithTheirPattern) {
  auto toml = rows_mapping;
  toml.replace(toml.find("id.column = \"i\""), 15, "id = { column = \"i\", pattern = \"C#{id}\" }");
  Conversion conversion(mapping_in(toml), {});
  auto rows = convert_all(conversion, records_in(R"(
    {"i": "C#1", "p": "x", "r": 5, "d": "2025-01-01", "s": 1},
    {"i": "C#2", "p": "x", "r": 5, "d": "2025-01-01", "s": 1},
    {"i": "C#3", "parent": "C#1", "d": "2025-01-01", "a": "Shop", "t": "one", "s": 1},
    {"i": "C#4", "parent": "2", "d": "2025-01-01", "a": "Shop", "t": "two", "s": 1})"));
  EXPECT_NE(rows.at(0).find(R"("text":"one")"), std::string::npos) << rows.at(0);
  EXPECT_NE(rows.at(1).find(R"("text":"two")"), std::string::npos) << rows.at(1);
}

TEST(Replies, NameTheirCommentByTheWordsThatChangeIds) {
  auto toml = rows_mapping;
  toml.replace(toml.find("id.column = \"i\""), 15,
               "id = { column = \"i\", replace = [\"R-\", \"\"] }");
  Conversion conversion(mapping_in(toml), {});
  auto rows = convert_all(conversion, records_in(R"(
    {"i": "R-1", "p": "x", "r": 5, "d": "2025-01-01", "s": 1},
    {"i": "R-3", "parent": "R-1", "d": "2025-01-01", "a": "Shop", "t": "one", "s": 1})"));
  EXPECT_NE(rows.at(0).find(R"("text":"one")"), std::string::npos) << rows.at(0);
}

// Without a first pass, a reply is found where it comes before its comment.
TEST(Replies, OfAStreamComeBeforeTheirComment) {
  Conversion conversion(mapping_in(rows_mapping), {});
  std::size_t with_reply = 0;
  for (const auto& record : records_in(rows_records)) {
    conversion.look(record);
    ASSERT_TRUE(conversion.looked());
    auto result = conversion.convert(record);
    auto* row = std::get_if<ConvertedRow>(&result);
    with_reply += row && row->json.find("\"reply\":") != std::string::npos;
  }
  EXPECT_EQ(with_reply, 1u);
}

TEST(Replies, OfWhichTheDateHasTwoMeaningsRefuseTheFile) {
  Conversion conversion(mapping_in(rows_mapping), {});
  auto rows = convert_all(conversion, records_in(R"({"i": 1, "parent": 2, "d": "3/4/2025"})"));
  EXPECT_NE(rows.at(0).find("has two meanings"), std::string::npos);
}

}  // namespace
}  // namespace quire
