// The description of the interface: web/openapi.json with what follows from routes and problems.
#include "http/application/description.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cctype>
#include <functional>
#include <set>
#include <string>

#include "http/application/routes.h"
#include "http/problem.h"

namespace quire::http {
namespace {

namespace json = boost::json;

class DescriptionTest : public testing::Test {
 protected:
  const json::value described_ = json::parse(description());

  // The response itself, where it is a reference.
  const json::object& resolve(const json::object& response) {
    auto* reference = response.if_contains("$ref");
    if (!reference) return response;
    std::string place(reference->as_string());
    return described_.at_pointer(place.substr(1)).as_object();
  }

  // Calls with each operation's name and each of its responses.
  void each_response(const std::function<void(const std::string& operation, std::string_view status,
                                              const json::object& response)>& call) {
    for (const auto& [path, item] : described_.at("paths").as_object())
      for (const auto& [method, operation] : item.as_object())
        for (const auto& [status, response] : operation.at("responses").as_object())
          call(std::string(method) + " " + std::string(path), status,
               resolve(response.as_object()));
  }
};

// The pages of moderators, forms of pages and files that pages name are no interface.
TEST_F(DescriptionTest, HasTheRoutesOfTheInterfaceAndNoOthers) {
  std::set<std::string> known, described;
  for (const auto& route : routes()) {
    std::string pattern(route.pattern);
    if (pattern.starts_with("/moderation") || pattern.starts_with("/static/") ||
        pattern.starts_with("/demo/") || pattern == "/comments/{id}/vote")
      continue;
    std::string method(boost::beast::http::to_string(route.method));
    std::transform(method.begin(), method.end(), method.begin(), ::tolower);
    known.insert(method + " " + pattern);
    if (route.method == Verb::get) known.insert("head " + pattern);
  }
  for (const auto& [path, item] : described_.at("paths").as_object())
    for (const auto& [method, operation] : item.as_object())
      described.insert(std::string(method) + " " + std::string(path));
  EXPECT_EQ(described, known);
}

TEST_F(DescriptionTest, GivesEachProblemWithItsStatus) {
  std::set<std::string> given{"method-not-allowed"};  // of any path, with a method it has not
  each_response([&](const std::string& operation, std::string_view status, const auto& response) {
    auto* content = response.if_contains("content");
    auto* problems =
        content ? content->as_object().if_contains("application/problem+json") : nullptr;
    if (!problems || !problems->as_object().contains("examples")) return;
    for (const auto& [slug, example] : problems->at("examples").as_object()) {
      given.insert(std::string(slug));
      EXPECT_EQ(std::to_string(find_problem(slug)->status), status) << operation << ' ' << slug;
      EXPECT_EQ(example.at("value").at("status"), find_problem(slug)->status) << slug;
    }
  });
  std::set<std::string> known;
  for (const auto& kind : problems()) known.insert(kind.slug);
  EXPECT_EQ(given, known);
}

TEST_F(DescriptionTest, OfHeadIsThatOfGetWithoutBodies) {
  for (const auto& [path, item] : described_.at("paths").as_object()) {
    auto* get = item.as_object().if_contains("get");
    if (!get) continue;
    const auto& head = item.at("head");
    EXPECT_EQ(head.at("parameters"), get->at("parameters")) << path;
    const auto& responses = get->at("responses").as_object();
    EXPECT_EQ(head.at("responses").as_object().size(), responses.size()) << path;
    for (const auto& [status, response] : head.at("responses").as_object()) {
      const auto& without = resolve(response.as_object());
      const auto& whole = resolve(responses.at(status).as_object());
      EXPECT_FALSE(without.contains("content")) << path << ' ' << status;
      EXPECT_EQ(without.at("description"), whole.at("description")) << path << ' ' << status;
    }
  }
}

TEST_F(DescriptionTest, OfAWebPageHasItsProblemsAsPages) {
  auto types = [&](std::string_view path, std::string_view status) {
    std::set<std::string> out;
    const auto& response = described_.at("paths").at(path).at("get").at("responses").at(status);
    for (const auto& [type, content] : resolve(response.as_object()).at("content").as_object())
      out.insert(type);
    return out;
  };
  const std::set<std::string> both = {"application/problem+json", "text/html"},
                              json = {*both.begin()};
  EXPECT_EQ(types("/products/{product}", "503"), both);
  EXPECT_EQ(types("/sitemap.xml", "404"), both) << "a browser gets a page";
  EXPECT_EQ(types("/sitemap.xml", "503"), json);
  EXPECT_EQ(types("/v1/comments/{id}", "404"), json);
}

TEST_F(DescriptionTest, OfASchemaHasWhatItExtends) {
  const auto& schemas = described_.at("components").at("schemas");
  const auto& queued = schemas.at("QueuedComment");
  for (auto base : {"Comment", "ModeratedComment"}) {
    for (const auto& [name, property] : schemas.at(base).at("properties").as_object())
      EXPECT_EQ(queued.at("properties").at(name), property) << name;
    for (const auto& name : schemas.at(base).at("required").as_array())
      EXPECT_NE(std::find(queued.at("required").as_array().begin(),
                          queued.at("required").as_array().end(), name),
                queued.at("required").as_array().end())
          << name;
  }
}

TEST_F(DescriptionTest, HasTheVersionOfTheProgram) {
  EXPECT_EQ(described_.at("info").at("version").as_string(), QUIRE_VERSION);
}

TEST_F(DescriptionTest, HasOnlyMembersOfOpenApi) {
  EXPECT_EQ(description().find("\"x-"), std::string_view::npos);
}

}  // namespace
}  // namespace quire::http
