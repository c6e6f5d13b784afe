// Flaws of items are found and repaired.
#include "store/dynamodb/inspection/inspection.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/support.h"
#include "store/table_backend.h"

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

class InspectionTest : public testing::Test {
 protected:
  void send(Call call) {
    EXPECT_FALSE(wait(access_.loop.run(access_.client.send(std::move(call)))).failure);
  }
  void put(const Item& item) { send(put_item(access_.client.table(), item, {}, Repeat::safe)); }
  void put_and_look(const std::vector<Item>& items) {
    for (const auto& item : items) {
      put(item);
      inspection_.look(item);
    }
  }
  std::optional<Item> get(const Item& item) {
    return wait(access_.loop.run(access_.client.get(key_in(item)))).value().item;
  }
  std::vector<std::string> look_again() { return wait(inspection_.look_again()).value(); }

  static std::string name() {
    static int made = 0;
    return "inspection" + std::to_string(++made);
  }
  std::unique_ptr<TableStore> store_ =
      open_table(table_address(endpoint_of<LocalDynamo>(), name(), StatisticsBy::stream));
  TableAccess& access_ = store_->access();
  ItemInspection inspection_{access_};
};

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

const CustomerHash rater{{1, 2, 3}};

Comment rated_by(std::uint64_t number, const CustomerHash& customer = rater) {
  auto comment = comment_at(2000 + number, number, "en", 4, "a b");
  comment.customer = customer;
  return comment;
}

TEST(FlawOf, AnItemOfACustomerThatNamesNoCommentIsRemoved) {
  auto of_comment = customer_comment_item(rater, rated_by(1));
  auto of_product = customer_product_item(rater, rated_by(1));
  auto ticket = ticket_item(rater, {1}, 5000, rated_by(1).id);
  for (const auto& item : {of_comment, of_product, ticket}) EXPECT_FALSE(flaw_of(item));
  of_comment["SK"] = string("COMMENT#1");
  of_product["comment"] = string("1");
  ticket.erase("comment");
  for (const auto& item : {of_comment, of_product, ticket}) {
    auto flaw = flaw_of(item);
    ASSERT_TRUE(flaw) << item.at("SK").text;
    EXPECT_TRUE(flaw->removes);
  }
}

// In either order, as a scan gives them.
TEST_F(InspectionTest, CommentsOfCustomersAndTheirItemsBelongTogether) {
  auto whole = rated_by(1), first = rated_by(2), lone = rated_by(3), gone = rated_by(4),
       others = rated_by(5);
  std::vector<Item> items = {comment_item(whole),
                             customer_comment_item(rater, whole),
                             customer_comment_item(rater, first),
                             comment_item(first),
                             comment_item(lone),
                             customer_comment_item(rater, gone),
                             comment_item(others),
                             customer_comment_item(rater, others),
                             customer_comment_item({{9}}, others)};
  put_and_look(items);
  auto sentences = look_again();
  ASSERT_EQ(sentences.size(), 3u);
  EXPECT_EQ(std::count(sentences.begin(), sentences.end(),
                       "Comment " + lone.id.text() + " is not among its customer's comments."),
            1);
  ASSERT_TRUE(wait(inspection_.repair()));
  for (const auto& item : items) inspection_.look(item);
  EXPECT_TRUE(look_again().empty());
  EXPECT_EQ(get(customer_comment_item(rater, lone)), customer_comment_item(rater, lone));
  EXPECT_FALSE(get(customer_comment_item(rater, gone)));
  EXPECT_FALSE(get(customer_comment_item({{9}}, others)));
  EXPECT_TRUE(get(customer_comment_item(rater, others)));
}

// A scan gives a customer's comments before the rows of products.
TEST_F(InspectionTest, ARowOfAProductWhoseCommentIsGoneIsRemoved) {
  auto whole = rated_by(1), gone = rated_by(2), others = rated_by(3, {{9}});
  whole.product = "whole";
  others.product = "others";
  std::vector<Item> items = {comment_item(whole),
                             comment_item(others),
                             customer_comment_item(rater, whole),
                             customer_product_item(rater, gone),
                             customer_product_item(rater, others),
                             customer_product_item(rater, whole),
                             customer_comment_item({{9}}, others),
                             customer_product_item({{9}}, others)};
  put_and_look(items);
  EXPECT_EQ(look_again().size(), 2u);
  ASSERT_TRUE(wait(inspection_.repair()));
  for (const auto& item : items) inspection_.look(item);
  EXPECT_TRUE(look_again().empty());
  EXPECT_FALSE(get(customer_product_item(rater, gone)));
  EXPECT_FALSE(get(customer_product_item(rater, others)));
  EXPECT_TRUE(get(customer_product_item(rater, whole)));
  EXPECT_TRUE(get(customer_product_item({{9}}, others)));
}

Comment voted_comment(std::uint64_t number) {
  return comment_at(3000 + number, number, "en", 4, "a b");
}

Item voted_item(std::uint64_t number, std::int64_t helpful, std::string unvoted) {
  auto comment = voted_comment(number);
  if (helpful > 0) comment.attributes = {{"helpful", helpful}};
  auto item = comment_item(comment);
  if (!unvoted.empty()) item["unvoted"] = string(std::move(unvoted));
  return item;
}

TEST_F(InspectionTest, VotesAreCountedAgainstTheirComments) {
  auto id = [](std::uint64_t number) { return voted_comment(number).id; };
  auto vote = [&](std::uint64_t number, std::uint8_t voter) {
    return vote_item(id(number), {{voter, 77}}, Vote::helpful);
  };
  std::vector<Item> items = {vote(1, 1),
                             voted_item(1, 3, R"({"helpful":1})"),
                             vote(1, 2),  // whole
                             voted_item(2, 5, R"({"helpful":3})"),
                             vote(2, 1),  // counts one too many
                             voted_item(3, 7, ""),
                             vote(3, 1),              // does not say that it has any
                             voted_item(4, 2, "{}"),  // has none
                             voted_item(5, 9, ""),    // an import's, without votes
                             vote(6, 1),              // its comment is gone
                             vote(7, 1),
                             sweep_item(id(7))};  // it is to be swept
  put_and_look(items);
  auto sentences = look_again();
  EXPECT_EQ(sentences.size(), 4u);
  EXPECT_EQ(std::count(sentences.begin(), sentences.end(),
                       "Comment " + id(2).text() +
                           " has 1 helpful and 0 unhelpful votes, and counts others."),
            1);
  ASSERT_TRUE(wait(inspection_.repair()));
  auto now = [&](std::uint64_t number) { return get(comment_key(id(number))); };
  EXPECT_EQ(now(1), items[1]);
  EXPECT_EQ(now(2), voted_item(2, 4, R"({"helpful":3})"));
  EXPECT_EQ(now(3), voted_item(3, 7, R"({"helpful":6})"));
  EXPECT_EQ(now(4), voted_item(4, 0, ""));
  EXPECT_FALSE(get(vote(6, 1)));
  EXPECT_FALSE(get(vote(7, 1)));
  EXPECT_FALSE(get(sweep_key(id(7))));
  for (const auto& item : items)
    if (auto there = get(item)) inspection_.look(*there);
  EXPECT_TRUE(look_again().empty());
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
