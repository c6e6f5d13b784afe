// One thread of the server: an io_context, the connections that live on it, and what they share
// without locks.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <random>
#include <string>
#include <unordered_set>

#include "http/access_log.h"
#include "http/metrics.h"

namespace quire::http {

using Time = std::chrono::steady_clock::time_point;

class Connection;

// Everything but `context` is used on the loop's own thread alone.
class Loop {
 public:
  Loop(Metrics& metrics, LogWriter* access_log);

  // Begins to tick: every quarter second it cuts off connections past their deadline and flushes
  // the log. A timer for each connection would cost more than the request.
  void start();
  // Idle connections close now, busy ones after their answer.
  void stop();
  void abandon();  // closes all

  std::string_view date() const { return date_; }  // for the Date header
  std::string request_id();

  boost::asio::io_context context{1};
  std::unordered_set<Connection*> connections;
  bool stopping = false;
  std::string spare;  // the last answer's body: its room is taken again rather than freed and asked
                      // for anew
  AccessLog log;

 private:
  void tick();

  Metrics& metrics_;
  boost::asio::steady_timer timer_;
  std::string date_;
  std::mt19937_64 random_;
};

}  // namespace quire::http
