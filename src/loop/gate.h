// Lets so many in at a time; the others wait in a queue with a bound, each until its deadline.
// Lives on one loop; not thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>

#include "loop/awaitable.h"

namespace quire {

using Deadline = std::chrono::steady_clock::time_point;

class Gate {
 public:
  Gate(boost::asio::io_context& context, std::size_t most_inside, std::size_t most_waiting)
      : context_(context), most_inside_(most_inside), most_waiting_(most_waiting) {}

  // Being inside: leaves when it is destroyed.
  class Pass {
   public:
    explicit Pass(Gate* gate = nullptr) : gate_(gate) {}
    Pass(Pass&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
    Pass& operator=(Pass&&) = delete;
    ~Pass() {
      if (gate_) gate_->leave();
    }
    explicit operator bool() const { return gate_ != nullptr; }

   private:
    Gate* gate_;
  };

  // False: the queue is full, or the deadline came first.
  Awaitable<Pass> enter(Deadline deadline);

  std::size_t inside() const { return inside_; }
  bool deserted() const { return inside_ == 0 && waiting_.empty(); }

 private:
  struct Turn {
    boost::asio::steady_timer timer;
    bool granted = false;
  };
  void leave();

  boost::asio::io_context& context_;
  std::size_t most_inside_;
  std::size_t most_waiting_;
  std::size_t inside_ = 0;
  std::deque<Turn*> waiting_;
};

}  // namespace quire
