// A page index as plain vectors, that fails as a test wants it, and tells what was applied to it.
#pragma once

#include "faults.h"
#include "model/facets.h"
#include "page_index/page_index.h"
#include "page_index/plain.h"
#include "plain_stream.h"

namespace quire {

using Lists = std::map<Cell, std::vector<Ulid>>;  // sorted; none is empty

class PlainTarget : public PageIndex {
 public:
  Calls calls;
  State now;
  std::map<std::string, Lists> lists;  // by product; none is empty
  std::vector<Change> applied;         // by steps
  std::vector<std::string> forgotten;
  std::size_t max_changes = 0;  // of one step
  std::size_t resets = 0;
  std::size_t max_slice = 0;    // ids asked for at once, of a list
  std::size_t max_lists = 0;    // asked at once
  std::uint64_t lie = 0;        // by which lengths are too long, until something is put
  std::size_t part = SIZE_MAX;  // most records of a step that are applied together
  bool with_facets = false;     // whether it says that it holds facets

  bool holds_facets() const override { return with_facets; }

  Awaitable<Result<State>> state() override {
    if (co_await calls.begin("state") != Fault::none) co_return down();
    State state = now;
    co_await calls.others();
    co_return state;
  }

  Awaitable<Result<bool>> apply(Step step) override {
    max_changes = std::max(max_changes, step.changes.size());
    Fault what = co_await calls.begin("apply");
    if (what == Fault::before) co_return down();
    auto mark = step.before;
    for (std::size_t from = 0, end = 0; from == 0 || from < step.changes.size(); from = end) {
      end = end_of_part(step.changes, from);
      bool last = end == step.changes.size();
      // What is between parts of a step, others may see, and a fault may leave.
      if (!is_at(step, mark)) co_return false;
      Mark after = last ? step.after : Mark{step.changes[end - 1].sequence};
      for (; from < end; ++from) {
        edit(step.changes[from]);
        applied.push_back(step.changes[from]);
      }
      now.marks[step.shard] = after;
      mark = after;
      if (last) break;
      co_await calls.others();
    }
    for (const auto& shard : step.forget) {
      now.marks.erase(shard);
      forgotten.push_back(shard);
    }
    co_await calls.others();
    if (what == Fault::after) co_return down();
    co_return true;
  }

  Awaitable<Status> reset(State state) override {
    Fault what = co_await calls.begin("reset");
    if (what == Fault::before) co_return down();
    ++resets;
    lists.clear();
    now = std::move(state);
    co_await calls.others();
    if (what == Fault::after) co_return down();
    co_return Done{};
  }

  Awaitable<Result<bool>> change_phase(std::string epoch, Phase from, Phase to) override {
    Fault what = co_await calls.begin("turn");
    if (what == Fault::before) co_return down();
    bool right = now.epoch == epoch && now.phase == from;
    if (right) now.phase = to;
    co_await calls.others();
    if (what == Fault::after) co_return down();
    co_return right;
  }

