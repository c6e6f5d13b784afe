// The server: connections, limits and the access log. It has one acceptor and one event loop per
// core; its stop lets requests in flight finish.
#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <vector>

#include "http/server/connection.h"
#include "http/server/event_loop.h"

namespace quire::http {

struct ServerLimits {
  std::size_t connections = 10'000;
  std::size_t connections_client = 0;      // 0: a tenth of `connections`, but at least 100
  std::size_t unsent = 256 * 1024 * 1024;  // bytes of responses that wait for clients
};

struct ServerOptions {
  boost::asio::ip::tcp::endpoint listen;
  unsigned threads = 0;  // 0: one per core that this process may use
  ServerLimits limits = {};
  LogWriter* access_log = nullptr;  // must outlive the server; null: no log
  std::vector<Network> trusted_proxies;
  Timeouts timeouts;
};

class Server {
 public:
  static constexpr std::chrono::seconds grace{10};

  // Binds and listens; connections wait until run(). Throws boost::system::system_error if the
  // address cannot be used.
  Server(RequestHandler& handler, Metrics& metrics, ServerOptions options);

  // The address that it listens on. If port 0 was asked for, this has the port that the system
  // picked.
  boost::asio::ip::tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

  // Thread-safe. Connections over a new limit stay until they end.
  void set(const ServerLimits& limits);

  // Serves on this thread and further ones until stop(). Returns when every connection has ended.
  void run();
  // From now on /readyz says no, and each response ends its connection. Requests are answered, and
  // connections accepted: a load balancer sends some until it has asked /readyz. Thread-safe.
  void drain();
  // Refuses new connections, closes idle ones, and gives requests in flight at most `grace` to
  // finish. Thread-safe. A second call ends the wait for requests in flight.
  void stop();

 private:
  // An accepted connection, and the loop that is to serve it.
  struct Newcomer {
    Connection::Socket socket;
    Clients::Seat client;
    std::size_t loop;
  };

  Awaitable<void> accept();
  void admit(Newcomer newcomer);
  void make_room(Newcomer newcomer, std::size_t at);
  void start(Newcomer newcomer);
  void count_ended();

  RequestHandler& handler_;
  const ServerOptions options_;
  std::atomic<std::size_t> max_connections_;
  Shared shared_;
  Clients clients_;
  std::vector<std::unique_ptr<EventLoop>> loops_;
  boost::asio::ip::tcp::acceptor acceptor_;  // on the first loop
  boost::asio::steady_timer grace_;          // on the first loop
  std::size_t next_ = 0;
  std::atomic<std::size_t> open_ = 0;
  std::atomic<bool> stopped_ = false;
};

}  // namespace quire::http
