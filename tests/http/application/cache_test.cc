// The page cache: its answers are those of an application without one.
#include <random>
#include <thread>

#include "http/application/cache_fixture.h"

namespace quire::http {
namespace {

const std::string page = "/v1/products/42/comments";

TEST_F(CacheTest, ASecondRequestIsAHit) {
  post("42", "Fits");
  for (std::string target : {page.c_str(), "/products/42", "/v1/products/42/statistics",
                             "/v1/leaderboard", "/", "/products/42/comments.atom"}) {
    auto before = hits();
    auto first = get(target), second = get(target);
    EXPECT_EQ(hits(), before + 1) << target;
    EXPECT_EQ(second.status, 200u) << target;
    EXPECT_EQ(second.bytes(), first.bytes()) << target;
    EXPECT_EQ(second.lines(), first.lines()) << target;
    EXPECT_EQ(second.type, first.type) << target;
  }
  EXPECT_GT(metrics_.cache_bytes->Value(), 0);
}

TEST_F(CacheTest, EachCodingIsKeptByItself) {
  for (int i = 0; i < 10; ++i) post("42", std::string(200, 'x'));
  auto plain = body(page);
  for (int round = 0; round < 2; ++round) {
    for (auto coding : {Coding::gzip, Coding::zstd}) {
      auto response = get(page, {{"Accept-Encoding", std::string(coding_name(coding))}});
      EXPECT_EQ(response.coding, coding);
      EXPECT_EQ(decompressed(coding, response.bytes()), plain);
    }
  }
  EXPECT_EQ(hits(), 2);
}

TEST_F(CacheTest, HeadAndAKnownTagNeedNoBody) {
  post("42", "Fits");
  auto got = get(page);
  auto tag = got.tag;
  for (int round = 0; round < 2; ++round) {
    auto unchanged = get(page, {{"If-None-Match", tag}});
    EXPECT_EQ(unchanged.status, 304u);
    EXPECT_EQ(unchanged.bytes(), "");
    auto head = ask(cached_, Verb::head, page);
    EXPECT_EQ(head.status, 200u);
    EXPECT_EQ(head.lines(), got.lines());
    EXPECT_EQ(head.bytes().size(), got.bytes().size()) << "the connection leaves it out";
  }
  EXPECT_EQ(hits(), 4);
}

TEST_F(CacheTest, WhatIsOfTheMomentOrOfAClientIsNotKept) {
  auto comment = post("42", "Fits");
  for (int round = 0; round < 2; ++round) {
    for (std::string target :
         {page + "?explain=true", page + "?ratign=5", page + "?page=9", std::string("/healthz"),
          std::string("/v1/facets"), "/v1/comments/" + comment.id.text()})
      get(target);
    get(page, {{"Authorization", "Bearer secret"}});
    ask(cached_, Verb::head, "/products/42");
  }
  EXPECT_EQ(hits(), 0);
  EXPECT_EQ(misses(), 0) << "only what may be kept can be missed";
}

// A crawler that has an old page of everything fills the cache for all others.
TEST_F(CacheTest, ATagThatIsOldFillsIt) {
  post("42", "Fits");
  auto rendered = get(page, {{"If-None-Match", "\"old\""}});
  EXPECT_EQ(rendered.status, 200u);
  EXPECT_EQ(misses(), 1);
  EXPECT_EQ(get(page).bytes(), rendered.bytes());
  EXPECT_EQ(hits(), 1);
}

// language=auto is answered by Accept-Language, in whatever encoding it is written.
TEST_F(CacheTest, EachAcceptLanguageHasItsOwnPages) {
  for (std::string language : {"de", "en", "pt-BR"})
    (void)wait(comments_.post({.product = "42", .language = language, .rating = 4})).value();
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"de", "?language=de"},
      {"de-AT, en-GB;q=0.8, en;q=0.7", "?language=de&language=en"},
      {"pt", "?language=pt-BR"},
      {"fr", ""},
      {"", ""},
      {std::string(300, ' ') + "en;q=0", ""},
      {"fr," + std::string(300, ' ') + "en", "?language=en"}};
  for (int round = 0; round < 2; ++round) {
    for (std::string name :
         {"language=auto", "language=%61uto", "%6Canguage=aut%6f", "filter%5Blanguage%5D=auto"}) {
      for (const auto& [accepted, query] : expected) {
        Headers headers{{"Accept-Language", accepted}};
        auto chosen = get(page + "?" + name, headers), named = get(page + query);
        EXPECT_EQ(chosen.bytes(), named.bytes()) << name << " of " << accepted;
        EXPECT_EQ(chosen.lines(), ask(uncached_, Verb::get, page + "?" + name, headers).lines());
        auto lines = std::string(chosen.lines());
        EXPECT_NE(lines.find("Content-Location: " + page + query + "\r\n"), lines.npos) << lines;
        EXPECT_NE(lines.find("Vary: Accept-Encoding, Accept-Language\r\n"), lines.npos) << lines;
        EXPECT_NE(
            get("/products/42?" + name, headers).lines().find("/products/42" + query + "\r\n"),
            std::string_view::npos);
      }
    }
  }
  EXPECT_EQ(get(page + "?language=auto&language=de").status, 400u);
  EXPECT_EQ(get("/v1/products/42/statistics?language=auto").status, 400u);
  EXPECT_EQ(get("/products/42?language=auto&page=1", {{"Accept-Language", "de"}}).status, 200u);
  Headers both{{"Accept-Language", "en"}, {"Accept-Language", "de"}};
  for (const auto& [headers, query] : {std::pair{both, "?language=de&language=en&limit=3"},
                                       {Headers{{"Accept-Language", "en"}}, "?language=en&limit=3"},
                                       {both, "?language=de&language=en&limit=3"}})
    EXPECT_EQ(get(page + "?language=auto&limit=3", headers).bytes(), get(page + query).bytes());
  auto plain = hits();
  for (int round = 0; round < 2; ++round)
    for (std::string accepted : {"de", "en"})
      get(page + "?rating=4", {{"Accept-Language", accepted}});
  EXPECT_EQ(hits(), plain + 3) << "another address is the same in all languages";
}

