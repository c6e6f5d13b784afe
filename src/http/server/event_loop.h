// One thread of the server: its io_context, its connections, and the state that these share without
// locks.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <list>
#include <random>
#include <string>
#include <string_view>

#include "http/operations/metrics.h"
#include "http/server/access_log.h"

namespace quire::http {

using Time = std::chrono::steady_clock::time_point;

class Connection;

// Only the loop's own thread may use it; `context` is thread-safe.
class EventLoop {
 public:
  EventLoop(Metrics& metrics, LogWriter* access_log);

  // Begins to tick: every quarter second the loop closes connections past their deadline and
  // flushes the log. A timer for each connection would cost more than a request.
  void start();
  // Closes idle connections now, and busy ones after their response.
  void stop();
  void abandon();  // closes all connections now
  // Closes the connection whose client has been silent longest. False: no connection waits for its
  // client.
  bool close_silent();
  // Counts bytes that are no request. Logs the first in each tick, and the number of the others.
  void count_malformed(const boost::asio::ip::address& client, std::string_view why);

  std::string_view date() const { return date_; }  // for the Date header
  void make_request_id(std::string& id);           // a random one, in place of what is there

  boost::asio::io_context context{1};
  // All connections: those that wait for their client, longest silent first, and all others.
  std::list<Connection*> waiting, busy;
  bool stopping = false;
  std::string spare;  // the last response's body, emptied: the next response reuses its memory
  AccessLog log;

 private:
  void tick();
  void close_late();

  Metrics& metrics_;
  boost::asio::steady_timer timer_;
  std::string date_;
  std::mt19937_64 random_;
  bool logged_malformed_ = false;  // in this tick
  std::uint64_t unlogged_malformed_ = 0;
};

}  // namespace quire::http
