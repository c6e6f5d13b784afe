// Schemas: which facets can be declared, and which attributes fit them.
#include "model/schema.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace quire {
namespace {

SchemaFacet declared(FacetNumber number, Facet facet,
                     FacetStatus::State state = FacetStatus::State::ready) {
  return {number, {std::move(facet), state}};
}

Schema some() {
  return Schema({declared(5, {"votes", FacetType::number}),
                 declared(2, {"size", FacetType::choice, {"S", "M"}}),
                 declared(3, {"tags", FacetType::tags}), declared(4, {"verified", FacetType::flag}),
                 declared(7, {"color", FacetType::choice}),
                 declared(8, {"old", FacetType::flag}, FacetStatus::State::dropping)});
}

// The parameter that a declaration is refused for; empty: it is not.
std::string refused(const Schema& schema, const Facet& facet) {
  auto checked = check_declaration(schema, facet);
  if (checked) return "";
  EXPECT_EQ(checked.error().code, ErrorCode::invalid_parameter);
  EXPECT_TRUE(checked.error().message.ends_with(".")) << checked.error().message;
  return checked.error().parameter;
}

TEST(Schema, BeginsWithLanguageAndRating) {
  for (const auto& schema : {Schema(), some()}) {
    EXPECT_EQ(schema.facets()[0].facet().name, "language");
    EXPECT_EQ(schema.facets()[0].facet().type, FacetType::choice);
    EXPECT_EQ(schema.facets()[1].facet().name, "rating");
    EXPECT_EQ(schema.facets()[1].facet().type, FacetType::number);
  }
  EXPECT_EQ(Schema().facets().size(), 2u);
}

TEST(Schema, FindsFacetsByNameAndByNumber) {
  Schema schema = some();
  ASSERT_TRUE(schema.find("votes"));
  EXPECT_EQ(schema.find("votes")->number, 5);
  EXPECT_EQ(schema.find(FacetNumber{3})->facet().name, "tags");
  EXPECT_EQ(schema.find("rating")->number, rating_number);
  EXPECT_FALSE(schema.find("none"));
  EXPECT_FALSE(schema.find(FacetNumber{6}));
  for (std::size_t i = 1; i < schema.facets().size(); ++i)
    EXPECT_LT(schema.facets()[i - 1].number, schema.facets()[i].number);
}

TEST(Declaration, NeedsAFreeName) {
  EXPECT_EQ(refused(some(), {"photos", FacetType::flag}), "");
  for (auto name : {"votes",   "old",    "language", "rating", "",     "Size",      "a-b",
                    "1a",      "limit",  "sort",     "page",   "skip", "after",     "before",
                    "explain", "facets", "product",  "by",     "not",  "created_at"})
    EXPECT_EQ(refused(some(), {name, FacetType::flag}), "name") << name;
  for (auto name : {"q", "ui", "quire", "base", "jsonld", "token", "ticket", "status", "reason",
                    "note", "reply", "media", "customer", "etag", "filter", "matches"}) {
    auto checked = check_declaration(some(), {name, FacetType::flag});
    ASSERT_FALSE(checked) << name;
    EXPECT_EQ(checked.error().message,
              "No facet can be named " + std::string(name) +
                  ": requests or comments use that name. Choose another name.");
  }
  EXPECT_EQ(refused(some(), {std::string(33, 'a'), FacetType::flag}), "name");
}

TEST(Declaration, GivesValuesToAChoiceAlone) {
  for (auto type : {FacetType::flag, FacetType::tags, FacetType::number}) {
    EXPECT_EQ(refused({}, {"a", type}), "");
    EXPECT_EQ(refused({}, {"a", type, {"x"}}), "values");
  }
  EXPECT_EQ(refused({}, {"a", FacetType::choice, {"x", "y"}}), "");
  EXPECT_EQ(refused({}, {"a", FacetType::choice, {"x", "x"}}), "values");
  EXPECT_EQ(refused({}, {"a", FacetType::choice, {""}}), "values");
  EXPECT_EQ(refused({}, {"a", static_cast<FacetType>(4)}), "type");
  Facet large{"a", FacetType::choice};
  for (std::size_t i = 0; i < limits::facet_values; ++i) large.values.push_back(std::to_string(i));
  EXPECT_EQ(refused({}, large), "");
  large.values.push_back("one more");
  EXPECT_EQ(refused({}, large), "values");
}

TEST(Declaration, IsOneOf32) {
  std::vector<SchemaFacet> facets;
  for (FacetNumber i = 0; i < 32; ++i) {
    EXPECT_EQ(refused(Schema(facets), {"more", FacetType::flag}), "");
    facets.push_back(
        declared(static_cast<FacetNumber>(2 + i), {"f" + std::to_string(i), FacetType::flag}));
  }
  EXPECT_EQ(refused(Schema(facets), {"more", FacetType::flag}), "name");
}

TEST(Types, ThatDoNotFitAreNamed) {
  auto check = [](Attributes attributes) {
    auto errors = check_types(some(), attributes);
    return errors.empty() ? "ok" : errors.front().field + " " + errors.front().message;
  };
  EXPECT_EQ(check({{"votes", 7}, {"size", "M"}, {"verified", true}, {"free", 7}}), "ok");
  EXPECT_EQ(check({{"tags", std::vector<std::string>{"a"}}, {"color", "any"}}), "ok");
  EXPECT_EQ(check({{"votes", "7"}}), "attributes.votes must be a whole number");
  EXPECT_EQ(check({{"verified", 1}}), "attributes.verified must be true or false");
  EXPECT_EQ(check({{"size", "XL"}}), "attributes.size must be one of S, M");
  EXPECT_EQ(check({{"size", true}}), "attributes.size must be one of S, M");
  EXPECT_EQ(check({{"color", 7}}), "attributes.color must be a string");
  EXPECT_EQ(check({{"tags", "a"}}),
            "attributes.tags must be an array of strings, such as [\"gift\"]");
  EXPECT_EQ(check({{"old", 7}}), "ok") << "it is being dropped";
  EXPECT_EQ(check({{"rating", "good"}, {"language", 7}}), "ok") << "attributes like any other";
}

TEST(FacetValues, AreThoseThatFit) {
  Comment comment{.language = "pt-BR", .rating = 4, .attributes = {{"a", 7}, {"rating", 1}}};
  EXPECT_EQ(facet_value({"language", FacetType::choice}, comment), AttributeValue("pt-BR"));
  EXPECT_EQ(facet_value({"rating", FacetType::number}, comment), AttributeValue(4));
  EXPECT_EQ(facet_value({"a", FacetType::number}, comment), AttributeValue(7));
  EXPECT_EQ(facet_value({"a", FacetType::flag}, comment), std::nullopt);
  EXPECT_EQ(facet_value({"b", FacetType::number}, comment), std::nullopt);
}

}  // namespace
}  // namespace quire
