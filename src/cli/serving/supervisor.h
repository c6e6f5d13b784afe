// Obeys signals beside a server, and returns memory that the server no longer needs.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <thread>

#include "cli/serving/serve_options.h"
#include "http/operations/metrics.h"
#include "http/server/server.h"

namespace quire::cli {

// A service manager may ask for a reload before there is a server that could. Until a Supervisor is
// there, SIGHUP then does nothing, unless a terminal is closed.
void ignore_early_hangups();

// Runs on a thread of its own while it lives. At SIGTERM the server drains for a while and stops;
// at SIGINT, or at a second signal, it stops at once, and a further one ends the wait for requests
// in flight. At SIGHUP it reloads, but stops the server if the reason is that the process's
// terminal was closed. Returns memory that malloc keeps after a load to the system.
class Supervisor {
 public:
  // Calls `reload` on its own thread. Both must outlive this. `drain`: how long; 0: not at all.
  Supervisor(http::Server& server, std::chrono::seconds drain, std::function<void()> reload);
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

 private:
  void wait_for_stop();
  void stop_by(int signal);
  void wait_for_hangup();
  void trim_memory();

  boost::asio::io_context context_;
  boost::asio::signal_set stops_, hangups_;
  boost::asio::steady_timer timer_, drain_end_;
  http::Server& server_;
  std::chrono::seconds drain_;  // 0: there is none, or it has begun
  bool draining_ = false;
  std::function<void()> reload_;
  const std::array<bool, 3> terminals_;  // which standard descriptors were terminals at the start
  std::thread thread_;
};

// A server for operators, on an address of its own. Serves while it lives, on a thread of its own.
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
