// Bytes that many may hold at once, up to a bound.
#pragma once

#include <prometheus/gauge.h>

#include <atomic>
#include <cstddef>
#include <utility>

namespace quire::http {

// Thread-safe.
class Budget {
 public:
  // `shown` gives what is taken to /metrics; null: nothing does.
  explicit Budget(std::size_t max, prometheus::Gauge* shown = nullptr) : max_(max), shown_(shown) {}

  // Others may take it in the meantime: the bound is exceeded by what they ask for at once, at
  // most.
  bool has_room(std::size_t bytes) const { return taken() + bytes <= max_; }
  std::size_t taken() const { return taken_.load(std::memory_order_relaxed); }

  // So many bytes, taken until it ends. The budget must outlive it.
  class Hold {
   public:
    Hold() = default;
    Hold(Budget& budget, std::size_t bytes) : budget_(&budget), bytes_(bytes) {
      budget.taken_ += bytes;
      if (budget.shown_) budget.shown_->Increment(static_cast<double>(bytes));
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
      if (budget_->shown_) budget_->shown_->Decrement(static_cast<double>(bytes_));
    }

   private:
    Budget* budget_ = nullptr;
    std::size_t bytes_ = 0;
  };

 private:
  const std::size_t max_;
  prometheus::Gauge* const shown_;
  std::atomic<std::size_t> taken_ = 0;
};

}  // namespace quire::http
