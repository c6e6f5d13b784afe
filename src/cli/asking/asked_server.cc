#include "cli/asking/asked_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "base/files.h"
#include "base/try.h"
#include "http/site.h"

namespace quire::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t max_token_bytes = 4096;

Result<std::string> token_in(const std::string& file) {
  auto text = read_whole("the token's file", file, max_token_bytes);
  if (!text) return text;
  auto end = text->find_last_not_of(" \r\n") + 1;
  text->resize(end);
  bool plain = std::all_of(text->begin(), text->end(), [](char c) { return c > ' ' && c < 0x7f; });
  if (plain && end > 0) return text;
  return Error{ErrorCode::invalid_parameter,
               "The file " + file +
                   " is no token. Write the line into it that quire token new prints, and nothing "
                   "else."};
}

}  // namespace

Result<std::unique_ptr<AskedServer>> AskedServer::at(const std::string& url,
                                                     const std::string& token_file) {
  const http::Site site{url, {}};
  auto origin = parse_origin(url.substr(0, url.size() - site.path().size()));
  if (!origin || !http::check_public_url(url).empty())
    return Error{ErrorCode::invalid_parameter,
                 "--server takes the server's public URL: http:// or https://, a host, and a port "
                 "and a path if need be, such as https://shop.example/reviews."};
  TRY(auto token, token_file.empty() ? Result<std::string>(std::string()) : token_in(token_file));
  return std::unique_ptr<AskedServer>(
      new AskedServer(std::move(*origin), std::string(site.path()), std::move(token)));
}

AskedServer::AskedServer(HttpOrigin origin, std::string path, std::string token)
    : origin_(std::move(origin)),
      path_(std::move(path)),
      token_(std::move(token)),
      client_(loop_.context(), origin_) {}

HttpRequest AskedServer::with_token(HttpRequest request) const {
  request.path.insert(0, path_);
  if (!token_.empty()) request.headers.emplace_back("authorization", "Bearer " + token_);
  return request;
}

Result<HttpResponse> AskedServer::answer(Result<HttpResponse> response) const {
  if (!response) return fault("does not answer: " + response.error().message);
  return response;
}

Result<HttpResponse> AskedServer::ask(HttpRequest request, std::chrono::seconds patience) {
  auto deadline = std::chrono::steady_clock::now() + patience;
  return answer(wait(loop_.run(client_.send(with_token(std::move(request)), deadline))));
}

std::vector<Result<HttpResponse>> AskedServer::ask_all(std::vector<HttpRequest> requests,
                                                       std::chrono::seconds patience) {
  auto deadline = std::chrono::steady_clock::now() + patience;
  std::vector<Awaitable<Result<HttpResponse>>> works;
  for (auto& request : requests)
    works.push_back(client_.send(with_token(std::move(request)), deadline));
  auto responses = wait(loop_.run(all(std::move(works))));
  for (auto& response : responses) response = answer(std::move(response));
  return responses;
}

Error AskedServer::fault(const std::string& why) const {
  return {ErrorCode::unavailable,
          fmt::format("The server {} {}. Look whether it runs, and whether --server is its "
                      "address.",
                      origin_.authority(), why)};
}

std::optional<std::string> detail_of(std::string_view body) {
  boost::system::error_code wrong;
  auto value = json::parse(body, wrong);
  const auto* detail =
      !wrong && value.is_object() ? value.get_object().if_contains("detail") : nullptr;
  if (!detail || !detail->is_string()) return {};
  return std::string(detail->get_string());
}

}  // namespace quire::cli
