// Speaks AWS Lambda's runtime API: asks for the next event, and answers it.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <string>
#include <string_view>

#include "client/http_client.h"
#include "loop/awaitable.h"
#include "quire/result.h"

namespace quire::lambda {

struct Invocation {
  std::string id;
  std::string event;  // JSON
  // Three quarters of the time until the service ends the process. The rest is for work under way.
  std::chrono::steady_clock::time_point until;
};

// Where the runtime API is. `address`: "127.0.0.1:9001", as AWS_LAMBDA_RUNTIME_API has it.
Result<HttpOrigin> runtime_origin(std::string_view address);

// Used on one loop; not thread-safe. A function that returns an error was tried twice.
class Runtime {
 public:
  Runtime(boost::asio::io_context& context, HttpOrigin origin)
      : client_(context, std::move(origin), max_event_bytes) {}

  // Waits for an event without end. The service freezes the process meanwhile.
  Awaitable<Result<Invocation>> next();
  Awaitable<Status> respond(std::string id, std::string body);
  Awaitable<Status> fail(std::string id, std::string message);

 private:
  static constexpr std::size_t max_event_bytes = 8 << 20;  // the service sends 6 MB at most

  Awaitable<Result<HttpResponse>> ask(HttpRequest request, Deadline deadline);
  Awaitable<Result<HttpResponse>> post(std::string path, std::string body);

  HttpClient client_;
};

}  // namespace quire::lambda
