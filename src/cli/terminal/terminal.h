// Output for people: a progress bar on anything over a second, only on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace quire::cli {

// `text` in one line, without what a terminal would obey or what turns its direction: such
// characters become spaces.
std::string printable(std::string_view text);

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  // `part` of 1; `count` as a number to show. Cheap to call often.
  void show(double part, std::uint64_t count);

 private:
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begun_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace quire::cli
