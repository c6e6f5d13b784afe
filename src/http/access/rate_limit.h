// Token buckets by name: so many posts a minute, from one address or for one product.
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace quire::http {

// Thread-safe. Remembers the most recent names only, so that no flood of names can fill memory.
class RateLimit {
 public:
  static constexpr std::size_t most_names = 65'536;

  // A bucket holds `a_minute` and is refilled evenly.
  explicit RateLimit(double a_minute) : a_minute_(a_minute) {}

  // Takes one; or, if there is none, the whole seconds until there will be.
  std::optional<std::uint64_t> take(const std::string& name, std::uint64_t now_ms);

 private:
  struct Bucket {
    std::string name;
    double left;
    std::uint64_t filled_ms;
  };

  double a_minute_;
  std::mutex mutex_;
  std::list<Bucket> buckets_;  // most recently used first
  std::unordered_map<std::string, std::list<Bucket>::iterator> by_name_;
};

}  // namespace quire::http
