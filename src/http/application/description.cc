#include "http/application/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <string>

#include "http/application/routes.h"
#include "http/assets.h"
#include "http/parameters.h"
#include "http/problem.h"

namespace quire::http {
namespace {

namespace json = boost::json;

json::value reference(std::string_view kind, std::string_view name) {
  return {{"$ref", fmt::format("#/components/{}/{}", kind, name)}};
}

// The members of both; those of the second win.
json::object joined(json::object first, const json::object& second) {
  for (const auto& [name, value] : second) first[name] = value;
  return first;
}

void add_header(json::object& response, std::string_view name, std::string_view component) {
  auto& headers = response["headers"];
  if (!headers.is_object()) headers.emplace_object();
  headers.as_object()[name] = reference("headers", component);
}

// The headers that each response has.
void add_headers(json::object& response) {
  add_header(response, "X-Request-Id", "RequestId");
  add_header(response, "Cache-Control", "CacheControl");
  auto* content = response.if_contains("content");
  if (content && content->as_object().contains("text/html"))
    add_header(response, "Content-Security-Policy", "ContentSecurityPolicy");
}

// The content of a response that is one of these problems.
json::object problem_content(const json::array& slugs) {
  static const auto table = json::parse(asset("problems.json"));
  json::array types;
  json::object examples;
  for (const auto& row : table.as_array()) {
    const auto& slug = row.at("slug").as_string();
    if (std::find(slugs.begin(), slugs.end(), slug) == slugs.end()) continue;
    types.push_back(json::string("/problems/" + std::string(slug)));
    json::object body{
        {"type", types.back()}, {"title", row.at("title")}, {"status", row.at("status")}};
    examples[slug] = {{"summary", row.at("title")},
                      {"value", joined(std::move(body), row.at("example").as_object())}};
  }
  json::value type{{"properties", {{"type", {{"enum", types}}}}}};
  json::value schema{{"allOf", json::array{reference("schemas", "Problem"), type}}};
  return {{"application/problem+json", {{"schema", schema}, {"examples", examples}}}};
}

// Also has the properties and the example of the other schema.
void extend(json::object& schema, const json::object& base) {
  for (auto name : {"properties", "example"})
    schema[name] = joined(base.at(name).as_object(), schema[name].as_object());
  auto required = base.at("required").as_array();
  for (const auto& name : schema.at("required").as_array()) required.push_back(name);
  schema["required"] = required;
  schema.erase("x-extends");
}

bool takes(const json::object& operation, std::string_view parameter) {
  const auto& all = operation.at("parameters").as_array();
  return std::find(all.begin(), all.end(), reference("parameters", parameter)) != all.end();
}

// The responses of a route by its kind, whatever it is about.
json::object usual_responses(const Route& route, const json::object& operation) {
  json::object out;
  auto add = [&](std::string_view status, std::string_view name) {
    out[status] = reference("responses", name);
  };
  if (takes(operation, "IfNoneMatch")) add("304", "NotModified");
  if (route.method == Verb::get && route.pattern.find("/products/{product}") != route.pattern.npos)
    add("308", "ProductMoved");
  add("400", "BadParameter");
  if (route.operations) add("404", "NotFound");  // another server may answer operators
  if (route.entrance.by != Entrance::By::anyone &&
      route.entrance.by != Entrance::By::header_or_none) {
    add("401", "Unauthorized");
    add("403", "Forbidden");
    add("429", "RateLimited");
  }
  if (route.takes_body()) add("415", "UnsupportedMediaType");
  if (route.takes_body() && !route.streams) {
    add("413", "TooLarge");
    add("422", "InvalidComment");
  }
  add("500", "Internal");
  add("503", "Unavailable");
  return out;
}

json::object without_content(json::object response) {
  response.erase("content");
  return response;
}

json::object also_as_page(json::object response) {
  response["content"].as_object()["text/html"] = {{"schema", {{"type", "string"}}}};
  add_headers(response);
  return response;
}

class Description {
 public:
  Description() : document_(json::parse(asset("openapi.json")).as_object()) {
    complete_schemas();
    complete_responses();
    name_problems();
    for (const auto& route : routes()) complete(route);
  }

  std::string text() const { return json::serialize(document_); }

 private:
  json::object& components(std::string_view kind) {
    return document_.at("components").as_object().at(kind).as_object();
  }

  void complete_schemas() {
    auto& schemas = components("schemas");
    for (auto& [name, schema] : schemas) {
      auto* base = schema.as_object().if_contains("x-extends");
      if (base) extend(schema.as_object(), schemas.at(base->as_string()).as_object());
    }
  }

