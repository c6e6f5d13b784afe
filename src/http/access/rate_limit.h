// A rate limit for each name, such as an address or a product (token buckets).
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace quire::http {

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

}  // namespace quire::http
