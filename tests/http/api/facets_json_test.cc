// Facets and their counts as JSON, byte for byte.
#include "http/api/json.h"

#include <gtest/gtest.h>

namespace quire::http {
namespace {

std::string counts_json(const std::vector<FacetCounts>& counts) {
  std::string out;
  append_counts(out, counts);
  return out;
}

TEST(FacetsJson, HasTypeStateAndValuesOfAClosedChoice) {
  EXPECT_EQ(facets_json({}), R"({"facets":[]})");
  EXPECT_EQ(facets_json({{.facet = {"language", FacetType::choice}},
                         {.facet = {"size", FacetType::choice, {"S", "\"XL\""}}},
                         {{"helpful", FacetType::number}, FacetStatus::State::building, 0.42},
                         {{"old", FacetType::tags}, FacetStatus::State::dropping, 0.5},
                         {.facet = {"verified", FacetType::flag}}}),
            R"({"facets":[{"name":"language","type":"choice","state":"ready"},)"
            R"({"name":"size","type":"choice","values":["S","\"XL\""],"state":"ready"},)"
            R"({"name":"helpful","type":"number","state":"building","progress":0.42},)"
            R"({"name":"old","type":"tags","state":"dropping"},)"
            R"({"name":"verified","type":"flag","state":"ready"}]})");
}

TEST(FacetCountsJson, HasValuesOrTheRangeOfANumber) {
  EXPECT_EQ(counts_json({}), "{}");
  EXPECT_EQ(counts_json({{"language", FacetType::choice, {{"en", 340}, {"pt-BR", 1}}, 0, 0, 341},
                         {"rating", FacetType::number, {{"1", 12}, {"5", 7}}, 1, 5, 19},
                         {"helpful", FacetType::number, {}, -3, 93, 5},
                         {"pages", FacetType::number},
                         {"tags", FacetType::tags, {{"a \"b\"\n", 2}}, 0, 0, 2},
                         {"size", FacetType::choice}}),
            R"({"language":{"en":340,"pt-BR":1},"rating":{"1":12,"5":7},)"
            R"("helpful":{"min":-3,"max":93},"pages":{},"tags":{"a \"b\"\n":2},"size":{}})");
}

}  // namespace
}  // namespace quire::http