TEST_F(CacheTest, AProductHasAPageWhileItHasComments) {
  EXPECT_EQ(get("/products/42").status, 404u);
  auto comment = post("42", "Fits");
  EXPECT_EQ(get("/products/42").status, 200u);
  EXPECT_EQ(get("/products/42?rating=1").status, 200u) << "none under this filter";
  wait(comments_.remove(comment.id)).value();
  for (std::string query : {"", "?rating=1", "?page=2"})
    EXPECT_EQ(get("/products/42" + query).status, 404u) << query;
}

// The page repeats the host.
TEST_F(CacheTest, EachHostHasItsOwnPages) {
  post("42", "Fits");
  auto here = body("/products/42");
  auto ask_other = [&] {
    auto sent = fields({{"Host", "127.0.0.1:9"}});
    std::string target = "/products/42";
    Request request{.method = Verb::get, .target = target, .headers = &sent};
    auto early = cached_.check_header(request);
    auto response = early ? early->response : wait(cached_.answer(request)).response;
    return std::string(response.bytes());
  };
  EXPECT_NE(here.find("http://localhost:8080/"), here.npos);
  EXPECT_EQ(here.find("http://127.0.0.1:9/"), here.npos);
  for (int round = 0; round < 2; ++round)
    EXPECT_NE(ask_other().find("http://127.0.0.1:9/"), std::string::npos);
}

TEST_F(CacheTest, AChangeIsSeenByTheNextRequest) {
  auto comment = post("42", "Fits");
  auto expect = [&](const std::string& text) {
    for (int round = 0; round < 2; ++round)
      EXPECT_NE(body(page).find(text), std::string::npos) << text;
  };
  expect("Fits");
  wait(comments_.patch(comment.id, {.text = "A text that no index has"})).value();
  expect("A text that no index has");
  wait(comments_.patch(comment.id, {.rating = 1})).value();
  expect(R"("rating":1)");
  post("42", "The second");
  expect("The second");
  wait(comments_.remove(comment.id)).value();
  expect(R"("total":1)");
  auto before = hits();
  post("another", "Nobody asks for it");
  expect("The second");
  EXPECT_EQ(hits(), before + 2) << "a write to another product";
}

