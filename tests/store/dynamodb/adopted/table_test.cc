// Whether a mapping fits a table, and a page index both.
#include "store/dynamodb/adopted/table.h"

#include <gtest/gtest.h>

namespace quire::adopted {
namespace {

constexpr auto mapping = R"([comment]
product = { attribute = "product" }
created_at = { attribute = "time" }
rating = { attribute = "stars" }
[[index]]
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

Result<AdoptedTable> fitted(const dynamodb::TableDescription& table) {
  return fit(parse_mapping(mapping, "m").value(), table);
}

TEST(AdoptedTable, AnIndexIsAskedByTextsAlone) {
  EXPECT_TRUE(fitted(table_of("S")).value().has_lists());
  for (const char* type : {"N", "B"}) {
    auto refused = fitted(table_of(type));
    ASSERT_FALSE(refused) << type;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
    EXPECT_NE(refused.error().message.find("Leave its [[index]] out"), std::string::npos);
  }
}

TEST(AdoptedTable, AListThatItLacksIsReadFromTheNextLargerOne) {
  auto text = std::string(mapping) +
              "[[index]]\nname = \"byRating\"\n"
              "key = { attribute = \"R\", pattern = \"{product}/{rating}\" }\n";
  auto described = table_of("S");
  described.indexes.push_back({.name = "byRating", .keys = {{"R", "S"}, {"time", "S"}}});
  auto table = fit(parse_mapping(text, "m").value(), described).value();
  EXPECT_EQ(table.list_index(cell("en", 5)).index, "byRating");
  EXPECT_EQ(table.list_index(Cell{any, 5}).index, "byRating");
  EXPECT_EQ(table.list_index(Cell{cell("en", 5)[language_facet], any}).index, "byTime");
  EXPECT_EQ(table.list_index(Cell{}).index, "byTime");
  described.indexes.back().keys[0].name = "other";
  auto refused = fit(parse_mapping(text, "m").value(), described);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("byRating has the keys other and time"),
            std::string::npos);
}

TEST(AdoptedTable, AnIdIsAPartitionKey) {
  auto with_id = [](const std::string& id) {
    auto text = std::string(mapping);
    text.insert(text.find("[[index]]"), "id = { attribute = " + id + " }\n");
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

// A page is read from the index alone where that projects what the mapping reads.
TEST(AdoptedTable, AnIndexLacksWhatTheMappingReadsAndItDoesNotProject) {
  auto text = std::string(mapping) + "[attributes]\nsize = { attribute = \"data.size\" }\n";
  text.insert(text.find("[[index]]"),
              "id = { attribute = \"id\" }\nwhen = { attribute = \"kind\", begins = \"r\" }\n");
  auto missing = [&](const std::string& projection, std::vector<std::string> projected) {
    auto described = table_of("S");
    described.indexes.back().projection = projection;
    described.indexes.back().projected = std::move(projected);
    return fit(parse_mapping(text, "m").value(), described).value();
  };
  using Names = std::vector<std::string>;
  EXPECT_TRUE(missing("ALL", {}).lists.front()->whole());
  EXPECT_TRUE(missing("INCLUDE", {"stars", "kind", "data"}).lists.front()->whole());
  EXPECT_TRUE(missing("INCLUDE", {"stars", "kind", "data"}).about_indexes().empty());
  EXPECT_EQ(missing("INCLUDE", {"stars", "kind"}).lists.front()->missing, Names{"data.size"});
  EXPECT_EQ(missing("INCLUDE", {"data", "kind"}).lists.front()->missing, Names{"stars"});
  EXPECT_EQ(missing("KEYS_ONLY", {}).lists.front()->missing, (Names{"data.size", "kind", "stars"}));
  auto about = missing("INCLUDE", {"data"}).about_indexes();
  ASSERT_EQ(about.size(), 1u);
  EXPECT_NE(about.front().find("The index byTime lacks kind, stars: "), std::string::npos);
}

TEST(AdoptedTable, APageIndexIsOfOneTableAndMapping) {
  auto described = table_of("S");
  described.created = "1.7E9";
  auto table = fitted(described).value();
  auto print = " " + table.mapping.fingerprint, made = " 1.7E9" + print;
  auto misfit = [&](const std::string& followed, const char* sentence) {
    EXPECT_NE(table.misfit(followed).find(sentence), std::string::npos) << table.misfit(followed);
  };
  EXPECT_EQ(table.followed_name(), table.stream + made);
  EXPECT_EQ(table.misfit(table.followed_name()), "");
  EXPECT_EQ(table.misfit("arn:aws:dynamodb:r:1:table/T/stream/2027" + made), "")
      << "switched on again";
  misfit("arn:aws:dynamodb:r:1:table/T2/stream/2026" + made, "not built for this table");
  misfit(table.stream + " 1.8E9" + print, "restored or made again");
  misfit(table.stream + " 1.7E9 another", "under another mapping");
  misfit("", "under another mapping");
  table.stream.clear();  // it was off when the table was described
  EXPECT_EQ(table.misfit("arn:aws:dynamodb:r:1:table/T/stream/2026" + made), "");
}

}  // namespace
}  // namespace quire::adopted