  void complete_responses() {
    for (auto& [name, value] : components("responses")) {
      auto& response = value.as_object();
      if (auto* slugs = response.if_contains("x-problems"))
        response["content"] = problem_content(slugs->as_array());
      response.erase("x-problems");
      add_headers(response);
    }
  }

  void name_problems() {
    auto& slugs = components("parameters").at("Slug").at("schema").as_object()["enum"];
    auto& all = slugs.emplace_array();
    for (const auto& kind : problems()) all.emplace_back(kind.slug);
  }

  void complete(const Route& route);
  void add_parameters(std::string_view pattern, json::object& operation);
  json::object head_of(json::object operation);

  // In place of a reference to a response, one to a variant of that response, which is put beside
  // it.
  void vary(json::object& response, std::string_view name_end,
            json::object (*variant)(json::object)) {
    std::string name(response.at("$ref").as_string());
    name.erase(0, name.rfind('/') + 1);
    auto& all = components("responses");
    auto whole = all.at(name).as_object();
    if (!whole.contains("content")) return;
    name += name_end;
    all[name] = variant(std::move(whole));
    response = reference("responses", name).as_object();
  }

  json::object document_;
};

void Description::add_parameters(std::string_view pattern, json::object& operation) {
  json::array all;
  for (const auto& [name, parameter] : components("parameters")) {
    auto capture = fmt::format("{{{}}}", std::string_view(parameter.at("name").as_string()));
    if (parameter.at("in") == "path" && pattern.find(capture) != pattern.npos)
      all.push_back(reference("parameters", name));
  }
  if (auto* own = operation.if_contains("parameters"))
    for (auto& parameter : own->as_array()) all.push_back(parameter);
  all.push_back(reference("parameters", "RequestId"));
  operation["parameters"] = all;
}

// HEAD is GET without a body.
json::object Description::head_of(json::object operation) {
  std::string id(operation.at("operationId").as_string());
  id.front() = static_cast<char>(id.front() - 'a' + 'A');
  operation["operationId"] = "head" + id;
  operation["summary"] = std::string(operation.at("summary").as_string()) + " (headers only)";
  operation["description"] = "Answers with the status and headers of GET, without a body.";
  for (auto& [status, value] : operation.at("responses").as_object()) {
    auto& response = value.as_object();
    if (response.contains("$ref"))
      vary(response, "Head", without_content);
    else
      response.erase("content");
  }
  return operation;
}

// A route that the file does not have is none for programs.
void Description::complete(const Route& route) {
  std::string method(boost::beast::http::to_string(route.method));
  std::transform(method.begin(), method.end(), method.begin(), ::tolower);
  auto* path = document_.at("paths").as_object().if_contains(route.pattern);
  auto* found = path ? path->as_object().if_contains(method) : nullptr;
  if (!found) return;
  auto& operation = found->as_object();
  bool reads = route.method == Verb::get;
  add_parameters(route.pattern, operation);
  auto& responses = operation.at("responses").as_object();
  responses = joined(usual_responses(route, operation), responses);
  for (auto& [status, value] : responses) {
    auto& response = value.as_object();
    if (response.contains("$ref")) continue;
    add_headers(response);
    if (!reads || status != "200") continue;
    add_header(response, "Vary", "Vary");
    add_header(response, "Content-Encoding", "ContentEncoding");
    if (takes(operation, "IfNoneMatch")) add_header(response, "ETag", "ETag");
  }
  json::object head;
  if (reads) head = head_of(operation);
  for (auto& [status, value] : responses) {
    auto& response = value.as_object();
    // As Application::show_problem() does.
    bool page = route.html || (status == "404" && !route.pattern.starts_with("/v1/"));
    if (page && response.contains("$ref")) vary(response, "Page", also_as_page);
  }
  if (reads) path->as_object()["head"] = head;
}

}  // namespace

std::string_view description() {
  static const std::string made = Description().text();
  return made;
}

Awaitable<Response> openapi(const Request& request) {
  if (auto allowed = allow_only(request, {}); !allowed) co_return problem(allowed.error());
  Response response{.shared = description(), .caching = Caching::revalidate};
  if (request.path.empty()) co_return response;
  constexpr std::string_view server = R"("url":"/")";
  response.body = response.shared;
  response.shared = {};
  response.body.replace(response.body.find(server) + server.size() - 2, 1, request.path);
  co_return response;
}

}  // namespace quire::http
