// How stores and indexes are opened, and what is thrown where a backend cannot answer.
#pragma once

#include <stdexcept>

namespace quire {

// A backend cannot answer now, and may soon.
class Unavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Access { read, write };

}  // namespace quire
