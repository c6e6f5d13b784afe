// Further tries of requests to a server: one that is started again answers within them.
#pragma once

#include <chrono>

namespace quire::cli {

// Ten tries, which take 40 s and more. Not thread-safe.
class Tries {
 public:
  // Blocks until the next try, longer each time. False, at once: there were enough.
  bool again();

 private:
  int left_ = 9;
  std::chrono::milliseconds pause_{250};
};

// Whether the answer of another try may have another status.
bool is_passing(unsigned status);

}  // namespace quire::cli
