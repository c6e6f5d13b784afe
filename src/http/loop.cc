#include "http/loop.h"

#include <fmt/chrono.h>

#include "http/connection.h"

namespace quire::http {

Loop::Loop(Metrics& metrics, LogWriter* access_log)
    : log(access_log), metrics_(metrics), timer_(context), random_(std::random_device{}()) {}

void Loop::start() {
  tick();
}

void Loop::tick() {
  date_ = fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(std::time(nullptr)));
  log.flush();
  auto now = std::chrono::steady_clock::now();
  for (Connection* connection : connections) {
    if (connection->deadline() <= now) {
      metrics_.timed_out->Increment();
      connection->close();
    }
  }
  if (stopping && connections.empty()) return;
  timer_.expires_after(std::chrono::milliseconds(stopping ? 20 : 250));
  timer_.async_wait([this](boost::system::error_code) { tick(); });
}

void Loop::stop() {
  stopping = true;
  for (Connection* connection : connections) {
    if (connection->idle()) connection->close();
  }
  timer_.cancel();
}

void Loop::abandon() {
  for (Connection* connection : connections) connection->close();
}

std::string Loop::request_id() {
  return fmt::format("{:016x}", random_());
}

}  // namespace quire::http
