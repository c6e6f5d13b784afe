// Statistics as plain counts, which fail as a test wants it.
#pragma once

#include <algorithm>

#include "plain_stream.h"
#include "projection/follower.h"
#include "projection/table.h"

namespace quire {

using projection::Totals;

// Adds a comment to the counts, or takes it out; counts of nothing are left out.
inline void count(std::map<std::string, Totals>& totals, const std::string& product,
                  const Cell& cell, std::uint64_t step) {
  for (FacetValue language : {any, cell[language_facet]}) {
    auto& counts = totals[product][language];
    counts[cell[rating_facet] - 1] += step;
    if (counts == RatingCounts{}) totals[product].erase(language);
  }
  if (totals[product].empty()) totals.erase(product);
}

inline std::map<std::string, Totals> totals_of(const PlainStream& stream) {
  std::map<std::string, Totals> totals;
  for (const auto& [id, where] : stream.comments) count(totals, where.product, where.cell, 1);
  return totals;
}

class PlainStatistics : public projection::StatisticsTarget {
 public:
  Calls calls;
  State now;
  std::map<std::string, Totals> totals;  // by product
  std::map<Ulid, std::string> seen;      // the sequence number of each comment's last change
  std::size_t max_once = SIZE_MAX;       // apply_once() fails at the first record after so many

  Awaitable<Result<State>> state() override {
    Fault what = co_await calls.begin("state");
    if (what != Fault::none) co_return down();
    State state = now;
    co_return state;
  }

  Awaitable<Result<bool>> apply(Step step) override {
    Fault what = co_await calls.begin("apply");
    if (what == Fault::before) co_return down();
    auto at = now.marks.find(step.shard);
    bool there = at != now.marks.end();
    if (now.epoch != step.epoch || there != step.before.has_value()) co_return false;
    if (there &&
        (at->second.read_to != step.before->read_to || at->second.ended != step.before->ended))
      co_return false;
    for (const auto& change : step.changes) edit(change);
    now.marks[step.shard] = step.after;
    for (const auto& shard : step.forget) now.marks.erase(shard);
    if (what == Fault::after) co_return down();
    co_return true;
  }

  Awaitable<Status> reset(State state) override {
    Fault what = co_await calls.begin("reset");
    if (what != Fault::none) co_return down();
    now = std::move(state);
    co_return Done{};
  }

  Awaitable<Status> reset(State state, std::string epoch) override {
    Fault what = co_await calls.begin("reset");
    if (what != Fault::none) co_return down();
    if (now.epoch != epoch || now.phase != Phase::building) co_return down();
    now = std::move(state);
    co_return Done{};
  }

  Awaitable<Result<bool>> change_phase(std::string epoch, Phase from, Phase to) override {
    Fault what = co_await calls.begin("turn");
    if (what != Fault::none) co_return down();
    bool right = now.epoch == epoch && now.phase == from;
    if (right) now.phase = to;
    co_return right;
  }

  Awaitable<AppliedChanges> apply_once(State state, std::vector<Change> changes, std::uint64_t,
                                       Time until) override {
    AppliedChanges once;
    Fault what = co_await calls.begin("apply_once");
    if (what != Fault::none) once.failed = down();
    if (state.epoch != now.epoch || state.phase != now.phase) once.failed = down();
    if (std::chrono::steady_clock::now() >= until)
      once.failed = Error{ErrorCode::unavailable, "The time of the call is over."};
    bool known = false;
    for (; !once.failed && once.changes < changes.size(); ++once.changes) {
      const auto& change = changes[once.changes];
      bool first = once.changes == 0 || change.sequence != changes[once.changes - 1].sequence;
      if (first && once.changes >= max_once) {
        once.failed = down();
        break;
      }
      auto at = seen.find(change.id);
      if (first) known = at != seen.end() && projection::not_after(change.sequence, at->second);
      if (!known) edit(change);
      if (!known) seen[change.id] = change.sequence;
    }
    co_return once;
  }

  Awaitable<Status> put_as_of(State, std::uint64_t as_of_ms) override {
    Fault what = co_await calls.begin("put_as_of");
    if (what != Fault::none) co_return down();
    now.marks[change::lambda_mark].as_of_ms = as_of_ms;
    co_return Done{};
  }

  Awaitable<Result<bool>> has_seen(Ulid id, std::string sequence) override {
    Fault what = co_await calls.begin("has_seen");
    if (what != Fault::none) co_return down();
    auto at = seen.find(id);
    co_return at != seen.end() && projection::not_after(sequence, at->second);
  }

  Awaitable<Status> put_seen(std::vector<Change> changes, std::uint64_t) override {
    Fault what = co_await calls.begin("put_seen");
    if (what != Fault::none) co_return down();
    for (const auto& change : changes) seen[change.id] = change.sequence;
    co_return Done{};
  }

  Awaitable<Result<std::vector<std::string>>> differences(std::string product,
                                                          Totals wanted) override {
    Fault what = co_await calls.begin("differences");
    if (what != Fault::none) co_return down();
    std::vector<std::string> sentences;
    auto at = totals.find(product);
    if ((at == totals.end() ? Totals{} : at->second) != wanted)
      sentences.push_back("Statistics: " + product);
    co_return sentences;
  }

  Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                       std::size_t limit) override {
    Fault what = co_await calls.begin("products");
    if (what != Fault::none) co_return down();
    std::vector<std::string> names;
    for (auto at = totals.upper_bound(after); at != totals.end() && names.size() < limit; ++at)
      names.push_back(at->first);
    co_return names;
  }

  Awaitable<Status> put(std::map<std::string, Totals> products, std::string epoch) override {
    Fault what = co_await calls.begin("put");
    if (what != Fault::none) co_return down();
    if (!epoch.empty() && now.epoch != epoch) co_return down();
    for (auto& [product, wanted] : products) {
      if (wanted.empty())
        totals.erase(product);
      else
        totals[product] = std::move(wanted);
    }
    co_return Done{};
  }

 private:
  void edit(const Change& change) {
    if (change.from) count(totals, change.product, change.from->cell, std::uint64_t(-1));
    if (change.to) count(totals, change.product, change.to->cell, 1);
  }
};

}  // namespace quire
