// Facts of products, from files that have them beside reviews.
#include "mapping/facts_conversion.h"

#include <gtest/gtest.h>

#include "mapping/conversions.h"
#include "product/facts.h"

namespace quire {
namespace {

const std::string section = R"([facts]
name.column = "n"
url.column = "u"
gtin.column = "g"
)";

std::vector<std::string> facts_of(const std::string& toml, const std::string& records,
                                  Given given = {}) {
  FactsConversion conversion(mapping_in(toml), std::move(given));
  return convert_all(conversion, records_in(records));
}

TEST(FactsConversion, TakesTheFirstRecordOfAProductThatHasAName) {
  auto out = facts_of(comment_section(section), R"(
    {"p":"42","u":"https://shop.example/42"},
    {"p":"42","n":" Desk lamp ","u":"https://shop.example/42","g":4006381333931},
    {"p":"42","n":"Another name"},
    {"p":"43","n":"Bed lamp"},
    {"n":"Of nothing"})");
  EXPECT_EQ(out, (std::vector<std::string>{
                     "records without the name of a product",
                     R"({"product":"42","name":"Desk lamp","url":"https://shop.example/42",)"
                     R"("gtin":"4006381333931"})",
                     "records of a product that came before",
                     R"({"product":"43","name":"Bed lamp"})", "There is no product."}));
  for (const auto& row : {out[1], out[3]}) EXPECT_TRUE(parse_facts_row(row)) << row;
}

TEST(FactsConversion, LeavesOutWhatNoProductCanHave) {
  FactsConversion conversion(mapping_in(comment_section(section)), {});
  auto out = convert_all(conversion, records_in(R"(
    {"p":"1","n":"A","u":"/products/1","g":"4006381333930"},
    {"p":"2","n":"B","u":"https://shop.example/desk lamp","g":"X"})"));
  EXPECT_EQ(out, (std::vector<std::string>{
                     R"({"product":"1","name":"A"})",
                     R"({"product":"2","name":"B","url":"https://shop.example/desk%20lamp"})"}));
  EXPECT_EQ(conversion.remarks(),
            (Remarks{{"times gtin is left out: it is none that a product can have", 2},
                     {"times url is left out: it is none that a product can have", 1}}));
}

TEST(FactsConversion, TakesAllNumbersOfAProduct) {
  auto out =
      facts_of(comment_section(section + "sku.column = [\"x\", \"s\"]\nmpn.column = \"m\"\n"),
               R"({"p":"1","n":"A","g":["96385074",4006381333931,"bad"],"x":[""],)"
               R"("s":["S","L","S"],"m":"M"})");
  EXPECT_EQ(out, (std::vector<std::string>{
                     R"({"product":"1","name":"A","gtin":["96385074","4006381333931"],)"
                     R"("mpn":"M","sku":["S","L"]})"}));
}

TEST(FactsConversion, ProductAndConditionAreThoseOfCommentsUnlessFactsHaveTheirOwn) {
  const std::string records =
      R"({"p":"1","k":"review","n":"A"}, {"q":"P#2","k":"product","n":"B"})";
  auto when = comment_section("when = { column = \"k\", is = \"review\" }\n") + section;
  EXPECT_EQ(facts_of(when, records),
            (std::vector<std::string>{R"({"product":"1","name":"A"})",
                                      "records that when does not admit"}));
  auto own = when +
             "product = { column = \"q\", pattern = \"P#{product}\" }\n"
             "when = { column = \"k\", is = \"product\" }\n";
  EXPECT_EQ(facts_of(own, records), (std::vector<std::string>{"records that when does not admit",
                                                              R"({"product":"2","name":"B"})"}));
  EXPECT_EQ(facts_of(own, records, {.product = "7"})[1], R"({"product":"7","name":"B"})");
}

TEST(FactsConversion, ATableGivesTheOwnIds) {
  auto out = facts_of(
      "[facts]\nproduct = { column = \"p\", table = \"ids.csv\" }\n"
      "name.column = \"n\"\n",
      R"({"p":"1","n":"A"}, {"p":"2","n":"B"})", {.products = {{"1", "hat"}}});
  EXPECT_EQ(out, (std::vector<std::string>{R"({"product":"hat","name":"A"})",
                                           R"(The product is not in ids.csv: "2".)"}));
}

TEST(FactsConversion, ATableIsOfItsFieldAlone) {
  const std::string records = R"({"p":"1","s":"hat","n":"A"})";
  const auto own = "[facts]\nproduct = { column = \"s\" }\nname.column = \"n\"\n";
  auto toml =
      "[comment]\nproduct = { column = \"p\", table = \"ids.csv\" }\nrating.column = \"r\"\n"
      "created_at.column = \"d\"\n" +
      std::string(own);
  EXPECT_EQ(facts_of(toml, records), std::vector<std::string>{R"({"product":"hat","name":"A"})"});
  auto shared = toml.substr(0, toml.find("[facts]")) + "[facts]\nname.column = \"n\"\n";
  EXPECT_EQ(facts_of(shared, records, {.products = {{"1", "cap"}}}),
            std::vector<std::string>{R"({"product":"cap","name":"A"})"});
}

TEST(FactsConversion, AMappingOfFactsAloneHasNoSectionsOfComments) {
  auto parsed = parse_file_mapping(
      "[facts]\nproduct.column = \"s\"\nname.column = \"n\"\n[reply]\ntext.column = \"t\"\n", "m");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().message.find("reply"), std::string::npos) << parsed.error().message;
}

}  // namespace
}  // namespace quire
