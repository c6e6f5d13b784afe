// Page numbers of an index beside the store, and the answers while that index fails.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include "http/application/application_fixture.h"
#include "listing/plain_index.h"

namespace quire::http {
namespace {

class NumbersOverHttp : public ApplicationTest {
 protected:
  NumbersOverHttp() {
    spdlog::set_level(spdlog::level::off);
    numbers_ = {.index = &index_};
    store_.behaviour.exact = false;
    // The index has comments that the store does not have, so that its numbers can be told apart.
    for (std::uint8_t i = 0; i < 45; ++i) {
      Comment comment{.id = Ulid::make(1000, {i}), .product = "42", .rating = 5};
      index_.add(comment);
    }
  }
  ~NumbersOverHttp() override { spdlog::set_level(spdlog::level::info); }

  void break_index() {
    index_.fails = [](int) { return true; };
  }
  static boost::json::object page_of(const Response& response) {
    return boost::json::parse(response.body).at("page").as_object();
  }
  // The value of a metric as text; empty if there is no such metric.
  std::string metric(const std::string& name) {
    auto text = "\n" + get("/metrics").body;
    auto at = text.find("\n" + name + " ");
    if (at == text.npos) return "";
    at += name.size() + 2;
    return text.substr(at, text.find('\n', at) - at);
  }

