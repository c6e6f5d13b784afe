#include "lambda/runtime.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/clock.h"
#include "base/text.h"
#include "base/try.h"

namespace quire::lambda {
namespace {

constexpr std::string_view root = "/2018-06-01/runtime/invocation/";
constexpr std::chrono::seconds answer_patience{10};
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

Result<HttpOrigin> runtime_origin(std::string_view address) {
  auto colon = address.rfind(':');
  if (colon == address.npos || colon == 0 || colon + 1 == address.size()) {
    return Error{
        ErrorCode::invalid_parameter,
        "AWS_LAMBDA_RUNTIME_API names no HOST:PORT. quire lambda is started by AWS Lambda; "
        "elsewhere run quire project."};
  }
  return HttpOrigin{false, std::string(address.substr(0, colon)),
                    std::string(address.substr(colon + 1))};
}

// Tries once more: a kept connection may have closed while the process was frozen.
Awaitable<Result<HttpResponse>> Runtime::ask(HttpRequest request, Deadline deadline) {
  auto response = co_await client_.send(request, deadline);
  if (!response) response = co_await client_.send(std::move(request), deadline);
  if (!response) co_return broken(response.error().message);
  co_return response;
}

Awaitable<Result<HttpResponse>> Runtime::post(std::string path, std::string body) {
  HttpRequest request{.path = std::move(path), .body = std::move(body)};
  request.headers = {{"content-type", "application/json"}};
  return ask(std::move(request), std::chrono::steady_clock::now() + answer_patience);
}

Awaitable<Result<Invocation>> Runtime::next() {
  HttpRequest request{.method = "GET", .path = std::string(root) + "next"};
  CO_TRY(auto event, co_await ask(std::move(request), Deadline::max()));
  std::string id(event.header("Lambda-Runtime-Aws-Request-Id"));
  if (event.status != 200 || id.empty()) co_return broken("status " + std::to_string(event.status));
  auto deadline = until(event.header("Lambda-Runtime-Deadline-Ms"));
  co_return Invocation{std::move(id), std::move(event.body), deadline};
}

Awaitable<Status> Runtime::respond(std::string id, std::string body) {
  CO_TRY(auto taken, co_await post(std::string(root) + id + "/response", std::move(body)));
  if (taken.status / 100 != 2) co_return broken("status " + std::to_string(taken.status));
  co_return Done{};
}

Awaitable<Status> Runtime::fail(std::string id, std::string message) {
  boost::json::object error{{"errorMessage", message}, {"errorType", "Quire.Unavailable"}};
  CO_TRY_DONE(co_await post(std::string(root) + id + "/error", boost::json::serialize(error)));
  co_return Done{};
}

}  // namespace quire::lambda
