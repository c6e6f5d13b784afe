#include "store/dynamodb/provision/nosql_workbench.h"

#include <boost/json.hpp>

#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/provision/pretty.h"
#include "store/dynamodb/provision/table.h"

namespace quire::dynamodb {
namespace {

namespace json = boost::json;

// Items as the store writes them.
std::vector<Item> examples() {
  Comment comment{.id = *Ulid::parse("01JD5ZK3V8Q6W3N0A9B7C5D2EF"),
                  .product = "42",
                  .language = "en",
                  .rating = 5,
                  .author = "Ann",
                  .title = "Fits",
                  .text = "Warm and dry."};
  RatingCounts counts{0, 0, 0, 0, 1};
  FacetValue english = *list_facets[language_facet].parse("en");
  return {comment_item(comment), statistics_item("42", any, counts),
          *average_item("42", any, counts), statistics_item("42", english, counts)};
}

json::value attribute(std::string_view name, std::string_view type) {
  return {{"AttributeName", name}, {"AttributeType", type}};
}

json::value key(std::string_view partition, std::string_view sort) {
  return {{"PartitionKey", attribute(partition, "S")}, {"SortKey", attribute(sort, "S")}};
}

// Each attribute of the examples once. The keys of indexes are among them, as the tool expects.
json::array other_attributes(const std::vector<Item>& items) {
  Item all;
  for (const auto& item : items) all.insert(item.begin(), item.end());
  json::array out;
  for (const auto& [name, value] : all) {
    if (name != "PK" && name != "SK")
      out.push_back(attribute(name, value.type == Type::number ? "N" : "S"));
  }
  return out;
}

json::array workbench_indexes() {
  json::array projected(projected_attributes.begin(), projected_attributes.end());
  json::array out;
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    out.push_back(
        {{"IndexName", indexes[i].name},
         {"KeyAttributes", key(partition_attributes[i], sort_attribute)},
         {"Projection", {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", projected}}}});
  }
  return out;
}

}  // namespace

std::string nosql_workbench(const std::string& name) {
  auto items = examples();
  json::array rows;
  for (const auto& item : items) rows.push_back(encode(item));
  json::object table{{"TableName", name},
                     {"KeyAttributes", key("PK", "SK")},
                     {"NonKeyAttributes", other_attributes(items)},
                     {"TableFacets", json::array()},
                     {"GlobalSecondaryIndexes", workbench_indexes()},
                     {"TableData", std::move(rows)},
                     {"DataAccess", {{"MySql", json::object()}}},
                     {"BillingMode", "PAY_PER_REQUEST"}};
  // The dates are those of the first example, so that the same table always gives the same text.
  json::object metadata{{"Author", "Quire"},
                        {"DateCreated", "Nov 20, 2024, 12:01 PM"},
                        {"DateLastModified", "Nov 20, 2024, 12:01 PM"},
                        {"Description", "Product comments and their statistics"},
                        {"AWSService", "Amazon DynamoDB"},
                        {"Version", "3.0"}};
  return pretty({{"ModelName", name},
                 {"ModelMetadata", std::move(metadata)},
                 {"DataModel", json::array{std::move(table)}}});
}

}  // namespace quire::dynamodb