TEST_F(CacheTest, ADeclaredFacetIsSeenByTheNextRequest) {
  post("42", "Fits", {{"size", "L"}});
  std::string filtered = page + "?size=L&facets=true", all = page + "?facets=true";
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(get(filtered).status, 400u);
    EXPECT_EQ(body(all).find("size\":{"), std::string::npos);
  }
  wait(comments_.declare({"size", FacetType::choice})).value();
  while (get(filtered).status == 503) std::this_thread::yield();
  for (int round = 0; round < 2; ++round)
    EXPECT_NE(body(all).find("size\":{"), std::string::npos) << body(all);
  wait(comments_.drop("size")).value();
  EXPECT_EQ(get(filtered).status, 400u);
  EXPECT_EQ(body(all).find("size\":{"), std::string::npos);
}

// Random writes and reads: each answer is that of an application without a cache.
TEST_F(CacheTest, AnswersAreThoseWithoutACache) {
  std::mt19937 random(1);
  std::vector<Ulid> ids = {post("a", "0").id};
  const std::vector<std::string> targets = {"/v1/products/a/comments",
                                            "/v1/products/b/comments?rating=4&limit=3",
                                            "/v1/products/a/statistics",
                                            "/v1/products/a/comments?page=2&limit=2&sort=rating",
                                            "/v1/statistics?product=b",
                                            "/v1/leaderboard?by=average",
                                            "/products/b/comments.atom",
                                            "/",
                                            "/v1/products/b/comments?facets=true"};
  for (int i = 0; i < 400; ++i) {
    auto& id = ids[random() % ids.size()];
    switch (random() % 12) {
      case 0:
        ids.push_back(post(random() % 2 ? "a" : "b", std::to_string(i)).id);
        break;
      case 1:
        (void)wait(comments_.patch(id, {.text = std::to_string(i)}));
        break;
      case 2:
        (void)wait(comments_.patch(id, {.rating = 1 + static_cast<int>(random() % 5)}));
        break;
      case 3:
        if (random() % 2) (void)wait(comments_.remove(id));
        break;
      default:
        break;
    }
    const auto& target = targets[random() % targets.size()];
    auto is = get(target), should_be = ask(uncached_, Verb::get, target);
    ASSERT_EQ(is.status, should_be.status) << target;
    ASSERT_EQ(is.bytes(), should_be.bytes()) << target;
    ASSERT_EQ(is.lines(), should_be.lines()) << target;
  }
  EXPECT_GT(hits(), 100);
}

// Writers change comments of their own while readers keep the pages in the cache. After its write
// is acknowledged a writer finds it; and no reader sees an older state after a newer one. Meant for
// the thread sanitizer as well.
TEST_F(CacheTest, AReadAfterAnAcknowledgedWriteSeesIt) {
  constexpr int writes = 40;
  std::atomic<int> writing = 2;
  auto number_in = [&](const std::string& product) {
    auto text = body("/v1/products/" + product + "/comments");
    auto at = text.find(R"("text":")");
    return at == text.npos ? -1 : std::stoi(text.substr(at + 8));
  };
  auto write = [&](const std::string& product) {
    auto id = post(product, "0").id;
    for (int i = 1; i <= writes; ++i) {
      wait(comments_.patch(id, {.text = std::to_string(i)})).value();
      EXPECT_EQ(number_in(product), i);
    }
    --writing;
  };
  auto read = [&] {
    std::map<std::string, int> seen;
    while (writing > 0) {
      for (std::string product : {"a", "b"}) {
        auto number = number_in(product);
        EXPECT_GE(number, seen[product] - (number < 0));
        seen[product] = std::max(number, 0);
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::string product : {"a", "b"}) threads.emplace_back(write, product);
  for (int i = 0; i < 2; ++i) threads.emplace_back(read);
  for (auto& thread : threads) thread.join();
  EXPECT_GT(hits(), 0);
}

}  // namespace
}  // namespace quire::http