  std::unique_ptr<Ranks> ranks() override { return std::make_unique<View>(*this); }

  Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                       std::size_t limit) override {
    if (co_await calls.begin("products") != Fault::none) co_return down();
    std::vector<std::string> names;
    for (auto at = lists.upper_bound(after); at != lists.end() && names.size() < limit; ++at)
      names.push_back(at->first);
    co_return names;
  }

  Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) override {
    if (co_await calls.begin("languages") != Fault::none) co_return down();
    std::set<FacetValue> found;
    if (auto at = lists.find(product); at != lists.end()) {
      for (const auto& [list, ids] : at->second) found.insert(list[language_facet]);
    }
    found.erase(any);
    co_return std::vector<FacetValue>(found.begin(), found.end());
  }

  Awaitable<Status> put(std::vector<Change> changes) override {
    if (co_await calls.begin("put") != Fault::none) co_return down();
    for (const auto& change : changes) edit(change);
    lie = 0;
    co_return Done{};
  }

  // Each list by itself, so that a test may damage one.
  void add(const std::string& product, const Cell& list, const Ulid& id) {
    auto& ids = lists[product][list];
    auto at = std::lower_bound(ids.begin(), ids.end(), id);
    if (at == ids.end() || *at != id) ids.insert(at, id);
  }
  void take(const std::string& product, const Cell& list, const Ulid& id) {
    auto& all = lists[product];
    std::erase(all[list], id);
    if (all[list].empty()) all.erase(list);
    if (all.empty()) lists.erase(product);
  }
  void edit(const Change& change) {
    for (const auto& index : indexes) {
      if (change.from) take(change.product, list_of(index, change.from->cell), change.id);
      if (change.to) add(change.product, list_of(index, change.to->cell), change.id);
    }
  }

 private:
  bool is_at(const Step& step, const std::optional<Mark>& mark) const {
    auto at = now.marks.find(step.shard);
    bool there = at != now.marks.end();
    if (now.epoch != step.epoch || there != mark.has_value()) return false;
    return !there || (at->second.read_to == mark->read_to && at->second.ended == mark->ended);
  }

  std::size_t end_of_part(const std::vector<Change>& changes, std::size_t from) const {
    std::size_t end = from, records = 0;
    for (; end < changes.size(); ++end) {
      bool another = end == from || changes[end].sequence != changes[end - 1].sequence;
      if (another && records++ == part) break;
    }
    return end;
  }

  // As the lists are when they are asked, not before.
  class View : public Ranks {
   public:
    explicit View(PlainTarget& target) : target_(target) {}
    Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                          std::span<const Cell> lists) override {
      if (co_await target_.calls.begin("lengths") != Fault::none) co_return down();
      target_.max_lists = std::max(target_.max_lists, lists.size());
      auto plain = of(product);
      auto lengths = co_await plain.lengths(product, lists);
      for (auto& length : *lengths) length += target_.lie;
      co_return lengths;
    }
    Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
        std::string_view product, std::span<const RankRange> ranges) override {
      if (co_await target_.calls.begin("slices") != Fault::none) co_return down();
      target_.max_lists = std::max(target_.max_lists, ranges.size());
      for (const auto& range : ranges) target_.max_slice = std::max(target_.max_slice, range.count);
      auto plain = of(product);
      co_return co_await plain.slices(product, ranges);
    }
    Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                        std::span<const Cell> lists,
                                                        const Ulid& id) override {
      if (co_await target_.calls.begin("ranks") != Fault::none) co_return down();
      auto plain = of(product);
      co_return co_await plain.ranks(product, lists, id);
    }
    Awaitable<Result<Ulid>> nth_of_union(std::string_view product, std::span<const Cell> lists,
                                         std::uint64_t length, std::uint64_t n) override {
      if (co_await target_.calls.begin("nth_of_union") != Fault::none) co_return down();
      auto plain = of(product);
      co_return co_await plain.nth_of_union(product, lists, length, n);
    }

   private:
    PlainRanks of(std::string_view product) {
      PlainRanks plain;
      auto at = target_.lists.find(std::string(product));
      if (at != target_.lists.end()) plain.lists = at->second;
      return plain;
    }
    PlainTarget& target_;
  };
};

// What must be in the lists, by the table's comments.
inline std::map<std::string, Lists> lists_of(const PlainStream& stream) {
  PlainTarget wanted;
  for (const auto& [id, where] : stream.comments) wanted.edit({where.product, id, {}, where.cell});
  return wanted.lists;
}

// The changes of each comment, in their order.
inline std::map<Ulid, std::vector<Change>> by_comment(const std::vector<Change>& changes) {
  std::map<Ulid, std::vector<Change>> out;
  for (const auto& change : changes) out[change.id].push_back(change);
  return out;
}

}  // namespace quire
