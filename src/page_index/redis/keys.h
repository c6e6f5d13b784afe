// The names of the keys in Redis; see docs/formats/pages-redis.md. The products of an index are in
// buckets. All keys of a bucket are in one slot of a cluster, as a script requires.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "model/facets.h"

namespace quire::redis {

inline constexpr unsigned bucket_count = 256;

unsigned bucket_of(std::string_view product);

// A list of any rating is the union of its five lists of one rating, which alone are kept.
inline constexpr std::size_t rating_count = 5;

// The keys of one bucket.
class Bucket {
 public:
  explicit Bucket(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string state() const { return prefix_ + "state"; }
  std::string fences() const { return prefix_ + "fences"; }
  std::string products() const { return prefix_ + "products"; }
  std::string languages() const { return prefix_ + "languages"; }
  // The five lists of one rating that make up a list of any rating, by its name: see list_key().
  std::array<std::string, rating_count> lists(std::string_view name) const;

 private:
  std::string prefix_;
};

class Keys {
 public:
  // `name` may be any bytes. Two different names never share a key.
  explicit Keys(std::string_view name);

  std::string state() const { return prefix_ + "}:state"; }
  std::string marks() const { return prefix_ + "}:marks"; }
  std::string counts() const { return prefix_ + "}:counts"; }
  std::string open() const { return prefix_ + "}:open"; }
  std::string steps() const { return prefix_ + "}:steps"; }

  Bucket bucket(unsigned number) const;

 private:
  std::string prefix_;
};

}  // namespace quire::redis
