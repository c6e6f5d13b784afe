// The server: one loop a core, one acceptor, and a stop that lets requests in flight finish.
#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "http/server/connection.h"
#include "http/server/event_loop.h"

namespace quire::http {

struct ServerOptions {
  boost::asio::ip::tcp::endpoint listen;
  unsigned threads = 0;  // 0: one for each core this process may use
  std::size_t max_connections = 10'000;
  std::size_t max_connections_client = 0;      // 0: a tenth of them all, but at least 100
  std::size_t max_unsent = 256 * 1024 * 1024;  // bytes of answers that wait for their clients
  LogWriter* access_log = nullptr;             // must outlive the server; null: none
  std::vector<Network> trusted_proxies;
  Timeouts timeouts;
};

class Server {
 public:
  static constexpr std::chrono::seconds grace{10};

  // Binds and listens; connections wait until run(). Throws boost::system::system_error if it
  // cannot.
  Server(RequestHandler& handler, Metrics& metrics, ServerOptions options);

  // The address it listens on, with the port that was picked.
  boost::asio::ip::tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

  // Serves on threads of its own and this one until stop(). Returns when every connection has
  // ended.
  void run();
  // Refuses new connections, closes idle ones, lets requests in flight finish for at most `grace`.
  // Thread-safe, and safe to call again: the second time nobody is waited for.
  void stop();

 private:
  // A connection that was accepted, and the loop on which it is to live.
  struct Newcomer {
    Connection::Socket socket;
    Clients::Seat client;
    std::size_t loop;
  };

  Awaitable<void> accept();
  void admit(Newcomer newcomer);
  void make_room(Newcomer newcomer, std::size_t at);
  void start(Newcomer newcomer);
  void ended();

  RequestHandler& handler_;
  ServerOptions options_;
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
