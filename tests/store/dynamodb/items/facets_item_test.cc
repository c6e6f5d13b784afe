// The item of the table's facets, attribute by attribute.
#include "store/dynamodb/items/parts_item.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

TableFacets two_facets() {
  return {
      7, 5,
      Schema({{2, {{"verified", FacetType::flag}}}, {4, {{"size", FacetType::choice, {"S"}}}}})};
}

TEST(FacetsItem, AllFacetsAreOneItem) {
  EXPECT_EQ(json::value(encode(facets_item(two_facets()))), json::parse(R"({
    "PK": {"S": "FACETS"}, "SK": {"S": "FACETS"},
    "version": {"N": "7"}, "next": {"N": "5"},
    "facets": {"S": "[{\"number\":2,\"name\":\"verified\",\"type\":\"flag\"},{\"number\":4,\"name\":\"size\",\"type\":\"choice\",\"values\":[\"S\"]}]"}})"));
  auto read = read_facets(facets_item(two_facets()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->version, 7u);
  EXPECT_EQ(read->next, 5);
  EXPECT_EQ(read->schema, two_facets().schema);
}

TEST(FacetsItem, OtherItemsAreDamaged) {
  for (const char* name : {"version", "next", "facets"}) {
    auto item = facets_item(two_facets());
    item.erase(name);
    EXPECT_FALSE(read_facets(item)) << name;
  }
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, Attribute>>{{"version", number(0)},
                                                      {"version", string("7")},
                                                      {"next", number(4)},
                                                      {"next", number(70'000)},
                                                      {"facets", string("{}")}}) {
    auto item = facets_item(two_facets());
    item.insert_or_assign(name, value);
    EXPECT_FALSE(read_facets(item)) << name << " " << value.text;
  }
}

}  // namespace
}  // namespace quire::dynamodb
