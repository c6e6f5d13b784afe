// A store like a table: it has lists, its counts may be old or missing, and it keeps no ranks.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "listing/plain_store.h"
#include "model/facets.h"

namespace quire {

using Lie = std::function<Counts(const Counts&)>;

class LyingView : public PlainView {
 public:
  LyingView(std::shared_ptr<const PlainState> state, const Lie& lie)
      : PlainView(std::move(state)), lie_(lie) {}

  Awaitable<Result<Counts>> counts(std::string_view product) override {
    auto counts = co_await PlainView::counts(product);
    Counts lied = lie_(counts.value());
    lied.exact = false;
    parts_ = lied.parts;
    co_return lied;
  }
  Awaitable<Result<std::vector<Slice>>> read(std::string_view product, Order order,
                                             std::span<const Range> ranges, bool whole) override {
    consumed_ += static_cast<double>(ranges.size());
    auto slices = co_await PlainView::read(product, order, ranges, whole);
    for (std::size_t i = 0; i < ranges.size(); ++i)  // as a table, which stops at the limit
      slices->at(i).end &= slices->at(i).entries.size() < ranges[i].limit;
    co_return slices;
  }
  // Reads of lists.
  double consumed() const override { return consumed_; }

 private:
  bool has(const Range& range, const Ulid& id) const override {
    std::size_t index = 0;
    while (list_of(indexes[index], range.list) != range.list) ++index;
    return static_cast<std::size_t>(id.bytes.back()) % parts_[index] == range.part;
  }

  Lie lie_;
  Parts parts_ = undivided;
  double consumed_ = 0;
};

class LyingStore : public PlainStore {
 public:
  explicit LyingStore(Lie lie) : lie_(std::move(lie)) {}

  // As a table bills, so that every kind of plan is made.
  CostModel costs() const override { return {0.01, {0.07, 0.07, 0.07, 0.07}, 0.5}; }
  std::unique_ptr<View> view() override { return std::make_unique<LyingView>(state(), lie_); }

 private:
  Lie lie_;
};

inline Counts none(const Counts&) {
  return {};
}
inline Counts half_forgotten(const Counts& counts) {
  Counts out;
  for (std::size_t i = 0; i < counts.rows().size(); i += 2)
    out.add(counts.rows()[i].cell, counts.rows()[i].comments);
  return out;
}
inline Counts in_parts(const Counts& counts) {
  Counts out = counts;
  out.parts = {3, 1, 4, 16};
  return out;
}
inline Counts upside_down(const Counts& counts) {
  Counts out;
  for (const auto& row : counts.rows()) out.add(row.cell, 1 + 1000 / row.comments);
  return out;
}
inline Counts of_another_product(const Counts&) {
  Counts out;
  out.add(cell("fr", 2), 1'000'000);
  return out;
}

}  // namespace quire
