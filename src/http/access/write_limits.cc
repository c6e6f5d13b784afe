#include "http/access/write_limits.h"

#include <algorithm>

namespace quire::http {

std::string limit_name(const boost::asio::ip::address& client) {
  if (client.is_v4()) return client.to_string();
  auto bytes = client.to_v6().to_bytes();
  return std::string(bytes.begin(), bytes.begin() + 6);
}

double WriteLimits::share(double per_minute_product) {
  return std::max(per_minute_product / 4, 3.0);
}

void WriteLimits::set(double per_minute_client, double per_minute_product) {
  writes_.set(per_minute_client);
  refusals_.set(per_minute_client);
  shares_.set(share(per_minute_product));
  products_.set(per_minute_product);
}

WriteLimits::Wait WriteLimits::write(const Client& client, std::uint64_t now_ms) {
  return writes_.take(limit_name(client), now_ms);
}

WriteLimits::Wait WriteLimits::post(const Client& client, const std::string& product,
                                    std::uint64_t now_ms) {
  if (auto wait = shares_.take(limit_name(client) + "\n" + product, now_ms)) return wait;
  return products_.take(product, now_ms);
}

WriteLimits::Wait WriteLimits::refusal(const Client& client, std::uint64_t now_ms) {
  return refusals_.take(limit_name(client), now_ms);
}

}  // namespace quire::http
