// Output for people: text that is safe to print, and progress bars.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace quire::cli {

// The text on one line. Characters that a terminal would obey, or that change the direction of
// text, become spaces.
std::string printable(std::string_view text);

// A progress bar on standard error, from the second second on; none if that is no terminal.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  // `part` is the part done, 0 to 1; `count` is shown as a number. Cheap to call often.
  void show(double part, std::uint64_t count);

 private:
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point begun_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace quire::cli
