#include "lambda/runtime.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http.hpp>
#include <boost/json.hpp>

#include "base/clock.h"
#include "base/text.h"

namespace quire::lambda {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

constexpr std::string_view root = "/2018-06-01/runtime/invocation/";
constexpr std::size_t max_bytes = 8 << 20;  // an event has 6 MB at most
constexpr std::chrono::seconds poll_timeout{10};
constexpr std::uint64_t max_run_ms = 15 * 60'000;  // of a function

Error broken(std::string_view why) {
  return {ErrorCode::unavailable, "The Lambda runtime API does not answer: " + std::string(why)};
}

// `text`: the API's deadline in ms since 1970. Without a deadline there is no end.
std::chrono::steady_clock::time_point until(std::string_view text) {
  auto ms = parse_integer<std::uint64_t>(text);
  if (!ms) return std::chrono::steady_clock::time_point::max();
  auto left_ms = std::min(*ms - std::min(*ms, system_ms()), max_run_ms);
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(left_ms / 4 * 3);
}

}  // namespace

Result<Runtime> Runtime::at(std::string_view address) {
  auto colon = address.rfind(':');
  if (colon == address.npos || colon == 0 || colon + 1 == address.size()) {
    return Error{
        ErrorCode::invalid_parameter,
        "AWS_LAMBDA_RUNTIME_API names no HOST:PORT. quire lambda is started by AWS Lambda; "
        "elsewhere run quire project."};
  }
  return Runtime(std::string(address.substr(0, colon)), std::string(address.substr(colon + 1)));
}

Awaitable<void> Runtime::connect() {
  auto executor = co_await asio::this_coro::executor;
  asio::ip::tcp::resolver resolver(executor);
  auto found = co_await resolver.async_resolve(host_, port_, asio::use_awaitable);
  stream_.emplace(executor);
  stream_->expires_after(poll_timeout);
  co_await stream_->async_connect(found, asio::use_awaitable);
  buffer_.clear();
}

Awaitable<Runtime::Reply> Runtime::ask(bool post, std::string path, std::string body,
                                       bool patient) {
  if (!stream_) co_await connect();
  http::request<http::string_body> request(post ? http::verb::post : http::verb::get, path, 11);
  request.set(http::field::host, host_ + ":" + port_);
  if (post) request.set(http::field::content_type, "application/json");
  request.body() = std::move(body);
  request.prepare_payload();
  if (patient)
    stream_->expires_never();
  else
    stream_->expires_after(poll_timeout);
  co_await http::async_write(*stream_, request, asio::use_awaitable);
  http::response_parser<http::string_body> parser;
  parser.body_limit(max_bytes);
  co_await http::async_read(*stream_, buffer_, parser, asio::use_awaitable);
  auto response = parser.release();
  if (!response.keep_alive()) stream_.reset();
  auto id = response["Lambda-Runtime-Aws-Request-Id"];
  auto until = response["Lambda-Runtime-Deadline-Ms"];
  co_return Reply{response.result_int(), std::string(id.data(), id.size()),
                  std::string(until.data(), until.size()), std::move(response.body())};
}

// Tries once more over a new connection: a kept one may have closed while the process was frozen.
Awaitable<Result<Runtime::Reply>> Runtime::try_ask(bool post, std::string path, std::string body,
                                                   bool patient) {
  std::string why;
  for (int attempt = 0; attempt < 2; ++attempt) {
    bool fresh = !stream_;
    try {
      co_return co_await ask(post, path, body, patient);
    } catch (const boost::system::system_error& failed) {
      why = failed.code().message();
    }
    stream_.reset();
    if (fresh) break;
  }
  co_return broken(why);
}

Awaitable<Result<Invocation>> Runtime::next() {
  auto reply = co_await try_ask(false, std::string(root) + "next", {}, true);
  if (!reply) co_return reply.error();
  if (reply->status != 200 || reply->id.empty())
    co_return broken("status " + std::to_string(reply->status));
  co_return Invocation{std::move(reply->id), std::move(reply->body), until(reply->until)};
}

Awaitable<Status> Runtime::respond(std::string id, std::string body) {
  auto reply = co_await try_ask(true, std::string(root) + id + "/response", std::move(body), false);
  if (!reply) co_return reply.error();
  if (reply->status / 100 != 2) co_return broken("status " + std::to_string(reply->status));
  co_return Done{};
}

Awaitable<Status> Runtime::fail(std::string id, std::string message) {
  boost::json::object error{{"errorMessage", message}, {"errorType", "Quire.Unavailable"}};
  std::string body = boost::json::serialize(error);
  auto reply = co_await try_ask(true, std::string(root) + id + "/error", std::move(body), false);
  if (!reply) co_return reply.error();
  co_return Done{};
}

}  // namespace quire::lambda
