#include "http/problem.h"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <stdexcept>

#include "base/text.h"
#include "http/assets.h"
#include "model/validate.h"

namespace quire::http {

namespace {

namespace json = boost::json;

constexpr std::string_view facet_building = "facet-building";

std::vector<Problem> read_problems() {
  std::vector<Problem> out;
  const json::value table = json::parse(asset("problems.json"));
  for (const auto& row : table.as_array()) {
    const auto& fields = row.as_object();
    auto text = [&](std::string_view name) { return std::string(fields.at(name).as_string()); };
    out.push_back({text("slug"), text("title"),
                   static_cast<unsigned>(fields.at("status").as_int64()), text("text")});
  }
  return out;
}

}  // namespace

const std::vector<Problem>& problems() {
  static const std::vector<Problem> read = read_problems();
  return read;
}

const Problem* find_problem(std::string_view slug) {
  for (const auto& problem : problems()) {
    if (problem.slug == slug) return &problem;
  }
  return nullptr;
}

Response problem(std::string_view slug, std::string_view detail, std::string_view parameter,
                 const std::vector<FieldError>& fields, std::string_view comment) {
  const Problem* kind = find_problem(slug);
  if (!kind) throw std::logic_error("no problem is named " + std::string(slug));
  json::object body{{"type", "/problems/" + kind->slug},  // first, for put_below()
                    {"title", kind->title},
                    {"status", kind->status},
                    {"detail", detail}};
  // The name comes from the client, so it may contain any bytes.
  if (!parameter.empty()) {
    body["parameter"] =
        characters(parameter, "") ? std::string(parameter) : percent_encode(parameter);
  }
  if (!fields.empty()) {
    auto& errors = body["errors"].emplace_object();
    for (const auto& field : fields) errors[field.field] = field.message;
  }
  if (!comment.empty()) body["comment"] = comment;
  Response response{
      .status = kind->status, .type = "application/problem+json", .body = json::serialize(body)};
  if (response.status == 503) response.add("Retry-After", slug == facet_building ? "5" : "1");
  return response;
}

void put_below(std::string_view path, Response& response) {
  constexpr std::string_view begin = R"({"type":")";
  if (response.type == "application/problem+json" && response.body.starts_with(begin))
    response.body.insert(begin.size(), path);
}

std::string_view slug_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_parameter:
      return "invalid-parameter";
    case ErrorCode::invalid_cursor:
      return "invalid-cursor";
    case ErrorCode::cursor_mismatch:
      return "cursor-mismatch";
    case ErrorCode::page_out_of_range:
      return "page-out-of-range";
    case ErrorCode::not_found:
      return "not-found";
    case ErrorCode::invalid_comment:
      return "invalid-comment";
    case ErrorCode::idempotency_conflict:
      return "idempotency-conflict";
    case ErrorCode::precondition_failed:
      return "precondition-failed";
    case ErrorCode::forbidden:
      return "forbidden";
    case ErrorCode::already_written:
      return "already-written";
    case ErrorCode::facet_building:
      return facet_building;
    case ErrorCode::unavailable:
      return "backend-unavailable";
    case ErrorCode::damaged:
      break;
  }
  return "internal";
}

Response problem(const Error& error) {
  return problem(slug_of(error.code), error.message, error.parameter, error.fields, error.comment);
}

Response unavailable(std::string_view detail, std::uint64_t wait) {
  auto response = problem("backend-unavailable", detail);
  response.headers.clear();  // the wait of those that tell none
  response.add("Retry-After", std::to_string(wait));
  return response;
}

Response refusal(unsigned status, std::string_view slug, std::string_view detail) {
  Response response = problem(slug, detail);
  response.status = status;
  response.add("Cache-Control", "no-store");
  return response;
}

Response unauthorized(std::string_view detail) {
  auto response = problem("unauthorized", detail);
  response.add("WWW-Authenticate", "Bearer realm=\"quire\"");
  return response;
}

Response too_many(std::string_view what, std::uint64_t wait) {
  auto response = problem("rate-limited", fmt::format("{} Try again in {} s.", what, wait));
  response.add("Retry-After", std::to_string(wait));
  return response;
}

}  // namespace quire::http
