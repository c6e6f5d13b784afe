// Limits what coroutines of one loop do at a time: a gate lets some of them in, and a flag that is
// set while one is at a work keeps others from the same.
#pragma once

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>

#include "loop/awaitable.h"
#include "loop/lines.h"

namespace quire {

using Deadline = std::chrono::steady_clock::time_point;

class Gate {
 public:
  Gate(boost::asio::io_context& context, std::size_t max_inside, std::size_t max_waiting)
      : context_(context), max_inside_(max_inside), max_waiting_(max_waiting) {}

  // The right to be inside. Its destructor leaves the gate.
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

  // Waits for a pass. Those of each client wait in a line of their own, and the lines take turns.
  // The pass is false if the queue is full, or the client's eighth of it, or the deadline came
  // first.
  Awaitable<Pass> enter(Deadline deadline);

  std::size_t inside() const { return inside_; }
  bool idle() const { return inside_ == 0 && waiting_.empty(); }

 private:
  static constexpr std::size_t shares = 8;

  struct Waiter {
    boost::asio::steady_timer timer;
    bool granted = false;
  };
  bool is_full(std::uint64_t client) const {
    auto share = std::max<std::size_t>(max_waiting_ / shares, 1);
    return waiting_.size() >= max_waiting_ || (client != 0 && waiting_.of(client) >= share);
  }
  void leave();

  boost::asio::io_context& context_;
  std::size_t max_inside_;
  std::size_t max_waiting_;
  std::size_t inside_ = 0;
  Lines<Waiter*> waiting_;
};

// The flag is true as long as this lives.
class BusyFlag {
 public:
  explicit BusyFlag(bool& flag) : flag_(flag) { flag_ = true; }
  ~BusyFlag() { flag_ = false; }
  BusyFlag(const BusyFlag&) = delete;
  BusyFlag& operator=(const BusyFlag&) = delete;

 private:
  bool& flag_;
};

}  // namespace quire
