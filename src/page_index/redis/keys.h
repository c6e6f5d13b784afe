// The names of the keys in Redis; see docs/formats/pages-redis.md.
#pragma once

#include <string>
#include <string_view>

#include "model/facets.h"

namespace quire::redis {

class Keys {
 public:
  // `name` may be any bytes. Two different names never share a key.
  explicit Keys(std::string_view name);

  std::string state() const { return prefix_ + "state"; }
  std::string marks() const { return prefix_ + "marks"; }
  std::string products() const { return prefix_ + "products"; }
  std::string languages() const { return prefix_ + "languages"; }
  std::string list(std::string_view product, const Cell& list) const;
  // The pattern of SCAN that matches the keys of this index and no others.
  std::string all() const { return prefix_ + "*"; }

 private:
  std::string prefix_;
};

}  // namespace quire::redis
