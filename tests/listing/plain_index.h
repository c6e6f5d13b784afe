// A page index as plain vectors. A test decides its state and its failures.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "loop/loop.h"
#include "model/facets.h"
#include "page_index/page_index.h"
#include "page_index/plain.h"
#include "quire/comment.h"

namespace quire {

inline Cell cell_of(const Comment& comment) {
  return {list_facets[language_facet].parse(comment.language).value(),
          list_facets[rating_facet].parse(std::to_string(comment.rating)).value()};
}

class PlainIndex : public PageIndex {
 public:
  // Its state: it follows the table, and is in step.
  change::State said{.phase = change::Phase::following,
                     .epoch = "e",
                     .stream = "s",
                     .marks = {{"shard", {"1", false, UINT64_MAX / 2}}}};
  int calls = 0;                          // of any function
  int states = 0;                         // calls of state()
  std::function<bool(int call)> fails;    // whether a call fails, counted from 1
  std::function<void()> between = [] {};  // what happens before each call
  std::chrono::milliseconds slow{0};      // what lengths and ranks take

  std::optional<Error> fault() {
    ++calls;
    between();
    if (!fails || !fails(calls)) return {};
    return Error{ErrorCode::unavailable, "secret-host refused the connection"};
  }

  void add(const Comment& comment) { edit(comment.product, comment.id, {}, cell_of(comment)); }
  void remove(const Comment& comment) { edit(comment.product, comment.id, cell_of(comment), {}); }

  void edit(const std::string& product, const Ulid& id, std::optional<Cell> from,
            std::optional<Cell> to) {
    for (const auto& index : indexes) {
      if (from) std::erase(lists_[product].lists[list_of(index, *from)], id);
      if (!to) continue;
      auto& list = lists_[product].lists[list_of(index, *to)];
      auto at = std::lower_bound(list.begin(), list.end(), id);
      if (at == list.end() || *at != id) list.insert(at, id);
    }
  }

  Awaitable<Result<change::State>> state() override {
    ++states;
    if (auto error = fault()) co_return *error;
    co_return said;
  }
  std::unique_ptr<Ranks> ranks() override { return std::make_unique<CountedRanks>(*this); }

  // Only a projection calls these.
  Awaitable<Result<bool>> apply(change::Step) override { co_return false; }
  Awaitable<Status> reset(change::State) override { co_return Done{}; }
  Awaitable<Result<bool>> change_phase(std::string, change::Phase, change::Phase) override {
    co_return false;
  }
  Awaitable<Result<std::vector<std::string>>> products(std::string, std::size_t) override {
    co_return std::vector<std::string>();
  }
  Awaitable<Result<std::vector<FacetValue>>> languages(std::string) override {
    co_return std::vector<FacetValue>();
  }
  Awaitable<Status> put(std::vector<change::Change>) override { co_return Done{}; }

 private:
  class CountedRanks : public Ranks {
   public:
    explicit CountedRanks(PlainIndex& index) : index_(index) {}

    Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                          std::span<const Cell> lists) override {
      if (auto error = index_.fault()) co_return *error;
      if (index_.slow.count() > 0) co_await pause(index_.slow);
      co_return co_await of(product).lengths(product, lists);
    }
    Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
        std::string_view product, std::span<const RankRange> ranges) override {
      if (auto error = index_.fault()) co_return *error;
      co_return co_await of(product).slices(product, ranges);
    }
    Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                        std::span<const Cell> lists,
                                                        const Ulid& id) override {
      if (auto error = index_.fault()) co_return *error;
      if (index_.slow.count() > 0) co_await pause(index_.slow);
      co_return co_await of(product).ranks(product, lists, id);
    }
    Awaitable<Result<Ulid>> nth_of_union(std::string_view product, std::span<const Cell> lists,
                                         std::uint64_t length, std::uint64_t n) override {
      if (auto error = index_.fault()) co_return *error;
      co_return co_await of(product).nth_of_union(product, lists, length, n);
    }

   private:
    PlainRanks& of(std::string_view product) { return index_.lists_[std::string(product)]; }
    PlainIndex& index_;
  };

  std::map<std::string, PlainRanks> lists_;
};

}  // namespace quire
