// Sweeps what is left of the removed comments of a table, beside the requests of a server.
#pragma once

#include <thread>

#include "service/comments.h"

namespace quire::cli {

class Sweeper {
 public:
  // Looks each minute. `comments` must outlive this.
  explicit Sweeper(Comments& comments);

 private:
  std::jthread thread_;
};

}  // namespace quire::cli
