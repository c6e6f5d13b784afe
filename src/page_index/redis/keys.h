// The names of what lies in Redis; docs/formats/pages-redis.md tells what lies there.
#pragma once

#include <string>
#include <string_view>

#include "model/facets.h"

namespace quire::redis {

class Keys {
 public:
  // Whatever bytes `name` has: no two names share a key.
  explicit Keys(std::string_view name);

  std::string state() const { return prefix_ + "state"; }
  std::string marks() const { return prefix_ + "marks"; }
  std::string products() const { return prefix_ + "products"; }
  std::string languages() const { return prefix_ + "languages"; }
  std::string list(std::string_view product, const Cell& list) const;
  // Matches all of them and no others, as SCAN matches.
  std::string all() const { return prefix_ + "*"; }

 private:
  std::string prefix_;
};

}  // namespace quire::redis
