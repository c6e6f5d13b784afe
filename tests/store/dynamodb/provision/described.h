// The description of a table by a service that created it as requested.
#pragma once

#include <boost/json.hpp>

#include "store/dynamodb/provision/table.h"

namespace quire::dynamodb {

// The content of "Table" in an answer to DescribeTable.
inline boost::json::object described(const TableOptions& options = {}) {
  auto table = boost::json::parse(create_table("comments", options).body).as_object();
  table["BillingModeSummary"] = {{"BillingMode", table["BillingMode"]}};
  table.erase("BillingMode");
  table["TableStatus"] = "ACTIVE";
  table["ItemCount"] = 7;
  table["TableSizeBytes"] = 4096;
  table["LatestStreamArn"] = "arn:aws:dynamodb:eu-west-1:1:table/comments/stream/2024";
  for (auto& index : table["GlobalSecondaryIndexes"].as_array()) {
    index.as_object()["IndexStatus"] = "ACTIVE";
    index.as_object()["ItemCount"] = 5;
    index.as_object()["IndexSizeBytes"] = 2048;
  }
  return table;
}

inline std::string answer_of(const boost::json::object& table) {
  return boost::json::serialize(boost::json::object{{"Table", table}});
}

}  // namespace quire::dynamodb
