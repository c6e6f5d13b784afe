// Problem details: the table of kinds, and the JSON of an error.
#include "http/problem.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "http/assets.h"

namespace quire::http {
namespace {

namespace json = boost::json;

const ErrorCode codes[] = {ErrorCode::invalid_parameter,
                           ErrorCode::invalid_cursor,
                           ErrorCode::cursor_mismatch,
                           ErrorCode::page_out_of_range,
                           ErrorCode::not_found,
                           ErrorCode::invalid_comment,
                           ErrorCode::idempotency_conflict,
                           ErrorCode::precondition_failed,
                           ErrorCode::forbidden,
                           ErrorCode::already_written,
                           ErrorCode::facet_building,
                           ErrorCode::unavailable,
                           ErrorCode::damaged};

// There is no default, so that a new code does not compile until it is here and in `codes`.
unsigned status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_parameter:
    case ErrorCode::invalid_cursor:
    case ErrorCode::cursor_mismatch:
      return 400;
    case ErrorCode::page_out_of_range:
    case ErrorCode::not_found:
      return 404;
    case ErrorCode::invalid_comment:
    case ErrorCode::idempotency_conflict:
      return 422;
    case ErrorCode::precondition_failed:
      return 412;
    case ErrorCode::forbidden:
      return 403;
    case ErrorCode::already_written:
      return 409;
    case ErrorCode::facet_building:
    case ErrorCode::unavailable:
      return 503;
    case ErrorCode::damaged:
      return 500;
  }
  return 0;
}

TEST(Problems, EveryErrorCodeIsOneOfThem) {
  std::set<std::string_view> slugs;
  for (auto code : codes) {
    auto slug = slug_of(code);
    EXPECT_TRUE(slugs.insert(slug).second) << slug;
    const Problem* kind = find_problem(slug);
    ASSERT_TRUE(kind) << slug;
    EXPECT_EQ(kind->status, status_of(code)) << slug;
    EXPECT_EQ(problem(Error{code, "why"}).status, status_of(code)) << slug;
  }
}

TEST(Problems, TheTableHoldsTheInterfacesKindsAndExplainsEach) {
  const std::map<std::string, unsigned> wanted = {{"invalid-parameter", 400},
                                                  {"invalid-cursor", 400},
                                                  {"cursor-mismatch", 400},
                                                  {"page-out-of-range", 404},
                                                  {"not-found", 404},
                                                  {"invalid-comment", 422},
                                                  {"unsupported-media-type", 415},
                                                  {"unsupported-encoding", 415},
                                                  {"precondition-failed", 412},
                                                  {"payload-too-large", 413},
                                                  {"unauthorized", 401},
                                                  {"forbidden", 403},
                                                  {"rate-limited", 429},
                                                  {"idempotency-conflict", 422},
                                                  {"already-written", 409},
                                                  {"method-not-allowed", 405},
                                                  {"backend-unavailable", 503},
                                                  {"facet-building", 503},
                                                  {"internal", 500}};
  std::map<std::string, unsigned> found;
  for (const auto& kind : problems()) {
    EXPECT_TRUE(found.emplace(kind.slug, kind.status).second) << kind.slug << " is there twice";
    EXPECT_FALSE(kind.title.empty()) << kind.slug;
    EXPECT_GT(kind.text.size(), 80u) << kind.slug;
  }
  EXPECT_EQ(found, wanted);
}

TEST(Problems, TheDescriptionOfTheInterfaceNamesEach) {
  auto description = json::parse(asset("openapi.json"));
  const auto& parameter = description.at("components").at("parameters").at("Slug");
  std::vector<std::string> named, known;
  for (const auto& each : parameter.at("schema").at("enum").as_array())
    named.emplace_back(each.as_string());
  for (const auto& kind : problems()) known.push_back(kind.slug);
  EXPECT_EQ(named, known);
}

TEST(Problems, AnUnknownKindIsABug) {
  EXPECT_EQ(find_problem("unknown"), nullptr);
  EXPECT_EQ(find_problem(""), nullptr);
  EXPECT_THROW(problem("unknown", "why"), std::logic_error);
}

TEST(Problem, NamesItsKindAndWhatToDo) {
  auto response = problem("invalid-parameter", "limit is \"a\" number.", "limit");
  EXPECT_EQ(response.status, 400u);
  EXPECT_EQ(response.type, "application/problem+json");
  EXPECT_EQ(response.caching, Caching::none);
  EXPECT_EQ(json::parse(response.body), (json::value{{"type", "/problems/invalid-parameter"},
                                                     {"title", "A parameter is not valid"},
                                                     {"status", 400},
                                                     {"detail", "limit is \"a\" number."},
                                                     {"parameter", "limit"}}));
}

TEST(Problem, WithoutAParameterOrFieldsHasNoSuchMembers) {
  auto body = json::parse(problem("not-found", "Gone.").body).as_object();
  EXPECT_FALSE(body.contains("parameter"));
  EXPECT_FALSE(body.contains("errors"));
}

TEST(Problem, OfACommentHasAMessageForEachField) {
  Error error{ErrorCode::invalid_comment, "No.", {}, {{"rating", "must be"}, {"title", "has"}}};
  auto body = json::parse(problem(error).body).as_object();
  EXPECT_EQ(body.at("errors"), (json::value{{"rating", "must be"}, {"title", "has"}}));
}

TEST(Problem, SaysWhenToTryAgainWhereThatHelps) {
  EXPECT_EQ(problem(Error{ErrorCode::unavailable, "full"}).headers, "Retry-After: 1\r\n");
  EXPECT_EQ(problem(Error{ErrorCode::damaged, "a comment is"}).headers, "") << "it stays damaged";
  EXPECT_EQ(problem(Error{ErrorCode::facet_building, "soon"}).headers, "Retry-After: 5\r\n");
  EXPECT_NE(too_many("Much.", 7).headers.find("Retry-After: 7\r\n"), std::string::npos);
  EXPECT_EQ(problem(Error{ErrorCode::not_found, "gone"}).headers, "");
}

TEST(OpenApi, HasTheVersionOfTheProgram) {
  auto description = json::parse(asset("openapi.json"));
  EXPECT_EQ(description.at("info").at("version").as_string(), QUIRE_VERSION);
}

}  // namespace
}  // namespace quire::http
