// The exception where a function has no way to return an Error of the code `unavailable`.
#pragma once

#include <stdexcept>

namespace quire {

// A backend cannot answer now, and may soon.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace quire
