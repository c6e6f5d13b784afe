// Raises a flag while a coroutine is at some work, so that others do not begin the same. The flag
// goes down however the work ends.
#pragma once

namespace quire {

class Raised {
 public:
  explicit Raised(bool& flag) : flag_(flag) { flag_ = true; }
  ~Raised() { flag_ = false; }
  Raised(const Raised&) = delete;
  Raised& operator=(const Raised&) = delete;

 private:
  bool& flag_;
};

}  // namespace quire
