// A server for operators, on an address of its own.
#pragma once

#include <thread>

#include "cli/serving/serve_options.h"
#include "http/operations/metrics.h"
#include "http/server/server.h"

namespace quire::cli {

// Serves while it lives, on a thread of its own.
class OperationsServer {
 public:
  // `handler` and `metrics` must outlive it; `metrics` has the handler's routes. Throws
  // boost::system::system_error if it cannot listen there.
  OperationsServer(http::RequestHandler& handler, http::Metrics& metrics, const Endpoint& listen)
      : server_(handler, metrics, {.listen = listen, .threads = 1, .trusted_proxies = {}}),
        thread_([this] { server_.run(); }) {}
  ~OperationsServer() {
    server_.stop();
    thread_.join();
  }

  Endpoint endpoint() const { return server_.endpoint(); }

 private:
  http::Server server_;
  std::thread thread_;
};

}  // namespace quire::cli
