#include "http/write_limits.h"

#include <algorithm>

#include "http/client_address.h"

namespace quire::http {

double WriteLimits::share(double a_minute_product) {
  return std::max(a_minute_product / 4, 3.0);
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
