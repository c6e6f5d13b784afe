// How often a client may write, and may try to.
#pragma once

#include <boost/asio/ip/address.hpp>

#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "quire/customer.h"

namespace quire::desk {

// Thread-safe. Remembers only the most recent names, so that a flood of names cannot fill memory.
class RateLimit {
 public:
  static constexpr std::size_t max_names = 65'536;

  // A bucket holds `per_minute` tokens, at least one, and is refilled evenly.
  explicit RateLimit(double per_minute) : per_minute_(per_minute) {}

  // Also of the buckets that there are.
  void set(double per_minute);
  // Takes a token from the bucket of this name. If it is empty, gives the whole seconds until it
  // has one.
  std::optional<std::uint64_t> take(const std::string& name, std::uint64_t now_ms);

 private:
  struct Bucket {
    std::string name;
    double left;
    std::uint64_t filled_ms;
  };

  std::mutex mutex_;
  double per_minute_;
  std::list<Bucket> buckets_;  // most recently used first
  std::unordered_map<std::string, std::list<Bucket>::iterator> by_name_;
};

// The key under which limits count a client: an IPv4 address, or an IPv6 network of 48 bits,
// because an IPv6 customer can use any address of one.
std::string limit_name(const boost::asio::ip::address& client);

// How many writes a minute are taken before others are refused.
struct WriteRates {
  double client = 60;    // of one client
  double product = 600;  // to one product, of all clients
};

// Thread-safe. Each function counts one request against its limits. If a limit is reached, it gives
// the whole seconds until the next request is allowed.
class Limits {
 public:
  using Client = boost::asio::ip::address;
  using Wait = std::optional<std::uint64_t>;

  // The posts per minute of one client for one product: a quarter of the product's, so that other
  // clients can post too, but at least three.
  static double share(double per_minute_product);

  explicit Limits(const WriteRates& rates)
      : writes_(rates.client),
        refusals_(rates.client),
        customers_(rates.client),
        shares_(share(rates.product)),
        products_(rates.product) {}

  void set(const WriteRates& rates);

  // Counts a write of any kind.
  Wait write(const Client& client, std::uint64_t now_ms);
  // Counts a write of a customer, after write(): from whatever address, the limit is that of an
  // address.
  Wait customer(const CustomerHash& customer, std::uint64_t now_ms);
  // Counts a post for a product, after write().
  Wait post(const Client& client, const std::string& product, std::uint64_t now_ms);
  // Counts a write that is refused for its token. Refusals have a limit of their own, so that a
  // stranger cannot use up the limit of a writer with the same address.
  Wait refusal(const Client& client, std::uint64_t now_ms);

 private:
  RateLimit writes_, refusals_, customers_, shares_, products_;
};

}  // namespace quire::desk
