#include "product/facts.h"

#include <gtest/gtest.h>

#include "model/validate.h"

namespace quire {
namespace {

const ProductFacts lamp{.name = "Desk \"lamp\"",
                        .url = "https://shop.example/p/42",
                        .image = "https://img.shop.example/42.jpg",
                        .brand = "Lumen",
                        .gtin = {"4006381333931"},
                        .mpn = {"M-1"},
                        .sku = {"L-42"}};

std::string fault(const std::string& json) {
  auto facts = parse_facts(json, "42");
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
  EXPECT_EQ(fault("[]"), R"(This must be a JSON object: {"name": "…"}.)");
  EXPECT_EQ(fault(R"x({"name":"","colour":"red","sku":5})x"),
            "The facts were not taken: colour is no fact of a product; sku must be a string, "
            "or an array of strings; name "
            "must not be empty.");
  EXPECT_EQ(fault(R"({"name":7})"), "The facts were not taken: name must be a string.");
  EXPECT_EQ(fault(R"({"name":"a","name":"b"})"), "The facts were not taken: name is given twice.");
  EXPECT_EQ(fault(R"({"name":"a\u0001"})"),
            "The facts were not taken: name must be UTF-8 without control characters.");
  EXPECT_EQ(fault("{\"name\":\"" + std::string(301, 'a') + "\"}"),
            "The facts were not taken: name must have at most 300 characters.");
}

TEST(ProductFacts, NameSoManyFaultsAndNoMore) {
  std::string many = "{";
  for (int i = 0; i < 2000; ++i) many += "\"" + std::to_string(i) + "\":1,";
  auto facts = parse_facts(many + "\"name\":\"a\"}", "42");
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().fields.size(), 20U);
}

TEST(ProductFacts, AreMoreThanBlanks) {
  for (const auto* blanks : {" ", "\u00A0\u200B", "\u0085", "\u3000\uFEFF", "\u2800"}) {
    EXPECT_EQ(fault("{\"name\":\"" + std::string(blanks) + "\"}"),
              "The facts were not taken: name must have more than blanks.");
    EXPECT_FALSE(fault("{\"name\":\"a\",\"brand\":\"" + std::string(blanks) + "\"}").empty());
  }
  EXPECT_EQ(fault("{\"name\":\"\u00A0\u3042\"}"), "");
}

TEST(ProductFacts, HaveAddressesAsBrowsersSendThem) {
  auto address = [](const std::string& text) {
    auto facts = parse_facts("{\"name\":\"a\",\"url\":\"" + text + "\"}", "42");
    return facts ? facts->url : facts.error().fields[0].message;
  };
  EXPECT_EQ(address("https://shop.example/a b/\u00fc?\\\"<"),
            "https://shop.example/a%20b/%C3%BC?%22%3C");
  for (const auto* kept :
       {"https://[2001:db8::1]/", "http://192.0.2.1:8080/", "https://a_b.example/",
        "https://shop.example:8443/P/42?A#B", "http://shop.example"})
    EXPECT_EQ(address(kept), kept);
  for (const auto* wrong :
       {"javascript:alert(1)", "ftp://a.example/", "HTTPS://Shop.Example/P/42", "http://a:80"})
    EXPECT_TRUE(address(wrong).starts_with("must be https:// or http://, a host")) << wrong;
  EXPECT_EQ(address("https://a.example/" + std::string(2031, 'a')),
            "must have at most 2048 characters");
}

TEST(ProductFacts, HaveAGtinWithItsCheckDigit) {
  auto gtin = [](const std::string& digits) {
    return fault("{\"name\":\"a\",\"gtin\":\"" + digits + "\"}").empty();
  };
  for (const auto* right : {"96385074", "036000291452", "4006381333931", "10614141000415"})
    EXPECT_TRUE(gtin(right)) << right;
  for (const auto* wrong :
       {"96385073", "4006381333932", "400638133393", "4006381-33393", "0", "00000000"})
    EXPECT_FALSE(gtin(wrong)) << wrong;
}

TEST(ProductFacts, OfARowComeAsOtherProgramsWriteThem) {
  auto row =
      parse_facts_row(R"({"product":42,"name":7.0,"gtin":4006381333931,"brand":null})").value();
  EXPECT_EQ(row.product, "42");
  EXPECT_EQ(row.facts, (ProductFacts{.name = "7", .gtin = {"4006381333931"}}));
  EXPECT_FALSE(parse_facts(R"({"name":7})", "42"));
  EXPECT_FALSE(parse_facts(R"({"name":"Lamp","brand":null})", "42"));
}

TEST(ProductFacts, HaveANumberOfEachVariant) {
  auto json = R"({"name":"Lamp","gtin":["96385074","4006381333931"],"mpn":"M","sku":["S","L"]})";
  ProductFacts variants{
      .name = "Lamp", .gtin = {"96385074", "4006381333931"}, .mpn = {"M"}, .sku = {"S", "L"}};
  EXPECT_EQ(parse_facts(json, "42").value(), variants);
  EXPECT_EQ(encode_facts(variants), json);
  auto row = parse_facts_row(R"({"product":"1","name":"a","sku":[7,"7",8.0,""],"mpn":["x"]})");
  EXPECT_EQ(encode_facts_row(row.value()),
            R"({"product":"1","name":"a","mpn":"x","sku":["7","8"]})");
  for (const auto* wrong : {R"(["96385073"])", R"([["96385074"]])", R"([5])", R"({"a":"b"})"})
    EXPECT_FALSE(parse_facts("{\"name\":\"a\",\"gtin\":" + std::string(wrong) + "}", "42"))
        << wrong;
  EXPECT_FALSE(parse_facts(R"({"name":"a","brand":["b"]})", "42"));
  std::string many;
  for (int i = 0; i < 51; ++i) many += (i ? ",\"" : "\"") + std::to_string(i) + "\"";
  EXPECT_EQ(fault("{\"name\":\"a\",\"sku\":[" + many + "]}"),
            "The facts were not taken: sku has more than 50 values.");
}

TEST(ProductFacts, OfARowNameTheirProduct) {
  auto row = parse_facts_row(R"({"product":"42","name":"Lamp"})").value();
  EXPECT_EQ(row.product, "42");
  EXPECT_EQ(row.facts.name, "Lamp");
  for (const auto* without : {R"({"name":"Lamp"})", R"({"product":"..","name":"Lamp"})"}) {
    auto wrong = parse_facts_row(without);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message,
              "The facts were not taken: product " + std::string(product_wanted) + ".");
  }
  EXPECT_EQ(parse_facts(R"({"product":"42","name":"Lamp"})", "42")->name, "Lamp");
  EXPECT_EQ(parse_facts(R"({"product":"43","name":"Lamp"})", "42").error().fields.at(0).field,
            "product");
}

}  // namespace
}  // namespace quire
