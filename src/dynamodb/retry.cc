#include "dynamodb/retry.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quire::dynamodb {
namespace {

constexpr int transient_tokens = 14;
constexpr int throttled_tokens = 5;
constexpr double transient_base_ms = 25;
constexpr double throttled_base_ms = 1000;
constexpr double max_pause_ms = 20'000;

bool slow(Kind kind) {
  return kind == Kind::throttled;
}

}  // namespace

bool RetryBudget::spend(int tokens) {
  std::lock_guard lock(mutex_);
  if (left_ < tokens) return false;
  left_ -= tokens;
  return true;
}

void RetryBudget::give_back(int tokens) {
  std::lock_guard lock(mutex_);
  left_ = std::min(full, left_ + tokens);
}

int RetryBudget::left() const {
  std::lock_guard lock(mutex_);
  return left_;
}

bool Tries::worth(Kind kind) {
  switch (kind) {
    case Kind::transient:
      return repeat_ == Repeat::safe;
    case Kind::throttled:
    case Kind::conflict:
      return true;
    case Kind::credentials:
    case Kind::clock:
      return !std::exchange(renewed_, true);
    case Kind::condition:
    case Kind::missing:
    case Kind::permanent:
      return false;
  }
  return false;
}

std::optional<Milliseconds> Tries::next(const Failure& failure, Milliseconds left,
                                        std::optional<Milliseconds> asked) {
  if (++failed_ >= max_tries || !worth(failure.kind)) return {};
  int tokens = slow(failure.kind) ? throttled_tokens : transient_tokens;
  double base = slow(failure.kind) ? throttled_base_ms : transient_base_ms;
  double max_ms = std::min(base * std::pow(2, failed_ - 1), max_pause_ms);
  Milliseconds wait(static_cast<Milliseconds::rep>(chance_() * max_ms));
  if (asked) wait = std::max(wait, *asked);
  // A try that would come too late spends no tokens.
  if (wait >= left || !budget_.spend(tokens)) return {};
  spent_ = tokens;
  return wait;
}

void Tries::succeeded() {
  budget_.give_back(std::max(spent_, 1));
}

}  // namespace quire::dynamodb
