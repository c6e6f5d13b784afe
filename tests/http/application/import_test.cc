// POST /v1/import: who may, and what the answer says. Bytes come from no connection here.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "http/application/application_fixture.h"

namespace quire::http {
namespace {

namespace json = boost::json;

constexpr std::string_view good_row =
    R"({"product":"42","rating":5,"created_at":"2024-11-20T12:01:00Z"})";

class ImportTest : public ApplicationTest {
 protected:
  // With a token like this one.
  Response begin(desk::Token token, const std::string& query = {}) {
    auto file = directory_.path() + "/tokens";
    auto secret = desk::Tokens::add(file, std::move(token)).value();
    tokens_ = std::make_shared<const desk::Tokens>(desk::Tokens::read(file).value());
    options_.desk.tokens = [this] { return tokens_; };
    return ask(Verb::post, "/v1/import" + query, {{"Authorization", "Bearer " + secret}});
  }

  // The lines of the answer to these bytes.
  static std::vector<json::object> said(BodyTaker& taker, std::string_view bytes,
                                        bool whole = true) {
    if (!bytes.empty()) wait(keep_going(taker, bytes));
    wait(end(taker, whole));
    std::vector<json::object> lines;
    auto text = taker.said();
    for (std::string_view rest = text; !rest.empty();) {
      auto size = rest.find('\n');
      lines.push_back(json::parse(rest.substr(0, size)).as_object());
      rest.remove_prefix(size + 1);
    }
    return lines;
  }

 private:
  TemporaryDirectory directory_;
  std::shared_ptr<const desk::Tokens> tokens_;

  static Awaitable<bool> keep_going(BodyTaker& taker, std::string_view bytes) {
    bool more = co_await taker.take(bytes);
    co_return more;
  }
  static Awaitable<bool> end(BodyTaker& taker, bool whole) {
    co_await taker.end(whole);
    co_return true;
  }
};

TEST_F(ImportTest, NeedsTheScopeAndToUpdateAnother) {
  EXPECT_EQ(begin({.scopes = {desk::Scope::post, desk::Scope::edit}}).status, 403u);
  EXPECT_EQ(begin({.scopes = {desk::Scope::import}}, "?update=true").status, 403u);
  EXPECT_NE(begin({.scopes = {desk::Scope::import}}, "?update=false").taker, nullptr);
  EXPECT_NE(begin({.scopes = {desk::Scope::import, desk::Scope::edit}}, "?update=true").taker,
            nullptr);
  EXPECT_NE(begin({.scopes = {desk::Scope::admin}}, "?update=true&again=true").taker, nullptr);
  EXPECT_EQ(ask(Verb::post, "/v1/import").status, 401u);
}

TEST_F(ImportTest, OneOfAClientRunsAtATime) {
  auto first = begin({.scopes = {desk::Scope::import}});
  ASSERT_NE(first.taker, nullptr);
  auto second = begin({.scopes = {desk::Scope::import}});
  EXPECT_EQ(second.status, 503u);
  EXPECT_EQ(header(second, "Retry-After"), "1");
  said(*first.taker, "");
  EXPECT_NE(begin({.scopes = {desk::Scope::import}}).taker, nullptr) << "the first has ended";
}

TEST_F(ImportTest, AStoreThatFailsEndsItWithAProblemAndNoSummary) {
  auto response = begin({.scopes = {desk::Scope::import}});
  ASSERT_NE(response.taker, nullptr) << response.body;
  store_.behaviour.refuses = Error{ErrorCode::unavailable, "The disk is full."};
  auto lines = said(*response.taker, "{}\n" + std::string(good_row) + "\n");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("line"), 1);
  EXPECT_EQ(lines[1].at("type"), "/problems/backend-unavailable");
  EXPECT_EQ(lines[1].at("detail"), "The disk is full.");
}

TEST_F(ImportTest, LinesAreCutHoweverTheyCome) {
  auto response = begin({.scopes = {desk::Scope::import}});
  ASSERT_NE(response.taker, nullptr);
  auto& taker = *response.taker;
  const std::string sent = "\xEF\xBB\xBF" + std::string(good_row) + "\r\n\n" + R"({"rating":9})" +
                           "\n\xFFx\n" + std::string(good_row);
  auto each = [&]() -> Awaitable<bool> {
    for (char byte : sent) co_await taker.take({&byte, 1});
    co_return true;
  };
  wait(each());
  auto lines = said(taker, "");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].at("line"), 3);
  EXPECT_EQ(lines[0].at("row"), R"({"rating":9})");
  EXPECT_EQ(lines[1].at("line"), 4);
  EXPECT_EQ(lines[1].at("row"), "\xEF\xBF\xBDx") << "JSON has Unicode alone";
  EXPECT_EQ(lines[2].at("rejected"), 2);
}

TEST_F(ImportTest, ALineThatIsTooLongIsRefusedAndTheNextTaken) {
  auto response = begin({.scopes = {desk::Scope::import}});
  ASSERT_NE(response.taker, nullptr);
  auto lines = said(*response.taker, std::string(3 << 20, ' ') + "{}\n{}\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].at("reason"), "The line has over 1 MiB.");
  EXPECT_EQ(lines[0].at("row").as_string().size(), 256u * 1024);
  EXPECT_EQ(lines[1].at("row"), "{}");
  EXPECT_EQ(lines[2].at("rejected"), 2);
}

// So a client that does not read costs little.
TEST_F(ImportTest, WhatWaitsForTheClientIsBounded) {
  auto response = begin({.scopes = {desk::Scope::import}});
  ASSERT_NE(response.taker, nullptr);
  std::string sent;
  for (int n = 0; n < 100; ++n) sent += std::string(200'000, 'x') + "\n";
  auto lines = said(*response.taker, sent);
  EXPECT_LT(lines.size(), 22u);
  EXPECT_GT(lines.size(), 15u);
  EXPECT_EQ(lines.back().at("rejected"), 100);
}

TEST_F(ImportTest, AnImportThatWasCutOffHasNoSummary) {
  auto response = begin({.scopes = {desk::Scope::import}});
  ASSERT_NE(response.taker, nullptr);
  EXPECT_TRUE(said(*response.taker, std::string(good_row) + "\n{\"half\"", false).empty());
}

}  // namespace
}  // namespace quire::http
