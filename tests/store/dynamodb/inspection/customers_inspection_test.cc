// Rows of customers belong to comments, and votes to their counts. What is missing is found.
#include <gtest/gtest.h>

#include <algorithm>

#include "store/dynamodb/inspection/inspected_table.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/queue_items.h"

namespace quire::dynamodb {
namespace {

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

// By its row alone an erasure finds it.
TEST_F(InspectionTest, TheRowOfADamagedCommentStays) {
  auto comment = rated_by(1);
  Item damaged = comment_item(comment);
  damaged["data"] = string("{");
  std::vector<Item> items = {damaged, customer_comment_item(rater, comment),
                             customer_product_item(rater, comment)};
  put_and_look(items);
  EXPECT_EQ(look_again().size(), 1u) << "the comment";
  ASSERT_TRUE(wait(inspection_.repair()));
  EXPECT_TRUE(get(customer_comment_item(rater, comment)));
  EXPECT_TRUE(get(customer_product_item(rater, comment)));
}

// All comments come first, and then their rows.
TEST_F(InspectionTest, OfVeryManyCommentsOfCustomersAPartIsCompared) {
  constexpr std::size_t many = 500, bound = 20;
  for (bool whole : {true, false}) {
    ItemInspection inspection(access_, bound, bound);
    ASSERT_TRUE(wait(inspection.prepare()));
    std::vector<Item> items, rows;
    for (std::uint64_t i = 0; i < many; ++i) {
      auto comment = rated_by(whole ? i : many + i);
      items.push_back(comment_item(comment));
      if (whole) rows.push_back(customer_comment_item(rater, comment));
    }
    items.insert(items.end(), rows.begin(), rows.end());
    for (const auto& item : items) put(item);
    for (const auto& item : items) inspection.look(item);
    auto sentences = wait(inspection.look_again()).value();
    EXPECT_EQ(sentences.empty(), whole);
    EXPECT_LE(sentences.size(), bound);
  }
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

TEST_F(InspectionTest, VotesThatAreCountedTakeNoRoom) {
  ItemInspection inspection(access_, 10, 10);
  for (std::uint64_t i = 1; i <= 20; ++i) {
    inspection.look(voted_item(i, 1, "{}"));
    inspection.look(vote_item(voted_comment(i).id, rater, Vote::helpful));
  }
  EXPECT_TRUE(wait(inspection.look_again()).value().empty());
}

}  // namespace
}  // namespace quire::dynamodb
