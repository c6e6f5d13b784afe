// The access log: one line per request, passed to the writer in blocks.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/log.h"

namespace quire::http {

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

}  // namespace quire::http
