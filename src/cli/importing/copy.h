// A file that can be read once alone, such as standard input, to be read again.
#pragma once

#include <string>
#include <utility>

#include "quire/result.h"

namespace quire::cli {

// Whether a file can be read twice. Standard input and pipes cannot.
bool stays(const std::string& file);

// A copy in the directory for temporary files (TMPDIR), without a name there: it is gone with this
// value, however the program ends.
class Copy {
 public:
  // unavailable: the file cannot be read, or there is no room.
  static Result<Copy> of(const std::string& file);
  Copy(Copy&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  ~Copy();

  // As long as the copy lives.
  std::string path() const;

 private:
  explicit Copy(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace quire::cli
