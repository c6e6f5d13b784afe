// Counting what is under way.
#pragma once

#include <cstddef>

namespace quire {

// Counts one more while it lives. As thread-safe as the count, which must outlive it.
template <class Count>
class Counted {
 public:
  explicit Counted(Count& count) : count_(count), now_(++count) {}
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  // The count as this one made it.
  std::size_t now() const { return now_; }

 private:
  Count& count_;
  const std::size_t now_;
};

}  // namespace quire
