// Problem details: the table of kinds, and the JSON of an error.
#include "http/problem.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>
#include <stdexcept>
#include <string>

namespace quire::http {
namespace {

namespace json = boost::json;

TEST(Problems, EveryErrorCodeIsOneOfThem) {
  std::set<std::string_view> slugs;
  for (int number = 0; number <= static_cast<int>(ErrorCode::damaged); ++number) {
    auto code = static_cast<ErrorCode>(number);
    auto slug = slug_of(code);
    EXPECT_TRUE(slugs.insert(slug).second) << slug;
    const Problem* kind = find_problem(slug);
    ASSERT_TRUE(kind) << slug;
    EXPECT_EQ(problem(Error{code, "why"}).status, kind->status) << slug;
  }
}

TEST(Problems, TheTableExplainsEach) {
  std::set<std::string> slugs;
  for (const auto& kind : problems()) {
    EXPECT_TRUE(slugs.insert(kind.slug).second) << kind.slug << " is there twice";
    EXPECT_FALSE(kind.title.empty()) << kind.slug;
    EXPECT_GT(kind.text.size(), 80u) << kind.slug;
  }
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
  EXPECT_EQ(unavailable("Later.", 60).headers, "Retry-After: 60\r\n");
  EXPECT_EQ(problem(Error{ErrorCode::not_found, "gone"}).headers, "");
}

}  // namespace
}  // namespace quire::http
