// Runs the body of a test once for each sequence of answers to its choices.
#pragma once

#include <cstddef>
#include <vector>

namespace quire {

// The body calls choose() as often as it needs. Each run differs from the run before in the last
// answer that has another value left.
class EveryChoice {
 public:
  // True while there is another run. Starts it.
  bool next() {
    if (!started_) return started_ = true;
    while (at_ < taken_.size()) taken_.pop_back();  // not asked in this run
    while (!taken_.empty() && taken_.back().answer + 1 == taken_.back().of) taken_.pop_back();
    at_ = 0;
    if (taken_.empty()) return false;
    ++taken_.back().answer;
    return true;
  }

  // One of 0 … of - 1.
  std::size_t choose(std::size_t of) {
    if (at_ == taken_.size()) taken_.push_back({0, of});
    return taken_[at_++].answer;
  }

 private:
  struct Answer {
    std::size_t answer;
    std::size_t of;
  };
  std::vector<Answer> taken_;
  std::size_t at_ = 0;
  bool started_ = false;
};

}  // namespace quire
