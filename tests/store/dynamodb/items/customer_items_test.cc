// The items of customers, as docs/formats/table.md has them.
#include "store/dynamodb/items/customer_items.h"

#include <gtest/gtest.h>

#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

const std::string customer_text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const CustomerHash known_customer = CustomerHash::parse(customer_text).value();
const Comment customers_comment{.id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value(),
                                .product = "a b",
                                .language = "en",
                                .rating = 5,
                                .customer = known_customer};

TEST(CustomerItems, HaveTheKeysOfTheirFormat) {
  EXPECT_EQ(customer_comment_item(known_customer, customers_comment),
            (Item{{"PK", string("CUSTOMER#" + customer_text)},
                  {"SK", string("COMMENT#01JD4Q4Z7VTSV4RRFFQ69G5FAV")},
                  {"product", string("a b")}}));
  EXPECT_EQ(customer_product_item(known_customer, customers_comment),
            (Item{{"PK", string("CUSTOMER#" + customer_text)},
                  {"SK", string("PRODUCT#a%20b")},
                  {"comment", string("01JD4Q4Z7VTSV4RRFFQ69G5FAV")}}));
  EXPECT_EQ(ticket_item(known_customer, {0xAA}, 1'700'000'000'001, customers_comment.id),
            (Item{{"PK", string("CUSTOMER#" + customer_text)},
                  {"SK", string("TICKET#aa000000000000000000000000000000")},
                  {"comment", string("01JD4Q4Z7VTSV4RRFFQ69G5FAV")},
                  {"expires", number(1'700'000'001)}}));
}

TEST(CustomerItems, AreReadBack) {
  auto item = customer_comment_item(known_customer, customers_comment);
  EXPECT_TRUE(is_customer_comment(item));
  EXPECT_EQ(customer_in(item), known_customer);
  EXPECT_EQ(comment_in_key(item), customers_comment.id);
  EXPECT_EQ(product_named(item), "a b");
  EXPECT_FALSE(is_comment(item));
  auto of_product = customer_product_item(known_customer, customers_comment);
  EXPECT_TRUE(is_customer_product(of_product));
  EXPECT_FALSE(is_customer_comment(of_product));
  EXPECT_EQ(comment_named(of_product), customers_comment.id);
  item["PK"] = string("CUSTOMER#A");
  EXPECT_FALSE(customer_in(item));
}

TEST(CustomerItems, ACommentNamesItsCustomerInItsData) {
  auto item = comment_item(customers_comment);
  EXPECT_NE(item.at("data").text.find(",\"customer\":\"" + customer_text + "\"}"),
            std::string::npos);
  EXPECT_EQ(comment_of(item), customers_comment);
  item["data"] = string(R"({"customer":"A"})");
  EXPECT_NE(read_comment(item).reason, "");
}

}  // namespace
}  // namespace quire::dynamodb
