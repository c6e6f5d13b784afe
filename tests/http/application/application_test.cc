// What all responses have in common: 404 and 405, caching, failures, hosts. The store has no
// comments, and tests can make it fail.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/application/application_fixture.h"

namespace quire::http {
namespace {

TEST_F(ApplicationTest, AnUnknownAddressIsNotFound) {
  for (std::string target : {"/v1", "/v1/products", "/v1/products//comments", "/x", "/x/",
                             "/v1/comments/a/b", "/static/0/styles.css"}) {
    auto response = get(target);
    EXPECT_EQ(response.status, 404u) << target;
    EXPECT_EQ(slug(response), "not-found") << target;
    EXPECT_EQ(header(response, "Cache-Control"), "no-store");
  }
  get("/x");
  EXPECT_EQ(route_, "unknown");
}

TEST_F(ApplicationTest, AnUnknownAddressIsAPageForBrowsers) {
  const std::string browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  for (std::string target : {"/x", "/static/0/styles.css"}) {
    auto response = get(target, {{"Accept", browser}});
    EXPECT_EQ(response.status, 404u) << target;
    EXPECT_EQ(response.type, "text/html; charset=utf-8") << target;
    EXPECT_NE(response.body.find("This page was not found"), std::string::npos) << target;
    EXPECT_NE(response.body.find("the-request-id"), std::string::npos) << target;
    EXPECT_EQ(header(response, "Cache-Control"), "no-store");
    EXPECT_EQ(slug(get(target, {{"Accept", "*/*"}})), "not-found") << target;
  }
  EXPECT_EQ(slug(get("/v1/commentaries?x", {{"Accept", browser}})), "not-found") << "as JSON";
  EXPECT_EQ(slug(get("/v1/facets?x=1", {{"Accept", browser}})), "invalid-parameter");
}

TEST_F(ApplicationTest, RobotsAreToldOfTheSitemapWhereThereIsOne) {
  EXPECT_EQ(get("/robots.txt").body,
            "User-agent: *\nDisallow: /v1/\nDisallow: /comments/\n\nSitemap: "
            "http://localhost:8080/sitemap.xml\n");
  host_ = "elsewhere.example";
  auto response = get("/robots.txt");
  EXPECT_EQ(response.body, "User-agent: *\nDisallow: /v1/\nDisallow: /comments/\n");
  EXPECT_EQ(response.type, plain_text);
  EXPECT_EQ(get("/sitemap.xml").status, 404u);
}

TEST_F(ApplicationTest, AWrongMethodIsAnsweredWithTheAllowedOnes) {
  auto response = ask(Verb::put, "/v1/products/42/comments");
  EXPECT_EQ(response.status, 405u);
  EXPECT_EQ(slug(response), "method-not-allowed");
  EXPECT_EQ(header(response, "Allow"), "GET, HEAD, POST");
  EXPECT_EQ(header(ask(Verb::post, "/v1/comments/x"), "Allow"), "GET, HEAD, PATCH, DELETE");
  EXPECT_EQ(header(ask(Verb::delete_, "/metrics"), "Allow"), "GET, HEAD");
}

TEST_F(ApplicationTest, ARequestHasOneHost) {
  EXPECT_EQ(ask_bare(Verb::get, "/healthz", {}).status, 400u);
  EXPECT_EQ(ask_bare(Verb::get, "/healthz", {{"Host", "a"}, {"Host", "b"}}).status, 400u);
  EXPECT_EQ(ask_bare(Verb::get, "/healthz", {{"Host", "a"}}).status, 200u);
  EXPECT_EQ(ask_bare(Verb::get, "/healthz", {}, {}, false).status, 200u) << "HTTP/1.0 need not";
}

TEST_F(ApplicationTest, AnInvalidTargetIsRefused) {
  EXPECT_EQ(slug(get("/%zz")), "invalid-parameter");
  EXPECT_EQ(get("*").status, 400u);
}

TEST_F(ApplicationTest, AMisspeltParameterIsRefusedButOnWebPages) {
  for (std::string target : {"/v1/products/42/comments", "/v1/comments/x", "/healthz", "/readyz",
                             "/metrics", "/openapi.json"}) {
    EXPECT_EQ(get(target + "?ratign=5").status, 400u) << target;
  }
  for (std::string target :
       {"/", "/products/42", "/products/42/comments.atom", "/sitemap.xml", "/robots.txt"}) {
    EXPECT_EQ(get(target + "?ratign=5").status, 200u) << target;
  }
}

TEST_F(ApplicationTest, AProductWithoutCommentsHasNoPage) {
  store_.behaviour.counted = 0;
  for (bool exact : {true, false}) {
    store_.behaviour.exact = exact;
    for (std::string query : {"", "?rating=5", "?page=1", "?sort=rating"}) {
      auto response = get("/products/a%20b" + query);
      EXPECT_EQ(response.status, 404u) << query;
      EXPECT_EQ(response.type, "text/html; charset=utf-8") << query;
      EXPECT_EQ(response.body.find("Last page"), std::string::npos) << query;
      EXPECT_EQ(header(response, "Cache-Control"), "no-store");
    }
    EXPECT_EQ(get("/products/a%20b/comments.atom").status, 404u) << exact;
  }
  EXPECT_EQ(get("/v1/products/a%20b/comments").status, 200u);
}

TEST_F(ApplicationTest, AnAnswerNamesAParameterOfAnyBytesInUtf8) {
  for (std::string name : {"%FF", "%00", "%ED%A0%80", "%22%5C"}) {
    auto response = get("/v1/products/42/comments?" + name + "=1");
    EXPECT_EQ(response.status, 400u) << name;
    boost::json::error_code failed;
    boost::json::parse(response.body, failed);
    EXPECT_FALSE(failed) << response.body;
    for (std::string target : {"/products/42?", "/?", "/problems/internal?"}) {
      auto page = get(target + name + "=1");
      EXPECT_EQ(page.status, 200u) << target << name;
      EXPECT_EQ(page.type, "text/html; charset=utf-8") << target << name;
    }
  }
}

TEST_F(ApplicationTest, AnUnchangedAnswerIsNotSentAgain) {
  for (std::string target : {"/v1/products/42/comments", "/products/42", "/openapi.json", "/"}) {
    auto first = get(target);
    ASSERT_EQ(first.status, 200u) << target;
    EXPECT_EQ(header(first, "Cache-Control"), "public, max-age=0, must-revalidate") << target;
    auto tag = header(first, "ETag");
    ASSERT_FALSE(tag.empty()) << target;
    for (const auto& sent : {tag, "\"other\", " + tag, std::string("*")}) {
      auto again = get(target, {{"If-None-Match", sent}});
      EXPECT_EQ(again.status, 304u) << target << " " << sent;
      EXPECT_EQ(again.body, "") << target;
      EXPECT_EQ(header(again, "ETag"), tag) << target;
    }
    EXPECT_EQ(get(target, {{"If-None-Match", "\"other\""}}).status, 200u) << target;
  }
}

TEST_F(ApplicationTest, OnlyAPageThatShowsItsTimeHasAWeakTag) {
  EXPECT_EQ(header(get("/v1/products/42/comments"), "ETag").substr(0, 1), "\"");
  EXPECT_EQ(header(get("/products/42"), "ETag").substr(0, 3), "W/\"");
  auto strong = header(get("/openapi.json"), "ETag");
  EXPECT_EQ(get("/openapi.json", {{"If-None-Match", "W/" + strong}}).status, 304u)
      << "a proxy that compresses weakens it";
}

TEST_F(ApplicationTest, APageIsNotRenderedIfItsBodyIsNotSent) {
  auto page = get("/products/42");
  auto tag = header(page, "ETag");
  auto head = ask(Verb::head, "/products/42");
  EXPECT_EQ(head.status, 200u);
  EXPECT_EQ(head.headers, page.headers);
  EXPECT_EQ(head.type, page.type);
  EXPECT_TRUE(head.body_left_out);
  auto unchanged = get("/products/42", {{"If-None-Match", tag}});
  EXPECT_EQ(unchanged.status, 304u);
  EXPECT_TRUE(unchanged.body_left_out);
  EXPECT_FALSE(page.body_left_out);
  EXPECT_FALSE(get("/products/42", {{"If-None-Match", "\"other\""}}).body_left_out);
}

TEST_F(ApplicationTest, APageThatIsNotToBeKeptIsSentWhateverTheClientHas) {
  auto page = ask_bare(Verb::get, "/products/42", {{"Host", "a"}, {"If-None-Match", "*"}});
  EXPECT_EQ(page.status, 200u);
  EXPECT_FALSE(page.body_left_out);
  EXPECT_NE(page.body, "");
}

// With the same tag a cache would show the page of one site under another.
TEST_F(ApplicationTest, ThePageOfAnotherSiteHasAnotherTag) {
  auto tag = header(get("/products/42"), "ETag");
  host_ = "shop.example";
  EXPECT_NE(header(get("/products/42"), "ETag"), tag);
}

std::string style_in(std::string_view page) {
  auto begin = page.find("/static/");
  return std::string(page.substr(begin, page.find('"', begin) - begin));
}

TEST_F(ApplicationTest, AFileMayBeCachedForEverAtTheAddressWithItsHash) {
  auto response = get(style_in(get("/products/42").bytes()));
  EXPECT_EQ(response.status, 200u);
  EXPECT_EQ(response.type, "text/css; charset=utf-8");
  EXPECT_EQ(header(response, "Cache-Control"), "public, max-age=31536000, immutable");
  // A page that a cache kept from an older version asks for its file, and gets the present one.
  auto older = get("/static/0123456789abcdef/style.css");
  EXPECT_EQ(older.status, 200u);
  EXPECT_EQ(older.bytes(), response.bytes());
  EXPECT_EQ(header(older, "Cache-Control"), "public, max-age=0, must-revalidate");
}

TEST_F(ApplicationTest, AnAnswerOfTheMomentIsNotCached) {
  for (std::string target : {"/healthz", "/readyz", "/metrics",
                             "/v1/products/42/comments?explain=true", "/v1/comments/x"}) {
    EXPECT_EQ(header(get(target), "Cache-Control"), "no-store") << target;
    EXPECT_EQ(header(get(target), "ETag"), "") << target;
  }
}

TEST_F(ApplicationTest, AStoreThatDoesNotAnswerIsA503WithRetryAfter) {
  store_.behaviour.refuses = Error{ErrorCode::unavailable, "The disk is full."};
  for (std::string target : {"/v1/products/42/comments", "/readyz"}) {
    auto response = get(target);
    EXPECT_EQ(response.status, 503u) << target;
    EXPECT_EQ(slug(response), "backend-unavailable") << target;
    EXPECT_EQ(header(response, "Retry-After"), "1") << target;
  }
  auto page = get("/products/42");
  EXPECT_EQ(page.status, 503u);
  EXPECT_EQ(page.type, "text/html; charset=utf-8");
  EXPECT_EQ(header(page, "Retry-After"), "1");
  EXPECT_EQ(header(page, "Cache-Control"), "no-store");
  EXPECT_EQ(get("/products/42", {{"If-None-Match", "*"}}).status, 503u)
      << "no page to be unchanged";
  EXPECT_EQ(get("/healthz").status, 200u) << "the process lives";
}

TEST_F(ApplicationTest, AFailureIsA500WithoutItsReason) {
  store_.behaviour.breaks = true;
  auto response = get("/v1/products/42/comments");
  EXPECT_EQ(response.status, 500u);
  EXPECT_EQ(slug(response), "internal");
  EXPECT_EQ(response.body.find("burns"), std::string::npos);
  EXPECT_NE(response.body.find("the-request-id"), std::string::npos);
  auto page = get("/products/42");
  EXPECT_EQ(page.status, 500u);
  EXPECT_EQ(page.type, "text/html; charset=utf-8");
  EXPECT_EQ(page.body.find("burns"), std::string::npos);
}

TEST_F(ApplicationTest, AStoreThatOpensNoViewIsA503) {
  store_.behaviour.full = true;
  auto response = get("/v1/products/42/comments");
  EXPECT_EQ(response.status, 503u);
  EXPECT_EQ(slug(response), "backend-unavailable");
  EXPECT_NE(response.body.find("the-request-id"), std::string::npos);
  EXPECT_EQ(get("/products/42").status, 503u);
  EXPECT_EQ(get("/healthz").status, 200u);
}

TEST_F(ApplicationTest, AStoppingServerIsNotReadyButAnswers) {
  EXPECT_EQ(get("/readyz").status, 200u);
  application().stop();
  EXPECT_EQ(get("/readyz").status, 503u);
  EXPECT_EQ(get("/healthz").status, 200u);
  EXPECT_EQ(get("/v1/products/42/comments").status, 200u);
}

TEST_F(ApplicationTest, ABodyNeedsItsMediaType) {
  options_.desk.demo = true;
  const std::string address = "/v1/products/42/comments";
  const std::string body = R"({"rating":5})";
  for (std::string type : {"", "text/plain", "application/jsonx", "application/merge-patch+json"}) {
    auto response = ask(Verb::post, address, {{"Content-Type", type}}, body);
    EXPECT_EQ(response.status, 415u) << type;
    EXPECT_EQ(slug(response), "unsupported-media-type") << type;
  }
  for (std::string type :
       {"application/json", "Application/JSON; charset=utf-8", "application/json ;x=y"}) {
    EXPECT_EQ(ask(Verb::post, address, {{"Content-Type", type}}, body).status, 201u) << type;
  }
}

TEST_F(ApplicationTest, AnIdempotencyKeyHas1To256Characters) {
  options_.desk.demo = true;
  EXPECT_EQ(post("42", {{"Idempotency-Key", ""}}).status, 400u);
  EXPECT_EQ(post("42", {{"Idempotency-Key", std::string(257, 'k')}}).status, 400u);
  EXPECT_EQ(post("42", {{"Idempotency-Key", std::string(256, 'k')}}).status, 201u);
}

TEST_F(ApplicationTest, AMadeUpHostIsNeverRepeated) {
  host_ = "evil.example";
  auto page = get("/products/42");
  EXPECT_EQ(page.status, 200u);
  EXPECT_EQ(page.body.find("evil"), std::string::npos);
  EXPECT_EQ(page.body.find("canonical"), std::string::npos);
  EXPECT_EQ(header(page, "Cache-Control"), "no-store");
  auto feed = get("/products/42/comments.atom");
  EXPECT_EQ(feed.status, 200u);
  EXPECT_EQ(feed.body.find("evil"), std::string::npos);
  EXPECT_NE(feed.body.find("<id>urn:uuid:"), std::string::npos);
  EXPECT_EQ(header(feed, "Cache-Control"), "no-store");
  EXPECT_EQ(slug(get("/sitemap.xml")), "not-found");
  host_ = "localhost:8080";
  EXPECT_NE(get("/products/42").body.find("\"http://localhost:8080/products/42\""),
            std::string::npos);
  EXPECT_EQ(get("http://evil.example/products/42").body.find("canonical"), std::string::npos);
}

TEST_F(ApplicationTest, TheAddressItListensOnIsKnown) {
  options_.site.listen = {boost::asio::ip::make_address("192.0.2.80"), 8080};
  for (std::string host : {"192.0.2.80:8080", "127.0.0.1:1"}) {
    host_ = host;
    EXPECT_NE(get("/products/42").body.find("\"http://" + host + "/products/42\""),
              std::string::npos);
  }
  for (std::string host : {"192.0.2.80", "192.0.2.80:81", "192.0.2.81:8080"}) {
    host_ = host;
    EXPECT_EQ(get("/products/42").body.find("canonical"), std::string::npos) << host;
  }
}

TEST_F(ApplicationTest, OperatorsMayHaveAServerOfTheirOwn) {
  options_.operations_apart = true;
  for (std::string target : {"/healthz", "/readyz", "/metrics"}) {
    EXPECT_EQ(slug(get(target)), "not-found") << target;
    auto sent = fields({});
    Request request{.method = Verb::get, .target = target, .headers = &sent};
    EXPECT_EQ(wait(application().operations().answer(request)).response.status, 200u) << target;
  }
  auto sent = fields({});
  Request other{.method = Verb::get, .target = "/v1/leaderboard", .headers = &sent};
  EXPECT_EQ(wait(application().operations().answer(other)).response.status, 404u);
  Request posted{.method = Verb::post, .target = "/metrics", .headers = &sent};
  EXPECT_EQ(wait(application().operations().answer(posted)).response.status, 405u);
  application().stop();
  Request ready{.method = Verb::get, .target = "/readyz", .headers = &sent};
  EXPECT_EQ(wait(application().operations().answer(ready)).response.status, 503u);
}

}  // namespace
}  // namespace quire::http
