// A store like a table: it has lists, its counts may be old or missing, and it keeps no ranks.
#pragma once

#include <functional>
#include <memory>

#include "model/document.h"
#include "model/facets.h"
#include "store/views.h"

namespace quire {

using Lie = std::function<Counts(const Counts&)>;

// The comments of another store, by lists.
class LyingView : public ListView {
 public:
  LyingView(std::unique_ptr<View> view, const Lie& lie) : view_(std::move(view)), lie_(lie) {}

  Awaitable<Result<Counts>> counts(std::string_view product) override {
    auto counts = co_await view_->counts(product);
    Counts lied = lie_(counts.value());
    lied.exact = false;
    parts_ = lied.parts;
    co_return lied;
  }
  Awaitable<Result<std::vector<Slice>>> read(std::string_view product, Order order,
                                             std::span<const Range> ranges, bool) override {
    consumed_ += static_cast<double>(ranges.size());
    std::vector<Slice> slices;
    for (const auto& range : ranges) {
      auto slice = co_await read_list(product, order, range);
      if (!slice) co_return slice.error();
      slices.push_back(std::move(*slice));
    }
    co_return slices;
  }
  Awaitable<Status> documents(std::string_view product, std::span<Entry> entries) override {
    co_return co_await view_->documents(product, entries);
  }
  Awaitable<Result<std::string_view>> get(const Ulid& id) override {
    co_return co_await view_->get(id);
  }
  Awaitable<Result<std::vector<ProductTotal>>> products(std::string_view after,
                                                        std::size_t limit) override {
    co_return co_await view_->products(after, limit);
  }
  Awaitable<Result<std::vector<Leader>>> leaders(Leaders by, FacetValue language,
                                                 std::size_t limit) override {
    co_return co_await view_->leaders(by, language, limit);
  }
  Awaitable<Result<Slice>> scan(std::optional<Ulid> after, std::size_t limit) override {
    co_return co_await view_->scan(after, limit);
  }
  std::string start_key(std::string_view product, const Cell& list, const Ulid& after,
                        std::size_t part) override {
    return list_key(product, list, part) + " after " + after.text();
  }
  // Reads of lists.
  double consumed() const override { return consumed_; }

 private:
  // The comments of the product that the list has.
  Awaitable<Result<Slice>> read_list(std::string_view product, Order order, Range range) {
    Slice list{{}, false};
    while (!list.end && list.entries.size() < range.limit) {
      auto some = co_await view_->comments(product, order, range.after, 64);
      if (!some) co_return some.error();
      for (const auto& entry : some->entries) {
        range.after = entry.id;
        if (!covers(range.list, document_cell(entry.document))) continue;
        if (part_of(entry.id, range.list) != range.part) continue;
        list.entries.push_back(entry);
        if (list.entries.size() == range.limit) co_return list;
      }
      list.end = some->end;
    }
    co_return list;
  }

  std::size_t part_of(const Ulid& id, const Cell& list) const {
    std::size_t index = 0;
    while (list_of(indexes[index], list) != list) ++index;
    return static_cast<std::size_t>(id.bytes.back()) % parts_[index];
  }

  std::unique_ptr<View> view_;
  Lie lie_;
  Parts parts_ = undivided;
  double consumed_ = 0;
};

class LyingStore : public Store {
 public:
  LyingStore(Store& store, Lie lie) : store_(store), lie_(std::move(lie)) {}

  // As a table bills, so that every kind of plan is made.
  CostModel costs() const override { return {0.01, {0.07, 0.07, 0.07, 0.07}, 0.5}; }
  std::unique_ptr<View> view() override { return std::make_unique<LyingView>(store_.view(), lie_); }
  Awaitable<Status> ready() override { return store_.ready(); }
  Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey> once,
                                        Terms terms = {}) override {
    return store_.insert(std::move(comment), once, std::move(terms));
  }
  Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition condition = {},
                                   Judge judge = {}) override {
    return store_.update(id, std::move(patch), std::move(condition), std::move(judge));
  }
  Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {}) override {
    return store_.remove(id, std::move(condition));
  }
  Awaitable<Result<std::size_t>> insert_many(std::vector<Comment> comments) override {
    return store_.insert_many(std::move(comments));
  }

 private:
  Store& store_;
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
