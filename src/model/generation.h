// The state of a store, as far as answers about a product depend on it: for caches of answers.
#pragma once

#include <cstdint>

namespace quire {

struct Generation {
  std::uint64_t product = 0;  // another number after each write to the product
  std::uint64_t store = 0;    // another number after each change that concerns all products
  // The commit that was the newest when this was read; 0: the store does not number its commits.
  std::uint64_t commit = 0;

  // Whether an answer of the one generation is an answer of the other.
  bool same(const Generation& other) const {
    return product == other.product && store == other.store;
  }
};

}  // namespace quire
