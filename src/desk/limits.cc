#include "desk/limits.h"

#include <algorithm>
#include <cmath>

namespace quire::desk {

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

std::string limit_name(const boost::asio::ip::address& client) {
  if (client.is_v4()) return client.to_string();
  auto bytes = client.to_v6().to_bytes();
  return std::string(bytes.begin(), bytes.begin() + 6);
}

double Limits::share(double per_minute_product) {
  return std::max(per_minute_product / 4, 3.0);
}

void Limits::set(const WriteRates& rates) {
  writes_.set(rates.client);
  refusals_.set(rates.client);
  customers_.set(rates.client);
  shares_.set(share(rates.product));
  products_.set(rates.product);
}

Limits::Wait Limits::write(const Client& client, std::uint64_t now_ms) {
  return writes_.take(limit_name(client), now_ms);
}

Limits::Wait Limits::customer(const CustomerHash& customer, std::uint64_t now_ms) {
  return customers_.take(std::string(customer.view()), now_ms);
}

Limits::Wait Limits::post(const Client& client, const std::string& product, std::uint64_t now_ms) {
  if (auto wait = shares_.take(limit_name(client) + "\n" + product, now_ms)) return wait;
  return products_.take(product, now_ms);
}

Limits::Wait Limits::refusal(const Client& client, std::uint64_t now_ms) {
  return refusals_.take(limit_name(client), now_ms);
}

}  // namespace quire::desk
