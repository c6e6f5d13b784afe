// Facets of a table are declared and dropped by any number of processes at once.
#include "store/dynamodb/facets/facets.h"

#include <gtest/gtest.h>

#include <set>

#include "store/dynamodb/service.h"

namespace quire::dynamodb {
namespace {

class FacetsOfATable : public testing::Test, protected Looped {
 protected:
  static Facet flag(const std::string& name) { return {name, FacetType::flag}; }
  std::vector<std::string> names(Facets& facets) {
    std::vector<std::string> names;
    auto schema = run(facets.fetch())->value;
    for (const auto& each : schema->facets()) {
      if (each.number >= first_declared_number) names.push_back(each.facet().name);
    }
    return names;
  }
  FacetNumber number(const std::string& name) {
    return run(facets_.fetch())->value->find(name)->number;
  }

  PlainService service_;
  Process process_{context, service_}, other_process_{context, service_};
  Facets facets_{process_.client}, other_{other_process_.client};
};

TEST_F(FacetsOfATable, WithoutTheItemThereAreLanguageAndRating) {
  EXPECT_EQ(*run(facets_.get())->value, Schema());
  EXPECT_TRUE(service_.table.items.empty());
}

TEST_F(FacetsOfATable, ADeclaredFacetIsThereForAllAndADroppedOneIsGone) {
  ASSERT_TRUE(run(facets_.declare({"size", FacetType::choice, {"S", "M"}})));
  ASSERT_TRUE(run(other_.declare(flag("verified"))));
  EXPECT_EQ(names(facets_), (std::vector<std::string>{"size", "verified"}));
  EXPECT_EQ(run(facets_.get())->value->find("size")->facet().values.size(), 2u);
  ASSERT_TRUE(run(other_.drop("size")));
  EXPECT_EQ(names(facets_), std::vector<std::string>{"verified"});
  auto gone = run(facets_.drop("size"));
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().code, ErrorCode::not_found);
}

TEST_F(FacetsOfATable, NumbersAreNeverGivenTwice) {
  ASSERT_TRUE(run(facets_.declare(flag("a"))));
  auto first = number("a");
  ASSERT_TRUE(run(facets_.drop("a")));
  ASSERT_TRUE(run(facets_.declare(flag("a"))));
  EXPECT_GT(number("a"), first);
}

TEST_F(FacetsOfATable, ADeclarationThatDoesNotFitIsRefused) {
  ASSERT_TRUE(run(facets_.declare(flag("a"))));
  EXPECT_TRUE(run(other_.declare(flag("a")))) << "again";
  for (const auto& facet : {Facet{"a", FacetType::number}, flag("rating"), flag("Not a name")}) {
    auto refused = run(facets_.declare(facet));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_parameter);
  }
  // As many values as one facet may list, of the longest texts: an item has no room for many such.
  Status made = Done{};
  for (int i = 0; i < 32 && made; ++i) {
    Facet wide{"wide" + std::to_string(i), FacetType::choice};
    for (int value = 0; value < 256; ++value)
      wide.values.push_back(std::to_string(1000 + value) + std::string(96, 'x'));
    made = run(facets_.declare(wide));
  }
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::invalid_parameter);
  EXPECT_NE(made.error().message.find("300,000 bytes"), std::string::npos);
}

TEST_F(FacetsOfATable, ConcurrentDeclarationsAreAllMade) {
  std::vector<Awaitable<Status>> works;
  for (int i = 0; i < 5; ++i) {
    works.push_back(facets_.declare(flag("a" + std::to_string(i))));
    works.push_back(other_.declare(flag("b" + std::to_string(i))));
  }
  for (const auto& made : run_all(std::move(works))) EXPECT_TRUE(made);
  EXPECT_EQ(names(facets_).size(), 10u);
}

// The client repeats a put whose answer was lost; the condition then fails.
TEST_F(FacetsOfATable, AWriteWhoseAnswerIsLostIsMadeOnce) {
  std::size_t lost = 0;
  service_.fault = [&](const std::string& operation, const boost::json::object&) {
    return operation == "PutItem" && lost++ % 2 == 0 ? Fault::applied : Fault::none;
  };
  ASSERT_TRUE(run(facets_.declare(flag("a"))));
  ASSERT_TRUE(run(facets_.declare(flag("b"))));
  EXPECT_EQ(names(facets_), (std::vector<std::string>{"a", "b"}));
  ASSERT_TRUE(run(facets_.drop("a")));
  EXPECT_EQ(names(facets_), std::vector<std::string>{"b"});
}

TEST_F(FacetsOfATable, TheyAreReadOnceInAFewSeconds) {
  auto first = run(facets_.get())->value;
  auto asked = service_.asked["GetItem"];
  for (int i = 0; i < 10; ++i) (void)run(facets_.get());
  EXPECT_EQ(service_.asked["GetItem"], asked);
  ASSERT_TRUE(run(other_.declare(flag("a"))));
  service_.pass(Facets::kept - Milliseconds(1));
  EXPECT_EQ(facets_.fresh(), first);
  service_.pass(Milliseconds(1));
  EXPECT_EQ(facets_.fresh(), nullptr);
  EXPECT_NE(run(facets_.get())->value->find("a"), nullptr);
}

TEST_F(FacetsOfATable, WhileTheTableFailsThoseKnownLastServe) {
  ASSERT_TRUE(run(facets_.declare(flag("a"))));
  service_.fault = [](auto&&...) { return Fault::refused; };
  EXPECT_FALSE(run(other_.get()).ok());
  service_.pass(Facets::kept);
  EXPECT_NE(run(facets_.get())->value->find("a"), nullptr);
}

TEST_F(FacetsOfATable, ADamagedItemIsAnError) {
  ASSERT_TRUE(run(facets_.declare(flag("a"))));
  service_.table.items.begin()->second.insert_or_assign("facets", string("?"));
  auto read = run(other_.get());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::damaged);
  EXPECT_NE(read.error().message.find("PK and SK are FACETS"), std::string::npos);
  EXPECT_NE(read.error().message.find("Delete the item"), std::string::npos);
  auto asked = service_.asked["GetItem"];
  EXPECT_FALSE(run(other_.get()));
  EXPECT_EQ(service_.asked["GetItem"], asked) << "it is not read for each request";
  service_.pass(Facets::kept);
  EXPECT_FALSE(run(other_.get()));
  EXPECT_EQ(service_.asked["GetItem"], asked + 1);
}

TEST_F(FacetsOfATable, WhoeverFindsAFacetDeclaredKnowsIt) {
  ASSERT_TRUE(run(facets_.get()));
  ASSERT_TRUE(run(other_.declare(flag("a"))));
  ASSERT_TRUE(run(facets_.declare(flag("a"))));
  ASSERT_NE(facets_.fresh(), nullptr);
  EXPECT_NE(facets_.fresh()->find("a"), nullptr);
}

}  // namespace
}  // namespace quire::dynamodb
