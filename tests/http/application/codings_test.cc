// In which coding responses go out, and what their tags then say.
#include <gtest/gtest.h>

#include "http/application/application_fixture.h"
#include "http/application/kept_pages.h"
#include "http/encoding/decompress.h"

namespace quire::http {
namespace {

using Codings = ApplicationTest;

struct Case {
  Coding coding;
  std::string accepts;
};
const Case cases[] = {
    {Coding::identity, "identity"}, {Coding::gzip, "gzip"}, {Coding::zstd, "gzip, zstd"}};

// Two have strong tags and one a weak tag; one lives as long as the program.
const std::string targets[] = {"/openapi.json", "/", "/products/42"};

// A style of the shop goes with its shop file; the next one may lie at its place.
TEST(Encode, SendsNothingOfBytesThatWereThereBefore) {
  std::string place;
  for (auto letter : {'a', 'b'}) {
    place.assign(5000, letter);
    Response response{.shared = place, .owner = std::make_shared<int>(), .coding = Coding::gzip};
    wait(encode({}, response));
    EXPECT_EQ(decompressed(Coding::gzip, response.bytes()), place);
  }
}

// A web page speaks the language of its visitor.
std::string varies(const std::string& target) {
  return target.ends_with(".json") ? "Accept-Encoding" : "Accept-Encoding, Accept-Language";
}

TEST_F(Codings, TheClientGetsTheCodingThatItTakes) {
  for (const auto& target : targets) {
    auto plain = get(target);
    EXPECT_EQ(plain.coding, Coding::identity) << target;
    for (const auto& [coding, accepts] : cases) {
      auto response = get(target, {{"Accept-Encoding", accepts}});
      EXPECT_EQ(response.coding, coding) << target;
      EXPECT_EQ(header(response, "Vary"), varies(target)) << target;
      bool shows_its_time = target == "/products/42";
      auto body = decompressed(coding, response.bytes());
      EXPECT_TRUE(shows_its_time || body == plain.bytes()) << target;
    }
  }
}

TEST_F(Codings, ATagIsThatOfItsCoding) {
  for (const auto& target : targets) {
    for (const auto& [coding, accepts] : cases) {
      auto tag = header(get(target, {{"Accept-Encoding", accepts}}), "ETag");
      bool weak = tag.starts_with("W/");
      EXPECT_EQ(weak, target == "/products/42");
      for (const auto& [other, takes] : cases) {
        auto again = get(target, {{"Accept-Encoding", takes}, {"If-None-Match", tag}});
        EXPECT_EQ(again.status, weak || other == coding ? 304u : 200u) << target << " " << takes;
        EXPECT_EQ(header(again, "Vary"), varies(target));
        if (again.status == 304) {
          EXPECT_EQ(header(again, "ETag"), tag);
          EXPECT_EQ(again.bytes(), "");
        }
      }
    }
  }
}

TEST_F(Codings, HeadHasTheHeadersOfGet) {
  for (const auto& target : targets) {
    for (const auto& [coding, accepts] : cases) {
      auto got = get(target, {{"Accept-Encoding", accepts}});
      auto head = ask(Verb::head, target, {{"Accept-Encoding", accepts}});
      EXPECT_EQ(head.headers, got.headers) << target;
      EXPECT_EQ(head.coding, coding);
      EXPECT_EQ(head.body_left_out, coding != Coding::identity || target == "/products/42");
    }
  }
}

TEST_F(Codings, OnlyReadsOfAKilobyteOrMoreAreCompressed) {
  EXPECT_EQ(get("/v1/facets", {{"Accept-Encoding", "gzip"}}).coding, Coding::identity);
  EXPECT_EQ(header(get("/v1/facets"), "Vary"), "Accept-Encoding") << "a longer answer would be";
  auto missing = get("/products/", {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(missing.status, 404u);
  EXPECT_EQ(missing.coding, Coding::identity);
  options_.desk.demo = true;
  auto posted = post("42", {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(header(posted, "Vary"), "");
}

TEST_F(Codings, SeveralHeadersAreOneList) {
  EXPECT_EQ(get("/", {{"Accept-Encoding", "br"}, {"Accept-Encoding", "gzip"}}).coding,
            Coding::gzip);
}

}  // namespace
}  // namespace quire::http
