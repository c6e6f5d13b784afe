// A number of bytes that connections share.
#pragma once

#include <prometheus/gauge.h>

#include <atomic>
#include <cstddef>
#include <utility>

namespace quire::http {

// Thread-safe.
class Budget {
 public:
  // `gauge` shows the bytes taken in /metrics; may be null.
  explicit Budget(std::size_t max, prometheus::Gauge* gauge = nullptr) : max_(max), gauge_(gauge) {}

  // Bytes that are taken already stay so.
  void set_max(std::size_t max) { max_.store(max, std::memory_order_relaxed); }

  // Does not reserve the bytes: threads that ask at the same moment may together exceed the bound.
  bool has_room(std::size_t bytes) const {
    return taken() + bytes <= max_.load(std::memory_order_relaxed);
  }
  std::size_t taken() const { return taken_.load(std::memory_order_relaxed); }

  // Holds bytes of the budget while it lives. The budget must outlive it.
  class Hold {
   public:
    Hold() = default;
    Hold(Budget& budget, std::size_t bytes) : budget_(&budget), bytes_(bytes) {
      budget.taken_ += bytes;
      if (budget.gauge_) budget.gauge_->Increment(static_cast<double>(bytes));
    }
    Hold(Hold&& other) noexcept
        : budget_(std::exchange(other.budget_, nullptr)), bytes_(other.bytes_) {}
    Hold& operator=(Hold&& other) noexcept {
      std::swap(budget_, other.budget_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Hold() {
      if (!budget_) return;
      budget_->taken_ -= bytes_;
      if (budget_->gauge_) budget_->gauge_->Decrement(static_cast<double>(bytes_));
    }

   private:
    Budget* budget_ = nullptr;
    std::size_t bytes_ = 0;
  };

 private:
  std::atomic<std::size_t> max_;
  prometheus::Gauge* const gauge_;
  std::atomic<std::size_t> taken_ = 0;
};

}  // namespace quire::http
