// Flaws of items are found and repaired.
#include "store/dynamodb/inspection/inspection.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "store/dynamodb/inspection/inspected_table.h"
#include "store/dynamodb/items/queue_items.h"

namespace quire::dynamodb {
namespace {

const Comment rated = comment_at(1000, 1, "en", 5, "a b");
const Item rated_item = comment_item(rated);

Item rated_with(const std::string& name, const std::string& text) {
  Item item = rated_item;
  item.insert_or_assign(name, string(text));
  return item;
}

TEST(FlawOf, CommentsInTheirListsAndForeignItemsHaveNone) {
  for (const auto& item : {rated_item, key_of("PRODUCT#42", "S"), key_of("ONCE#1", "ONCE#1"),
                           statistics_item("42", any, {0, 0, 0, 0, 1}),
                           key_of("COMMENT#" + rated.id.text(), "IMAGE#1")})
    EXPECT_FALSE(flaw_of(item));
}

TEST(FlawOf, OfAMisplacedCommentNamesEachWrongKey) {
  Item item = rated_with("GSI3PK", "PRODUCT#a%20b/4");
  item.erase("GSI2PK");
  auto flaw = flaw_of(item);
  ASSERT_TRUE(flaw);
  EXPECT_EQ(flaw->sentence, "Item \"COMMENT#" + rated.id.text() +
                                "\" lies in other lists than its own:"
                                " GSI2PK is missing, and must be \"PRODUCT#a%20b/en\"."
                                " GSI3PK is \"PRODUCT#a%20b/4\", and must be \"PRODUCT#a%20b/5\".");
  EXPECT_EQ(flaw->change.text, "SET #n0 = :v0, #n1 = :v1");
  EXPECT_EQ(flaw->change.values.at(":v1"), string("PRODUCT#a%20b/5"));
}

TEST(FlawOf, ACommentMayLieInAnyPartThatIsRead) {
  Item item = rated_with("GSI3PK", "PRODUCT#a%20b/5#part3");
  TableParts parts{1, {{{"a b", 2}, {1, 4}}}};
  EXPECT_FALSE(flaw_of(item, parts));
  parts.rows.begin()->second.read = 3;
  auto flaw = flaw_of(item, parts);
  ASSERT_TRUE(flaw);
  EXPECT_EQ(flaw->change.values.at(":v0"), string("PRODUCT#a%20b/5"));
  EXPECT_TRUE(flaw_of(item)) << "no parts are declared";
}

Comment pending_of(Comment comment) {
  comment.moderation = held({}, "links", 4000);
  return comment;
}

TEST(FlawOf, KeysThatDisagreeWithTheStatusAreNamed) {
  Item pending = comment_item(pending_of(rated));
  EXPECT_FALSE(flaw_of(pending));
  Item shown = rated_item;
  shown["data"] = pending["data"];
  auto flaw = flaw_of(shown);
  ASSERT_TRUE(flaw);
  EXPECT_NE(flaw->sentence.find(" GSI4PK is \"PRODUCT#a%20b\", and must be \"STATUS#pending\"."
                                " GSI2PK is \"PRODUCT#a%20b/en\", and must be absent."),
            std::string::npos)
      << flaw->sentence;
  EXPECT_EQ(flaw->change.text, "SET #n0 = :v0 REMOVE #n1, #n2, #n3");
  pending["data"] = string(R"({"product":"a b"})");
  flaw = flaw_of(pending);
  ASSERT_TRUE(flaw);
  EXPECT_EQ(flaw->change.text, "SET #n0 = :v0, #n1 = :v1, #n2 = :v2, #n3 = :v3");
}

TEST(FlawOf, ReportsOfAnotherFormAreRemovedAndThoseOfOtherListsPutRight) {
  Item reports = reports_item(rated.id, {}, true);
  EXPECT_FALSE(flaw_of(reports));
  Item unread = reports;
  unread["reports"] = string("{");
  auto flaw = flaw_of(unread);
  EXPECT_TRUE(flaw && flaw->removes && flaw->unreadable && !flaw->sets_aside);
  for (const auto& [name, text] :
       {std::pair{"GSI4PK", "STATUS#pending"}, {"GSI4PK", "PRODUCT#42"}, {"GSISK", "1"}}) {
    Item wrong = reports;
    wrong[name] = string(text);
    flaw = flaw_of(wrong);
    ASSERT_TRUE(flaw && !flaw->removes && !flaw->sets_aside) << name;
    EXPECT_EQ(flaw->change.values.at(":v0"), reports.at(name)) << flaw->sentence;
  }
}

TEST(FlawOf, ADamagedItemIsSetAside) {
  auto flaw = flaw_of(rated_with("data", "{"));
  ASSERT_TRUE(flaw);
  EXPECT_EQ(flaw->sentence,
            "Item \"COMMENT#" + rated.id.text() + "\" is damaged: Its data is no JSON object.");
  EXPECT_EQ(std::count(flaw->change.text.begin(), flaw->change.text.end(), '='), 6);
  EXPECT_NE(flaw->change.text.find(" REMOVE "), std::string::npos);
}

TEST(FlawOf, AnItemAmongCommentsThatIsNoneIsSetAside) {
  Item item = rated_item;
  item["PK"] = string("REVIEW#1");
  auto flaw = flaw_of(item);
  ASSERT_TRUE(flaw);
  EXPECT_NE(flaw->sentence.find("no comment's key"), std::string::npos) << flaw->sentence;
}

Item registered(const std::string& product) {
  return key_of("PRODUCTS", product);
}

// Items of a leaderboard that have no valid product.
std::vector<Item> misnamed_leaders() {
  std::vector<Item> out;
  for (std::string key : {"PRODUCT#..", "PRODUCT#", "PRODUCT#%41", "PRODUCT#%0A", "PRODUCT#a b",
                          "PRODUCT#%", "OTHER#42"}) {
    out.push_back(statistics_item("42", any, {0, 0, 0, 0, 9}, 2));
    out.back()["PK"] = string(key);
    out.push_back(*average_item("42", any, {0, 0, 0, 0, 9}, 2));
    out.back()["PK"] = string(key);
  }
  return out;
}

TEST(FlawOf, AnItemOfTheRegistryOrALeaderboardThatNamesNoProductIsSetAside) {
  EXPECT_FALSE(flaw_of(registered("42")));
  EXPECT_FALSE(flaw_of(registered("größe #1/..")));
  auto flaw = flaw_of(registered(".."));
  ASSERT_TRUE(flaw);
  EXPECT_EQ(flaw->sentence,
            "Item \"PRODUCTS ..\" is damaged: It is in the list of products, and names no product. "
            "A product is 1 to 256 bytes of UTF-8 without control characters, and neither . nor .. "
            "alone.");
  EXPECT_EQ(flaw->change.text, "SET #n0 = :v0");
  Item aside = registered("..");
  aside["aside"] = string("It names no product.");
  EXPECT_FALSE(flaw_of(aside));
  for (const auto& name : {std::string("a\nb"), std::string(257, 'a')})
    EXPECT_TRUE(flaw_of(registered(name))) << name;
  for (const auto& item : misnamed_leaders()) {
    flaw = flaw_of(item);
    ASSERT_TRUE(flaw) << item.at("PK").text;
    EXPECT_NE(flaw->sentence.find(" is damaged: It is in a leaderboard"), std::string::npos);
    EXPECT_NE(flaw->change.text.find(" REMOVE "), std::string::npos);
  }
}

Item damaged(std::uint64_t number_of_id) {
  Item item = comment_item(comment_at(2000, number_of_id, "en", 4));
  item["rating"] = number(9);
  return item;
}

TEST_F(InspectionTest, FlawedItemsAreRepaired) {
  Item flawed = damaged(2), lost = rated_with("GSI3PK", "PRODUCT#x/5");
  put_and_look({flawed, lost});
  inspection_.look(comment_item(comment_at(3000, 3, "en", 4)));
  EXPECT_EQ(look_again().size(), 2u);
  EXPECT_EQ(wait(inspection_.repair()).value().set_aside, 1u) << "the damaged one is set aside";
  EXPECT_TRUE(look_again().empty());
  EXPECT_EQ(get(lost), rated_item);
  Item aside = get(flawed).value();
  EXPECT_FALSE(is_listed(aside));
  EXPECT_FALSE(is_comment(aside));
  EXPECT_EQ(aside.at("aside"), string("Its rating is not a whole number from 1 to 5."));
  for (const char* key : {"GSIPK", "GSI2PK", "GSI3PK", "GSI4PK", "GSISK"})
    EXPECT_EQ(aside.at(std::string("aside_") + key), flawed.at(key));
  EXPECT_EQ(aside.at("data"), flawed.at("data"));
}

TEST_F(InspectionTest, AnItemThatChangesMeanwhileIsLeftAlone) {
  Item first = damaged(2), second = damaged(3), third = damaged(4);
  put_and_look({first, second, third, rated_with("GSI3PK", "PRODUCT#x/5")});
  EXPECT_EQ(look_again().size(), 4u);
  // As if the answer to its update were lost.
  auto flaw = flaw_of(second).value();
  send(update_item(access_.client.table(), key_in(second), flaw.change, flaw.condition,
                   Repeat::safe));
  Item right = comment_item(comment_at(2000, 4, "en", 4));
  put(right);
  EXPECT_EQ(wait(inspection_.repair()).value().set_aside, 2u)
      << "the first and the second are set aside";
  EXPECT_EQ(get(third), right);
  EXPECT_TRUE(look_again().empty());
}

// Its product was in the keys alone.
TEST_F(InspectionTest, ACommentThatAnotherProgramHeldIsTakenOutOfItsLists) {
  Item shown = rated_with("data", R"({"title":"Fits","status":"pending"})");
  put(shown);
  inspection_.look(shown);
  EXPECT_EQ(look_again().size(), 1u);
  ASSERT_TRUE(wait(inspection_.repair()));
  EXPECT_TRUE(look_again().empty());
  Item repaired = get(shown).value();
  EXPECT_EQ(repaired.at("GSI4PK"), string("STATUS#pending"));
  EXPECT_FALSE(repaired.contains("GSIPK"));
  EXPECT_EQ(comment_of(repaired)->product, "a b");
  EXPECT_EQ(comment_of(repaired)->title, "Fits");
}

TEST_F(InspectionTest, ReportsWithoutACommentAreRemoved) {
  Comment another = comment_at(2000, 2, "en", 4);
  Item lone = reports_item(rated.id, {}, true), beside = reports_item(another.id, {}, true);
  for (const auto& item : {lone, comment_item(another), beside}) put(item);
  // The comment of the second was on the page before.
  inspection_.look(lone);
  inspection_.look(beside);
  EXPECT_EQ(look_again(),
            (std::vector<std::string>{"Item \"COMMENT#" + rated.id.text() +
                                      " REPORTS\" has reports on a comment that is not there."}));
  ASSERT_TRUE(wait(inspection_.repair()));
  EXPECT_TRUE(look_again().empty());
  EXPECT_FALSE(get(lone));
  EXPECT_TRUE(get(beside));
}

TEST_F(InspectionTest, AnItemThatIsTooLargeToRepairStopsNoOther) {
  Item full = rated_with("data", "{");
  std::size_t bytes = 0;
  for (const auto& [name, value] : full) bytes += name.size() + value.text.size();
  full["full"] = string(std::string(400 * 1024 - bytes - 10, 'x'));
  put_and_look({damaged(2), full});
  EXPECT_EQ(look_again().size(), 2u);
  EXPECT_EQ(wait(inspection_.repair()).value().set_aside, 1u);
  EXPECT_EQ(look_again().size(), 1u) << "it is named again";
}

TEST_F(InspectionTest, FlawsAreRememberedUpToABound) {
  ItemInspection inspection(access_, 100);
  for (std::uint64_t i = 0; i <= 100; ++i) {
    Item item = comment_item(comment_at(1000 + i, i, "en", 5));
    item["data"] = string("{");
    inspection.look(item);
  }
  auto sentences = wait(inspection.look_again()).value();
  ASSERT_EQ(sentences.size(), 1u) << "none of them is there";
  EXPECT_NE(sentences[0].find("More than 100 items"), std::string::npos) << sentences[0];
}

}  // namespace
}  // namespace quire::dynamodb
