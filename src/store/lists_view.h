// Views of stores that keep lists: all comments of a product that share some values, in id order.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/entry.h"
#include "store/store.h"

namespace quire {

class ListView : public View {
 public:
  ListView* lists() override { return this; }

  // Reads one slice per range, all in one round. `documents`: entries must carry their documents.
  virtual Awaitable<Result<std::vector<Slice>>> read(std::string_view product, Order order,
                                                     std::span<const Range> ranges,
                                                     bool documents) = 0;
  // The start key of a read of a part of `list` after `after`: JSON in the
  // backend's own terms.
  virtual std::string start_key(std::string_view product, const Cell& list, const Ulid& after,
                                std::size_t part) = 0;

  // The list of all comments of the product, which must lie in one part.
  Awaitable<Result<Slice>> comments(std::string_view product, Order order,
                                    std::optional<Ulid> after, std::size_t limit) override {
    Range all{Cell{}, after, limit};
    auto slices = co_await read(product, order, {&all, 1}, true);
    if (!slices) co_return slices.error();
    co_return std::move(slices->front());
  }
};

}  // namespace quire
