// One thread of the server: an io_context, the connections that live on it, and what they share
// without locks.
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

// Everything but `context` is used on the loop's own thread alone.
class EventLoop {
 public:
  EventLoop(Metrics& metrics, LogWriter* access_log);

  // Begins to tick: every quarter second it cuts off connections past their deadline and flushes
  // the log. A timer for each connection would cost more than the request.
  void start();
  // Idle connections close now, busy ones after their answer.
  void stop();
  void abandon();  // closes all
  // Closes the connection whose client has been silent longest. False: none waits for its client.
  bool close_silent();
  // Counts bytes that are no request, and logs them: one a tick, and the number of others.
  void note_malformed(const boost::asio::ip::address& client, std::string_view why);

  std::string_view date() const { return date_; }  // for the Date header
  std::string request_id();

  boost::asio::io_context context{1};
  // All connections: those that wait for their client, the longest silent first, and the others.
  std::list<Connection*> waiting, busy;
  bool stopping = false;
  std::string spare;  // the last answer's body: its room is taken again rather than freed and asked
                      // for anew
  AccessLog log;

 private:
  void tick();
  void cut_off_late();

  Metrics& metrics_;
  boost::asio::steady_timer timer_;
  std::string date_;
  std::mt19937_64 random_;
  bool noted_malformed_ = false;  // in this tick
  std::uint64_t not_noted_ = 0;
};

}  // namespace quire::http
