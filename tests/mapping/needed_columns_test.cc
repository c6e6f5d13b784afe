// A file without the columns that each row needs is refused as a whole.
#include "mapping/needed_columns.h"

#include <gtest/gtest.h>

#include "mapping/conversions.h"

namespace quire {
namespace {

std::string fault_of(const NeededColumns& needed) {
  auto found = needed.found();
  return found ? std::string() : found.error().message;
}

std::string fault(const std::string& toml, const std::string& records, Given given = {},
                  bool facts = false) {
  NeededColumns needed(mapping_in(toml), given, facts);
  for (const auto& record : records_in(records)) needed.look(record);
  return fault_of(needed);
}

std::string header_fault(const std::string& toml, const std::vector<std::string>& columns) {
  NeededColumns needed(mapping_in(toml), {}, false);
  needed.look_at_header(columns);
  return fault_of(needed);
}

TEST(NeededColumns, AreNamedWithThoseOfTheFile) {
  EXPECT_EQ(header_fault(comment_section(""), {"p", "r", "d"}), "");
  EXPECT_EQ(header_fault(comment_section(""), {"P", "r", "day"}),
            "The mapping has created_at in d, and product in p, and the file has no such column. "
            "It has: P, day, r. --map new proposes a mapping for it.");
  EXPECT_EQ(fault(comment_section(""), R"({"p":1,"d":"x","stars":{"own":5,"of":[{"n":1}]}})"),
            "The mapping has rating in r, and the file has no such column. It has: d, p, "
            "stars.of.n, stars.own. --map new proposes a mapping for it.");
}

TEST(NeededColumns, MayLieInATextOfJson) {
  auto toml = comment_section("");
  toml.replace(toml.find("\"r\""), 3, "\"meta.rating\"");
  EXPECT_EQ(header_fault(toml, {"p", "meta", "d"}), "");
  EXPECT_NE(header_fault(toml, {"p", "metadata", "d"}), "");
}

TEST(NeededColumns, AreFoundInAnyRecordThatTheMappingAdmits) {
  const auto when = comment_section("when = { column = \"k\", is = \"c\" }\n");
  EXPECT_EQ(fault(when, R"({"k":"c","p":1,"d":1}, {"k":"c","r":null})"), "");
  EXPECT_NE(fault(when, R"({"k":"c","p":1,"d":1}, {"k":"x","r":5})"), "");
  EXPECT_EQ(fault(when, R"({"k":"x"})"), "");
  EXPECT_EQ(fault(when, ""), "");
}

TEST(NeededColumns, OneOfSeveralIsEnoughAndADefaultOrAGivenProductIsToo) {
  const std::string toml =
      "[comment]\nproduct.column = [\"a\", \"b\"]\nrating.column = \"r.@n\"\n"
      "created_at = { column = \"d\", default = \"2024-01-01\" }\n";
  EXPECT_EQ(fault(toml, R"({"b":"","r":{"@n":1}})"), "");
  EXPECT_NE(fault(toml, R"({"c":"","r":{"@n":1}})").find("product in a or b"), std::string::npos);
  EXPECT_EQ(fault(toml, R"({"c":"","r":{"@n":1}})", {.product = "42"}), "");
}

TEST(NeededColumns, OfFactsAreNameAndProduct) {
  const auto toml = comment_section("[facts]\nname.column = \"n\"\nurl.column = \"u\"\n");
  EXPECT_EQ(fault(toml, R"({"p":1,"n":"A"})", {}, true), "");
  EXPECT_NE(fault(toml, R"({"p":1,"u":"A"})", {}, true).find("name in n"), std::string::npos);
}

}  // namespace
}  // namespace quire
