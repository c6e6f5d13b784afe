#include "store/dynamodb/generations.h"

#include <functional>

namespace quire::dynamodb {

Generation Generations::present(std::string_view product, Time now) const {
  auto hash = std::hash<std::string_view>()(product);
  // Each product's lifetimes begin at another moment, so that not all pages are made anew at once.
  auto begin = std::chrono::milliseconds(hash % lifetime.count());
  auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch());
  const auto& writes = product.empty() ? any_ : writes_[hash % writes_.size()];
  // The sum of two numbers that only grow.
  return {.product = writes + all_,
          .store = static_cast<std::uint64_t>((passed + begin) / lifetime)};
}

void Generations::end(std::string_view product) {
  ++writes_[std::hash<std::string_view>()(product) % writes_.size()];
  ++any_;
}

}  // namespace quire::dynamodb
