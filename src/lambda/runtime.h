// The client of AWS Lambda's runtime API: asks for the next event, and answers it.
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/fields.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "loop/awaitable.h"
#include "quire/result.h"

namespace quire::lambda {

struct Invocation {
  std::string id;
  std::string event;  // JSON
  // Three quarters of the time until the service ends the process. The rest is for work under way.
  std::chrono::steady_clock::time_point until;
};

// Keeps one connection, and makes it anew when it breaks. Lives on one loop.
class Runtime {
 public:
  // "127.0.0.1:9001", as AWS_LAMBDA_RUNTIME_API has it.
  static Result<Runtime> at(std::string_view address);

  // Waits for an event without end. The service freezes the process meanwhile.
  Awaitable<Result<Invocation>> next();
  Awaitable<Status> respond(std::string id, std::string body);
  Awaitable<Status> fail(std::string id, std::string message);

 private:
  struct Reply {
    unsigned status;
    std::string id, until;
    std::string body;
  };

  Runtime(std::string host, std::string port) : host_(std::move(host)), port_(std::move(port)) {}
  Awaitable<Reply> ask(bool post, std::string path, std::string body, bool patient);
  Awaitable<Result<Reply>> try_ask(bool post, std::string path, std::string body, bool patient);
  Awaitable<void> connect();

  std::string host_, port_;
  std::optional<boost::beast::tcp_stream> stream_;
  boost::beast::flat_buffer buffer_;
};

}  // namespace quire::lambda
