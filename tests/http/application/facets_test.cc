// Requests that name facets, over a store that declares some.
#include "http/application/application_fixture.h"
#include "http/query.h"

namespace quire::http {
namespace {

class FacetsTest : public ApplicationTest {
 protected:
  FacetsTest() {
    using State = FacetStatus::State;
    store_.behaviour.declared = {{2, {{"size", FacetType::choice, {"S", "L"}}}},
                                 {3, {{"helpful", FacetType::number}}},
                                 {4, {{"slow", FacetType::number}, State::building, 0.25}},
                                 {5, {{"old", FacetType::flag}, State::dropping, 0.5}}};
  }

  static std::string member(const Response& response, std::string_view name) {
    auto body = boost::json::parse(response.body).as_object();
    return body.contains(name) ? std::string(body.at(name).as_string()) : "";
  }

  const std::vector<std::string> pages = {"/v1/products/42/comments", "/products/42",
                                          "/v1/products/42/statistics",
                                          "/products/42/comments.atom"};
};

TEST_F(FacetsTest, AreListed) {
  auto facets = boost::json::parse(get("/v1/facets").body).at("facets").as_array();
  ASSERT_EQ(facets.size(), 6u);
  EXPECT_EQ(facets[4].at("progress"), 0.25);
  EXPECT_EQ(facets[5].at("state"), "dropping");
  EXPECT_EQ(get("/v1/facets?name=size").status, 400u);
}

TEST_F(FacetsTest, ADeclaredFacetIsAParameterEverywhere) {
  for (const auto& page : pages) {
    // This store has no index of facets, so it counts nothing under them.
    auto status = page.ends_with("statistics") ? 503u : 200u;
    for (std::string query : {"size=L&size=S", "not.size=L", "helpful.min=3&helpful.max=9",
                              "not.language=en&rating.min=2"})
      EXPECT_EQ(get(page + "?" + query).status, status) << page << query;
  }
}

TEST_F(FacetsTest, AnUndeclaredFacetIsRefusedWithAWayToDeclareIt) {
  for (std::string name : {"bogus", "not.bogus", "bogus.all", "bogus.min"}) {
    for (const auto& page : pages) {
      auto response = get(page + "?" + name + "=1");
      if (page.starts_with("/products/")) {
        EXPECT_EQ(response.status, 200u) << "web pages and feeds ignore it";
        continue;
      }
      EXPECT_EQ(response.status, 400u) << page << name;
      EXPECT_NE(response.body.find("quire facet add bogus --type"), std::string::npos) << page;
    }
    auto response = get(pages[0] + "?" + name + "=1");
    EXPECT_EQ(slug(response), "invalid-parameter");
    EXPECT_EQ(member(response, "parameter"), name);
    EXPECT_EQ(member(response, "detail"),
              "There is no such parameter here. There are: language rating q limit sort page skip "
              "after before facets explain. The facets are: language rating size helpful slow. To "
              "filter by bogus, declare it: quire facet add bogus --type choice (or flag, tags, "
              "number).");
  }
}

TEST_F(FacetsTest, AFacetThatIsBeingBuiltIsToBeAskedForLater) {
  for (std::string query : {"slow=1", "not.slow=1", "slow.min=1"}) {
    auto response = get(pages[0] + "?" + query);
    EXPECT_EQ(response.status, 503u) << query;
    EXPECT_EQ(slug(response), "facet-building") << query;
    EXPECT_EQ(header(response, "Retry-After"), "5") << query;
    EXPECT_EQ(member(response, "parameter"), query.substr(0, query.find('='))) << query;
    EXPECT_EQ(get(pages[1] + "?" + query).status, 503u) << query;
  }
  auto sorted = get(pages[0] + "?sort=slow");
  EXPECT_EQ(slug(sorted), "facet-building");
  EXPECT_NE(get(pages[1] + "?sort=slow").body.find(">See all reviews<"), std::string::npos);
  EXPECT_EQ(member(sorted, "parameter"), "sort");
  EXPECT_EQ(get("/problems/facet-building").status, 200u);
}

TEST_F(FacetsTest, AFacetThatIsBeingDroppedIsNone) {
  EXPECT_EQ(slug(get(pages[0] + "?old=true")), "invalid-parameter");
}

TEST_F(FacetsTest, APageWithoutItsEmptyBoundsHasAnAddressOfItsOwn) {
  auto moved = get("/products/42?helpful.min=&size=L&helpful.max=&sort=-helpful");
  EXPECT_EQ(moved.status, 301u);
  EXPECT_EQ(header(moved, "Location"), "/products/42?size=L&sort=-helpful");
  EXPECT_EQ(header(get("/products/42?helpful.min=3&helpful.max="), "Location"),
            "/products/42?helpful.min=3");
  EXPECT_EQ(get("/v1/products/42/comments?helpful.min=").status, 400u);
}

TEST_F(FacetsTest, ACursorBeginsNoHeaderOfTheResponse) {
  for (std::string name : {"after", "before"}) {
    auto moved = get("/products/42?helpful.min=&" + name + "=x%0d%0aSet-Cookie:%20evil=1");
    EXPECT_EQ(moved.status, 301u);
    EXPECT_EQ(header(moved, "Location"),
              "/products/42?" + name + "=x%0D%0ASet-Cookie%3A%20evil%3D1");
    EXPECT_EQ(moved.headers.find("\r\nSet-Cookie"), std::string::npos) << moved.headers;
  }
}

TEST_F(FacetsTest, OnlyPagesWithoutAFilterAreForSearchEngines) {
  auto indexed = [&](const std::string& query) {
    auto body = get("/products/42" + query).body;
    EXPECT_NE(body.find(R"(rel="canonical" href="http://localhost:8080/products/42")"), body.npos)
        << query;
    return body.find("noindex") == body.npos;
  };
  for (std::string query : {"?size=L", "?not.size=L", "?helpful.min=1", "?sort=-rating"})
    EXPECT_FALSE(indexed(query)) << query;
}

TEST_F(FacetsTest, TheStarsOfManyProductsComeInTheOrderAskedFor) {
  store_.behaviour.counted = 0;
  auto response = get("/v1/statistics?product=b&product=a%26&product=b");
  EXPECT_EQ(response.status, 200u);
  std::string none = R"("total":0,"average":0,"ratings":{"1":0,"2":0,"3":0,"4":0,"5":0}})";
  EXPECT_EQ(response.body, R"({"products":[{"product":"b",)" + none + R"(,{"product":"a&",)" +
                               none + R"(,{"product":"b",)" + none + "]}");
  std::string many = "/v1/statistics?product=0";
  for (int i = 1; i < 100; ++i) many += "&product=" + std::to_string(i);
  EXPECT_EQ(get(many).status, 200u);
  for (const auto& target : {many + "&product=x", std::string("/v1/statistics"),
                             std::string("/v1/statistics?product="), many + "&rating=1"})
    EXPECT_EQ(slug(get(target)), "invalid-parameter") << target;
}

// No facet may have the name of a parameter.
TEST(Declaration, RefusesTheNamesOfParameters) {
  for (auto name : page_parameters)
    EXPECT_FALSE(check_declaration(Schema(), {std::string(name), FacetType::flag})) << name;
  for (std::string name : {"product", "by"})
    EXPECT_FALSE(check_declaration(Schema(), {name, FacetType::flag})) << name;
  EXPECT_TRUE(check_declaration(Schema(), {"size", FacetType::flag}));
}

}  // namespace
}  // namespace quire::http
