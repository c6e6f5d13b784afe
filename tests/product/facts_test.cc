#include "product/facts.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

const ProductFacts lamp{.name = "Desk \"lamp\"",
                        .url = "https://shop.example/p/42",
                        .image = "https://img.shop.example/42.jpg",
                        .brand = "Lumen",
                        .gtin = "4006381333931",
                        .mpn = "M-1",
                        .sku = "L-42"};

std::string fault(const std::string& json) {
  auto facts = parse_facts(json);
  return facts ? std::string() : facts.error().message;
}

TEST(ProductFacts, AreReadAsTheyWereWritten) {
  EXPECT_EQ(encode_facts(lamp),
            R"({"name":"Desk \"lamp\"","url":"https://shop.example/p/42",)"
            R"("image":"https://img.shop.example/42.jpg","brand":"Lumen","gtin":"4006381333931",)"
            R"("mpn":"M-1","sku":"L-42"})");
  EXPECT_EQ(decode_facts(encode_facts(lamp)), lamp);
  ProductFacts named{.name = "Lamp"};
  EXPECT_EQ(encode_facts(named), R"({"name":"Lamp"})");
  EXPECT_EQ(decode_facts(encode_facts(named)), named);
  EXPECT_FALSE(decode_facts("{}"));
  EXPECT_FALSE(decode_facts(R"({"name":"Lamp")"));
}

TEST(ProductFacts, AreRefusedWithEveryMemberAtFault) {
  EXPECT_EQ(fault("[]"), "The facts were not taken: name is the member that the object needs.");
  EXPECT_EQ(
      fault(R"x({"name":"","colour":"red","sku":5,"url":"javascript:alert(1)"})x"),
      "The facts were not taken: colour is no fact of a product; sku must be a text; url must "
      "be an address with https:// or http://; name must not be empty.");
  EXPECT_EQ(fault(R"({"name":"a\u0001"})"),
            "The facts were not taken: name has control characters, or is no UTF-8.");
  EXPECT_EQ(fault("{\"name\":\"" + std::string(301, 'a') + "\"}"),
            "The facts were not taken: name is too long.");
}

TEST(ProductFacts, HaveAGtinWithItsCheckDigit) {
  auto gtin = [](const std::string& digits) {
    return fault("{\"name\":\"a\",\"gtin\":\"" + digits + "\"}").empty();
  };
  for (const auto* right : {"96385074", "036000291452", "4006381333931", "10614141000415"})
    EXPECT_TRUE(gtin(right)) << right;
  for (const auto* wrong : {"96385073", "4006381333932", "400638133393", "4006381-33393", "0"})
    EXPECT_FALSE(gtin(wrong)) << wrong;
}

TEST(ProductFacts, OfARowNameTheirProduct) {
  auto row = parse_facts_row(R"({"product":"42","name":"Lamp"})").value();
  EXPECT_EQ(row.product, "42");
  EXPECT_EQ(row.facts.name, "Lamp");
  EXPECT_FALSE(parse_facts_row(R"({"name":"Lamp"})"));
  EXPECT_FALSE(parse_facts(R"({"product":"42","name":"Lamp"})"));
}

}  // namespace
}  // namespace quire
