// One line a request, gathered and handed to the writer in blocks.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/log_writer.h"

namespace quire::http {

struct AccessLine {
  std::string_view client, method, target, id;
  unsigned status;
  std::size_t bytes;
  std::chrono::nanoseconds took;
  std::string_view token;  // the label of the token of who writes, or -
};

// One a thread. A block is handed over when it is full, and by flush().
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
