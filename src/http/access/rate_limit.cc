#include "http/access/rate_limit.h"

#include <algorithm>
#include <cmath>

namespace quire::http {

void RateLimit::set(double per_minute) {
  std::lock_guard lock(mutex_);
  per_minute_ = per_minute;
}

std::optional<std::uint64_t> RateLimit::take(const std::string& name, std::uint64_t now_ms) {
  std::lock_guard lock(mutex_);
  auto known = by_name_.find(name);
  if (known != by_name_.end()) {
    buckets_.splice(buckets_.begin(), buckets_, known->second);
  } else {
    if (buckets_.size() == max_names) {
      by_name_.erase(buckets_.back().name);
      buckets_.pop_back();
    }
    buckets_.push_front({name, per_minute_, now_ms});
    by_name_.emplace(name, buckets_.begin());
  }
  Bucket& bucket = buckets_.front();
  double per_ms = per_minute_ / 60'000;
  auto passed = static_cast<double>(now_ms - std::min(now_ms, bucket.filled_ms));
  bucket.left = std::min(std::max(per_minute_, 1.0), bucket.left + passed * per_ms);
  bucket.filled_ms = now_ms;
  if (bucket.left < 1)
    return static_cast<std::uint64_t>(std::ceil((1 - bucket.left) / per_ms / 1000));
  bucket.left -= 1;
  return {};
}

}  // namespace quire::http
