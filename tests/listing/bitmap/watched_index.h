// A page index that holds facets, whose states are counted and can fail.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "page_index/facet_view.h"
#include "page_index/page_index.h"

namespace quire {

// Passes all on to another index, which must outlive it.
class WatchedIndex : public PageIndex {
 public:
  explicit WatchedIndex(PageIndex& index) : index_(index) {}

  int open = 0;             // states that are held now
  int opened = 0;           // states that were held at any time
  int fails_after = 1'000;  // so many states were opened
  std::string damaged;      // a product whose rows are

  bool holds_facets() const override { return true; }
  Result<std::unique_ptr<FacetView>> facet_view() override {
    if (opened == fails_after) return Error{ErrorCode::unavailable, "/srv/secret cannot be read"};
    ++opened;
    return std::unique_ptr<FacetView>(
        std::make_unique<WatchedView>(std::move(index_.facet_view()).value(), *this));
  }

  Awaitable<Result<change::State>> state() override { return index_.state(); }
  Awaitable<Result<bool>> apply(change::Step step) override {
    return index_.apply(std::move(step));
  }
  Awaitable<Status> reset(change::State state) override { return index_.reset(std::move(state)); }
  Awaitable<Result<bool>> change_phase(std::string epoch, change::Phase from,
                                       change::Phase to) override {
    return index_.change_phase(std::move(epoch), from, to);
  }
  std::unique_ptr<Ranks> ranks() override { return index_.ranks(); }
  Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                       std::size_t limit) override {
    return index_.products(std::move(after), limit);
  }
  Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) override {
    return index_.languages(std::move(product));
  }
  Awaitable<Status> put(std::vector<change::Change> changes) override {
    return index_.put(std::move(changes));
  }

 private:
  class WatchedView : public FacetView {
   public:
    WatchedView(std::unique_ptr<FacetView> view, WatchedIndex& index)
        : view_(std::move(view)), watched_(index) {
      ++watched_.open;
    }
    ~WatchedView() override { --watched_.open; }

    change::Phase phase() const override { return view_->phase(); }
    const Schema& schema() const override { return view_->schema(); }
    Result<word_index::State> words() override { return view_->words(); }
    Result<std::optional<bitmap_index::Source>> bitmaps(std::string_view product) override {
      if (product == watched_.damaged)
        return Error{ErrorCode::unavailable, "/srv/secret is damaged"};
      return view_->bitmaps(product);
    }
    Awaitable<Result<std::vector<IndexedComment>>> comments(std::string_view product,
                                                            std::optional<Ulid> after,
                                                            std::size_t limit) override {
      return view_->comments(product, after, limit);
    }
    Awaitable<Result<std::vector<std::string>>> flaws(std::string_view product) override {
      return view_->flaws(product);
    }

   private:
    std::unique_ptr<FacetView> view_;
    WatchedIndex& watched_;
  };

  PageIndex& index_;
};

}  // namespace quire
