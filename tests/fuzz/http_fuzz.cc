// Fuzzes the routes. Input: a line "METHOD TARGET", lines of headers, an empty line, the body.
#include <boost/json.hpp>

#include "model/validate.h"
#include "shop.h"

namespace quire::fuzz {
namespace {

using http::Response;

http::RoutedResponse answer(std::string_view input) {
  auto method = take_until(input, " ");
  auto target = take_until(input, "\n");
  boost::beast::http::fields headers;
  for (auto line = take_until(input, "\n"); !line.empty(); line = take_until(input, "\n")) {
    auto name = take_until(line, ": ");
    // The parser of the connection refuses these.
    bool plain = line.find_first_of(std::string_view("\r\0", 2)) == line.npos;
    if (!name.empty() && name.find_first_of(" :\r\t") == name.npos && plain)
      headers.insert(std::string(name), line);  // Beast's iequals() reads the byte behind a name
  }
  http::Request request{.method = boost::beast::http::string_to_verb(method),
                        .target = target,
                        .headers = &headers,
                        .client = boost::asio::ip::make_address("192.0.2.7"),
                        .id = "the-request-id",
                        .segments = {},
                        .parameters = {}};
  auto& application = shop().application;
  if (auto decided = application.check_header(request)) return std::move(*decided);
  if (request.max_body > 0) request.body = input;
  return wait(application.answer(request));
}

void check_headers(std::string_view headers) {
  while (!headers.empty()) {
    require(headers.find("\r\n") != headers.npos, "a header ends with CRLF");
    auto line = take_until(headers, "\r\n");
    require(line.find(": ") != line.npos, "a header has a name");
    require(characters(line, "").has_value(), "a header has no control characters");
  }
}

void check_body(const Response& response) {
  if (response.body.empty()) return;
  if (response.type.find("json") != response.type.npos) {
    boost::system::error_code no_json;
    boost::json::parse(response.body, no_json);
    require(!no_json, "an answer of JSON is JSON");
  } else if (response.type.starts_with("text/html") ||
             response.type.find("xml") != response.type.npos) {
    require(characters(response.body, "\n\t\r").has_value(), "a page is clean UTF-8");
    require(response.body.find("<zq") == response.body.npos, "a page escapes its values");
  }
  if (response.type.find("xml") != response.type.npos) {
    require(response.body.find("\xEF\xBF\xBE") == response.body.npos &&
                response.body.find("\xEF\xBF\xBF") == response.body.npos,
            "XML has no U+FFFE and no U+FFFF");
  }
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  auto [response, route] = answer(text_of(data, size));
  require(response.status >= 200 && response.status < 600, "a status is valid in HTTP");
  require(response.status != 500, "no request breaks a handler");
  require(route < quire::http::route_names().size(), "a route has a name");
  bool bare = response.status == 204 || response.status == 304;
  require(!bare || response.body.empty(), "an answer without a body has none");
  check_headers(response.headers);
  check_body(response);
  return 0;
}
