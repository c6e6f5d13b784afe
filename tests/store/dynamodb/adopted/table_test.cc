// Whether a mapping fits a table, and a page index both.
#include "store/dynamodb/adopted/table.h"

#include <gtest/gtest.h>

namespace quire::adopted {
namespace {

constexpr auto mapping = R"([comment]
product = { attribute = "product" }
created_at = { attribute = "time" }
rating = { attribute = "stars" }
[index]
name = "byTime"
)";

// A table whose index byTime has a partition key of this type.
dynamodb::TableDescription table_of(const std::string& type) {
  dynamodb::TableDescription table;
  table.keys = {{"id", "S"}};
  table.stream = "arn:aws:dynamodb:r:1:table/T/stream/2026";
  table.indexes.push_back({.name = "byTime", .keys = {{"product", type}, {"time", "S"}}});
  return table;
}

Result<Table> fitted(const dynamodb::TableDescription& table) {
  return fit(parse_mapping(mapping, "m").value(), table);
}

TEST(AdoptedTable, AnIndexIsAskedByTextsAlone) {
  EXPECT_TRUE(fitted(table_of("S")).value().by_time);
  for (const char* type : {"N", "B"}) {
    auto refused = fitted(table_of(type));
    ASSERT_FALSE(refused) << type;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
    EXPECT_NE(refused.error().message.find("Leave [index] out"), std::string::npos);
  }
}

TEST(AdoptedTable, AnIdIsAPartitionKey) {
  auto with_id = [](const std::string& id) {
    auto text = std::string(mapping);
    text.insert(text.find("[index]"), "id = { attribute = " + id + " }\n");
    return fit(parse_mapping(text, "m").value(), table_of("S"));
  };
  EXPECT_EQ(with_id("\"id\"").value().by_id->index, "");
  EXPECT_EQ(with_id("\"product\"").value().by_id->index, "byTime");
  for (const char* id : {"\"time\"", "\"data.id\"", "\"id\", pattern = \"{id}#{rest}\""}) {
    auto refused = with_id(id);
    ASSERT_FALSE(refused) << id;
    EXPECT_NE(refused.error().message.find("eave id out"), std::string::npos)
        << refused.error().message;
  }
}

TEST(AdoptedTable, APageIndexIsOfOneTableAndMapping) {
  auto table = fitted(table_of("S")).value();
  auto print = " " + table.mapping.print;
  EXPECT_TRUE(table.fits(table.stream + print));
  EXPECT_TRUE(table.fits("arn:aws:dynamodb:r:1:table/T/stream/2027" + print))
      << "switched on again";
  EXPECT_FALSE(table.fits("arn:aws:dynamodb:r:1:table/T2/stream/2026" + print));
  EXPECT_FALSE(table.fits(table.stream + " another"));
  EXPECT_FALSE(table.fits(""));
  table.stream.clear();  // it was off when the table was described
  EXPECT_TRUE(table.fits("arn:aws:dynamodb:r:1:table/T/stream/2026" + print));
}

}  // namespace
}  // namespace quire::adopted
