// How often clients may write, and may try to.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "http/access/rate_limit.h"

namespace quire::http {

// The key under which limits count a client: an IPv4 address, or an IPv6 network of 48 bits,
// because an IPv6 customer can use any address of one.
std::string limit_name(const boost::asio::ip::address& client);

// Thread-safe. Each function takes one of an allowance; or gives the whole seconds until there is
// one again. A client is an IPv4 address, or an IPv6 network of 48 bits, as much as one customer
// has.
class WriteLimits {
 public:
  using Client = boost::asio::ip::address;
  using Wait = std::optional<std::uint64_t>;

  // A client may take at most a quarter of what a product is allowed, so that it leaves some to
  // others; but three, or an allowance of a few would allow nothing.
  static double share(double a_minute_product);

  WriteLimits(double a_minute_client, double a_minute_product)
      : writes_(a_minute_client),
        refusals_(a_minute_client),
        shares_(share(a_minute_product)),
        products_(a_minute_product) {}

  // A write of any kind.
  Wait write(const Client& client, std::uint64_t now_ms);
  // A comment for a product, after write().
  Wait post(const Client& client, const std::string& product, std::uint64_t now_ms);
  // A write that is refused for its token. These are counted apart, so that a stranger with the
  // same address takes nothing from those who may write.
  Wait refusal(const Client& client, std::uint64_t now_ms);

 private:
  RateLimit writes_, refusals_, shares_, products_;
};

}  // namespace quire::http
