// Facets as a table and a page index keep them.
#include "model/schema.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

Schema some_facets() {
  return Schema({{2, {{"verified", FacetType::flag}}},
                 {5, {{"size", FacetType::choice, {"S", "größer \"L\""}}}},
                 {6, {{"tags", FacetType::tags}}},
                 {65'534, {{"votes", FacetType::number}}}});
}

TEST(SchemaJson, DeclaredFacetsAreKeptWithTheirNumbers) {
  EXPECT_EQ(encode_schema({}), "[]");
  EXPECT_EQ(encode_schema(some_facets()),
            R"([{"number":2,"name":"verified","type":"flag"},)"
            R"({"number":5,"name":"size","type":"choice","values":["S","größer \"L\""]},)"
            R"({"number":6,"name":"tags","type":"tags"},)"
            R"({"number":65534,"name":"votes","type":"number"}])");
  for (const auto& schema : {Schema(), some_facets()})
    EXPECT_EQ(decode_schema(encode_schema(schema)), schema);
}

TEST(SchemaJson, AFacetThatWasDeclaredBeforeItsNameWasReservedStays) {
  Schema schema({{2, {{"status", FacetType::choice}}}});
  EXPECT_EQ(decode_schema(encode_schema(schema)), schema);
}

TEST(SchemaJson, OtherTextsAreDamaged) {
  for (const char* text : {
           "",
           "{}",
           "[",
           "[1]",
           "[{}]",
           R"([{"number":2,"name":"a"}])",
           R"([{"number":2,"name":"a","type":"text"}])",
           R"([{"number":2,"name":1,"type":"flag"}])",
           R"([{"number":1,"name":"a","type":"flag"}])",
           R"([{"number":-2,"name":"a","type":"flag"}])",
           R"([{"number":65535,"name":"a","type":"flag"}])",
           R"([{"number":65536,"name":"a","type":"flag"}])",
           R"([{"number":2.5,"name":"a","type":"flag"}])",
           R"([{"number":2,"name":"a","type":"choice","values":"S"}])",
           R"([{"number":2,"name":"a","type":"choice","values":[1]}])",
           R"([{"number":2,"name":"a","type":"flag"},{"number":2,"name":"b","type":"flag"}])",
           R"([{"number":2,"name":"a","type":"flag"},{"number":3,"name":"a","type":"flag"}])",
           R"([{"number":2,"name":"rating","type":"number"}])",
           R"([{"number":2,"name":"sort","type":"number"}])",
           R"([{"number":2,"name":"no name","type":"flag"}])",
           R"([{"number":2,"name":"","type":"flag"}])",
           R"([{"number":2,"name":"a","type":"flag","values":["S"]}])",
           R"([{"number":2,"name":"a","type":"choice","values":["S","S"]}])",
       })
    EXPECT_EQ(decode_schema(text), std::nullopt) << text;
}

TEST(SchemaJson, AStoreHasNoMoreFacetsThanItMayDeclare) {
  std::vector<SchemaFacet> facets;
  for (FacetNumber i = 0; i < 33; ++i)
    facets.push_back({static_cast<FacetNumber>(2 + i), {{"a" + std::to_string(i)}}});
  EXPECT_EQ(decode_schema(encode_schema(Schema(facets))), std::nullopt);
  facets.pop_back();
  EXPECT_EQ(decode_schema(encode_schema(Schema(facets))), Schema(facets));
}

}  // namespace
}  // namespace quire
