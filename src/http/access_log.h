// One line a request, gathered and written in blocks.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace quire::http {

struct AccessLine {
  std::string_view client, method, target, id;
  unsigned status;
  std::size_t bytes;
  std::chrono::nanoseconds took;
  std::string_view token;  // the label of the token of who writes, or -
};

// One a thread. A block is written when it is full, and by flush(): a log that cannot be written
// loses lines, never requests.
class AccessLog {
 public:
  // `file`: a descriptor opened for appending, or -1 for no log. Not closed.
  explicit AccessLog(int file) : file_(file) {}
  ~AccessLog() { flush(); }

  void add(const AccessLine& line, std::string_view time);
  void flush();

 private:
  static constexpr std::size_t block = 32 * 1024;

  int file_;
  std::string lines_;
};

}  // namespace quire::http
