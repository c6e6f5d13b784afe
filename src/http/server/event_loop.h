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

#include "base/log.h"
#include "http/operations/metrics.h"
#include "loop/turns.h"

namespace quire::http {

// The access log: one line per request, passed to the writer in blocks.
struct AccessLine {
  std::string_view client, method, target, id;
  unsigned status;
  std::size_t bytes;
  std::chrono::nanoseconds took;
  std::string_view token;  // the label of the writer's token, or -
};

// Each thread has its own. A block is passed on when it is full, and by flush().
class AccessLog {
 public:
  // Null: no log.
  explicit AccessLog(LogWriter* log) : log_(log) {}
  ~AccessLog() { flush(); }

  void add(const AccessLine& line, std::string_view time);
  void flush();

 private:
  static constexpr std::size_t block = 32 * 1024;

  LogWriter* log_;
  std::string lines_;
};

using Time = std::chrono::steady_clock::time_point;

class Connection;

// Only the loop's own thread may use it; `context` is thread-safe.
class EventLoop {
 public:
  EventLoop(Metrics& metrics, LogWriter* access_log);

  // Now and every quarter second from now on, closes connections past their deadline and flushes
  // the log. A timer for each connection would cost more than a request. Called once.
  void tick();
  // Closes idle connections now, and busy ones after their response.
  void stop();
  void abandon();  // closes all connections now
  // Closes the connection whose client has been silent longest. False: no connection waits for its
  // client.
  bool close_silent();
  // Counts bytes that are no request. Logs the first in each tick, and the number of the others.
  void count_malformed(const boost::asio::ip::address& client, std::string_view why);

  std::string_view date() const { return date_; }  // for the Date header
  // Puts the one that was sent in place of what is there; where that is not safe, a random one.
  void make_request_id(std::string& id, std::string_view sent = {});

  boost::asio::io_context context{1};
  // All connections: those that wait for their client, longest silent first, and all others.
  std::list<Connection*> waiting, busy;
  bool draining = false;  // each response ends its connection
  bool stopping = false;
  std::string spare;  // the last response's body, emptied: the next response reuses its memory
  AccessLog log;
  Turns turns{context};

 private:
  void close_late();

  Metrics& metrics_;
  boost::asio::steady_timer timer_;
  std::string date_;
  std::mt19937_64 random_;
  bool logged_malformed_ = false;  // in this tick
  std::uint64_t unlogged_malformed_ = 0;
};

}  // namespace quire::http