  const std::string address_ = "/v1/products/42/comments";
  const std::string why_ = "The page index cannot be asked now.";
  PlainIndex index_;
};

TEST_F(NumbersOverHttp, ComeFromTheIndex) {
  auto response = get(address_);
  ASSERT_EQ(response.status, 200u);
  auto page = page_of(response);
  EXPECT_EQ(page.at("number"), 1);
  EXPECT_EQ(page.at("count"), 3);
  EXPECT_FALSE(page.contains("numbers_missing"));
  EXPECT_EQ(header(response, "X-Total-Count"), "45");
  EXPECT_NE(header(response, "Link").find("page=3>; rel=\"last\""), std::string::npos);
  EXPECT_EQ(get(address_ + "?page=4").status, 404u);
  EXPECT_EQ(page_of(get(address_ + "?page=3")).at("number"), 3);
}

TEST_F(NumbersOverHttp, AreMissingWithTheReason) {
  break_index();
  auto response = get(address_);
  ASSERT_EQ(response.status, 200u);
  auto page = page_of(response);
  EXPECT_EQ(page.at("numbers_missing").as_string(), why_);
  EXPECT_FALSE(page.contains("number") || page.contains("count"));
  EXPECT_EQ(header(response, "Link").find("last"), std::string::npos);
  EXPECT_NE(get("/products/42").body.find("Page numbers are not available right now."),
            std::string::npos);
  EXPECT_EQ(header(get("/products/42?sort=created_at"), "Cache-Control"),
            "public, max-age=0, must-revalidate");
  for (const auto& target : {address_ + "?page=2", std::string("/products/42?page=2")}) {
    auto refused = get(target);
    EXPECT_EQ(refused.status, 503u) << target;
    EXPECT_EQ(header(refused, "Retry-After"), "1");
    EXPECT_NE(refused.body.find(why_ + " Use after and before."), std::string::npos);
    EXPECT_EQ(refused.body.find("secret"), std::string::npos);
  }
  EXPECT_EQ(get(address_ + "?page=1").status, 200u);
}

TEST_F(NumbersOverHttp, AreNotMissingWhereThereIsNoIndex) {
  numbers_ = {};
  EXPECT_FALSE(page_of(get(address_)).contains("numbers_missing"));
  EXPECT_EQ(get("/products/42").body.find("not available"), std::string::npos);
  EXPECT_EQ(get("/readyz").body, "ready\n");
  EXPECT_EQ(metric("quire_pages_up"), "");
  EXPECT_EQ(metric("quire_pages_lag_seconds"), "");
}

TEST_F(NumbersOverHttp, MayBeMissingAndTheServerIsReadyAllTheSame) {
  EXPECT_EQ(get("/readyz").body, "ready\n");
  break_index();
  now_ += 1000;
  auto ready = get("/readyz");
  EXPECT_EQ(ready.status, 200u);
  EXPECT_EQ(ready.body, "ready\nPage numbers are missing. " + why_ + "\n");
  store_.behaviour.refuses = Error{ErrorCode::unavailable, "The disk is full."};
  EXPECT_EQ(get("/readyz").status, 503u);
}

TEST_F(NumbersOverHttp, HaveGauges) {
  index_.said.marks["shard"].as_of_ms = now_ - 2500;
  EXPECT_EQ(metric("quire_pages_up"), "1");
  EXPECT_EQ(metric("quire_pages_lag_seconds"), "2.5");
  now_ += 60'000;
  EXPECT_EQ(metric("quire_pages_up"), "0");
  EXPECT_EQ(metric("quire_pages_lag_seconds"), "62.5");
  break_index();
  now_ += 1000;
  EXPECT_EQ(metric("quire_pages_up"), "0");
  EXPECT_EQ(metric("quire_pages_lag_seconds"), "63.5") << "what was known last goes on ageing";
}

TEST_F(NumbersOverHttp, OfAnEmptyIndexHaveNoLag) {
  index_.said = {};
  EXPECT_EQ(metric("quire_pages_up"), "0");
  EXPECT_EQ(metric("quire_pages_lag_seconds"), "Nan");
}

TEST_F(NumbersOverHttp, AndStatisticsSayUpToWhichTimeTheyHold) {
  numbers_ = {};
  for (const std::string target : {"/v1/products/42/statistics", "/v1/leaderboard"})
    EXPECT_FALSE(boost::json::parse(get(target).body).as_object().contains("as_of"));
  for (const std::string target : {"/products/42", "/?by=average"})
    EXPECT_EQ(get(target).body.find("as of"), std::string::npos);
  store_.behaviour.as_of_ms = 1732103260123;
  for (const std::string target : {"/v1/products/42/statistics", "/v1/leaderboard"}) {
    auto before = get(target);
    EXPECT_EQ(boost::json::parse(before.body).at("as_of"), "2024-11-20T11:47:40.123Z");
    ++*store_.behaviour.as_of_ms;
    auto tag = header(before, "ETag");
    EXPECT_EQ(tag.substr(0, 3), "W/\"");
    EXPECT_EQ(get(target, {{"If-None-Match", tag}}).status, 304u) << "nothing else is new";
    --*store_.behaviour.as_of_ms;
  }
  for (const std::string target : {"/products/42", "/?by=average"})
    EXPECT_NE(get(target).body.find(
                  "<time datetime=\"2024-11-20T11:47Z\">Ratings as of <bdi>November 20, "
                  "2024, 11:47 UTC</bdi></time>"),
              std::string::npos);
}

TEST_F(NumbersOverHttp, AndStatisticsSayThatThisTimeIsNotKnown) {
  numbers_ = {};
  store_.behaviour.as_of_ms = 0;
  for (const std::string target : {"/products/42", "/?by=average"}) {
    auto body = get(target).body;
    EXPECT_NE(body.find("Ratings may be incomplete"), std::string::npos);
    EXPECT_EQ(body.find("1970"), std::string::npos);
  }
  for (const std::string target : {"/v1/products/42/statistics", "/v1/leaderboard"}) {
    store_.behaviour.as_of_ms = 0;
    auto before = get(target);
    EXPECT_TRUE(boost::json::parse(before.body).at("as_of").is_null());
    auto tag = header(before, "ETag");
    EXPECT_EQ(get(target, {{"If-None-Match", tag}}).status, 304u);
    store_.behaviour.as_of_ms = 1732103260123;
    EXPECT_EQ(get(target, {{"If-None-Match", tag}}).status, 200u) << "now it is known";
  }
}

}  // namespace
}  // namespace quire::http
