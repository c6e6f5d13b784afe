#include "projection/verify.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/try.h"
#include "loop/loop.h"
#include "projection/compare.h"
#include "projection/follower.h"
#include "projection/recount.h"
#include "word_index/state.h"

namespace quire::projection {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t compared_at_once = 16;
constexpr std::size_t max_sentences = 1000;
constexpr int rounds = 3;  // of repairing what differs, and looking at it
constexpr int looks = 3;   // at what differs, after the first
constexpr std::chrono::minutes recount_patience{10};

// How a product differs from the recount.
struct Finding {
  std::vector<std::string> sentences;
  bool statistics = false;  // differ
};
using Findings = std::map<std::string, Finding>;  // by product

Error lags_behind(const std::string& what, const State& state) {
  bool lambda = state.marks.contains(lambda_mark);
  return {ErrorCode::unavailable,
          "There are differences, but the table's " + what +
              " is behind. Run quire verify again when " +
              (lambda ? "quire lambda has applied what was written: see IteratorAge."
                      : "quire project runs and is in step.")};
}

class Comparison {
 public:
  Comparison(const ProjectedTable& table, Recount& recount, const Verification& options)
      : table_(table), recount_(recount), options_(options) {}

  Awaitable<Result<std::vector<std::string>>> products(std::string after) {
    auto named = co_await all_products(table_.statistics, recount_, after);
    if (!named || !table_.index) co_return named;
    CO_TRY(auto indexed, co_await table_.index->products(after, products_at_once));
    co_return both(*named, indexed, products_at_once);
  }

  // Repairs the page index meanwhile, if so wanted.
  Awaitable<Result<Finding>> compare_product(std::string product,
                                             Repairing repairing = Repairing::no) {
    Finding found;
    CO_TRY(auto totals, co_await recount_.totals(product));
    CO_TRY(found.sentences, co_await table_.statistics.differences(product, std::move(totals)));
    found.statistics = !found.sentences.empty();
    if (!table_.index) co_return found;
    auto index = co_await compare(recount_.index(), *table_.index, product, repairing);
    if (!index) co_return index.error();
    for (auto& sentence : *index) found.sentences.push_back("Page index: " + sentence);
    co_return found;
  }

  // Keeps those products that differ in every look: a product that is right once is right.
  Awaitable<Status> look_again(Findings& findings) {
    for (int i = 0; i < looks && !findings.empty(); ++i) {
      co_await pause(options_.between_looks);
      CO_TRY_DONE(co_await catch_up());
      for (auto at = findings.begin(); at != findings.end();) {
        CO_TRY(auto found, co_await compare_product(at->first));
        bool differs = !found.sentences.empty();
        if (differs) at->second = std::move(found);
        at = differs ? std::next(at) : findings.erase(at);
      }
    }
    co_return Done{};
  }

  // Compares each product once more by a recount that is not old, and repairs it at once: repairing
  // undoes the writes that the recount has not seen. A write just then makes the product differ
  // again, which the next look finds.
  Awaitable<Status> repair(const Findings& findings) {
    SteadyClock::time_point old{};
    for (const auto& [product, before] : findings) {
      if (SteadyClock::now() >= old) {
        CO_TRY_DONE(co_await catch_up());
        old = SteadyClock::now() + options_.max_age;
      }
      CO_TRY(auto found, co_await compare_product(product, Repairing::yes));
      auto made = co_await repair_statistics(product, found);
      if (!made) co_return made;
    }
    co_return Done{};
  }

 private:
  // Takes the recount, and then all that follows the table, to now. A target differs while it lags;
  // and statistics that are repaired before they have a change would count it twice.
  Awaitable<Status> catch_up() {
    auto caught_up = co_await recount_.catch_up(table_.source);
    if (!caught_up) co_return caught_up;
    for (const auto& each : table_.followed) {
      auto followed = co_await wait_for(each);
      if (!followed) co_return followed;
    }
    co_return Done{};
  }

  // Until the target has all that the recount has. Gives up when its marks no longer move.
  Awaitable<Status> wait_for(Followed followed) {
    std::map<std::string, Mark> marks;
    for (auto moved = SteadyClock::now();;) {
      CO_TRY(auto state, co_await followed.target->state());
      CO_TRY(auto within, co_await has_all(followed, state));
      if (within) co_return Done{};
      auto now = SteadyClock::now();
      if (std::exchange(marks, state.marks) != state.marks) moved = now;
      if (now >= moved + options_.stall_timeout) co_return lags_behind(followed.what, state);
      co_await pause(options_.wait_step);
    }
  }

  // AWS Lambda keeps no marks of shards, but its statistics know each comment's last change. Lists
  // may be repaired before they have a change.
  Awaitable<Result<bool>> has_all(Followed followed, State state) {
    if (!state.marks.contains(lambda_mark)) co_return recount_.within(state);
    if (followed.target != &table_.statistics) co_return true;
    for (const auto& [shard, told] : recount_.told()) {
      if (told.sequence.empty()) continue;
      auto seen = co_await table_.statistics.has_seen(told.id, told.sequence);
      if (!seen || !*seen) co_return seen;
    }
    co_return true;
  }

  // Leaves what is right alone: it may be newer than the recount by now.
  Awaitable<Status> repair_statistics(std::string product, const Finding& found) {
    if (!found.statistics) co_return Done{};
    CO_TRY(auto totals, co_await recount_.totals(product));
    std::map<std::string, Totals> counted;
    counted.emplace(product, std::move(totals));
    auto made = co_await table_.statistics.put(std::move(counted), {});
    if (!made) spdlog::warn("{}: {}", product, made.error().message);
    co_return Done{};
  }

  const ProjectedTable& table_;
  Recount& recount_;
  const Verification& options_;
};

// A target that does not follow the table says so itself: there is nothing to compare.
Awaitable<Status> all_follow(const ProjectedTable& table) {
  for (const auto& each : table.followed) {
    CO_TRY(auto state, co_await each.target->state());
    if (state.phase == Phase::following) continue;
    co_return Error{ErrorCode::unavailable,
                    "The " + each.what + " does not follow the table: run quire backfill."};
  }
  co_return Done{};
}

// The recount has words where the page index has some.
Awaitable<Status> want_same_words(const ProjectedTable& table, PageIndex& recount) {
  if (!table.index) co_return Done{};
  CO_TRY(auto words, co_await table.index->words());
  if (words.state != word_index::State::ready) co_return Done{};
  co_return co_await recount.want_words();
}

// Adds the products that differ to `findings`.
Awaitable<Status> compare_some(Comparison& comparison, std::span<const std::string> products,
                               Findings& findings) {
  std::vector<Awaitable<Result<Finding>>> works;
  for (const auto& product : products) works.push_back(comparison.compare_product(product));
  auto found = co_await all(std::move(works));
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (!found[i]) co_return found[i].error();
    if (!found[i]->sentences.empty()) findings.emplace(products[i], std::move(*found[i]));
  }
  co_return Done{};
}

// Compares the products after `after`, until `max_products` differ. The last product compared;
// nothing: there are no more.
Awaitable<Result<std::optional<std::string>>> first_look(Comparison& comparison, std::string after,
                                                         std::size_t max_products,
                                                         Findings& findings) {
  for (;;) {
    CO_TRY(auto products, co_await comparison.products(after));
    if (products.empty()) co_return std::optional<std::string>();
    for (std::span<const std::string> left(products); !left.empty();) {
      auto some = left.first(std::min(compared_at_once, left.size()));
      left = left.subspan(some.size());
      CO_TRY_DONE(co_await compare_some(comparison, some, findings));
      after = some.back();
      if (findings.size() >= max_products) co_return std::optional(after);
    }
  }
}

void report(const std::vector<std::string>& sentences, Reports& out) {
  for (const auto& sentence : sentences) {
    if (++out.differences <= max_sentences) out.sentences.push_back(sentence);
  }
}

void report(const Findings& findings, Reports& out) {
  for (const auto& [product, found] : findings) report(found.sentences, out);
}

Awaitable<Status> inspect(Inspection& inspection, bool repair_items, Verified& out) {
  CO_TRY(auto found, co_await inspection.look_again());
  report(found, out.found);
  if (!repair_items || found.empty()) co_return Done{};
  CO_TRY(out.items, co_await inspection.repair());
  CO_TRY(auto left, co_await inspection.look_again());
  report(left, out.left);
  co_return Done{};
}

Awaitable<Status> repair_all(Comparison& comparison, Findings& findings) {
  for (int round = 0; round < rounds && !findings.empty(); ++round) {
    auto repaired = co_await comparison.repair(findings);
    if (!repaired) co_return repaired;
    auto looked = co_await comparison.look_again(findings);
    if (!looked) co_return looked;
  }
  co_return Done{};
}

// Goes through the products, as many at a time as may differ.
Awaitable<Status> verify_products(Comparison& comparison, const Verification& options,
                                  Verified& out) {
  std::size_t products = 0;  // that differ
  for (std::optional<std::string> after = ""; after;) {
    Findings findings;
    CO_TRY(auto ended, co_await first_look(comparison, *after, options.max_products, findings));
    CO_TRY_DONE(co_await comparison.look_again(findings));
    report(findings, out.found);
    products += findings.size();
    Status repaired = Done{};
    if (options.repair) repaired = co_await repair_all(comparison, findings);
    if (!repaired) co_return repaired.error();
    report(findings, out.left);
    after = std::move(ended);
    if (options.repair || !after || products < options.max_products) continue;
    out.found.sentences.push_back("Too many products differ; the others were not compared.");
    break;
  }
  co_return Done{};
}

}  // namespace

Awaitable<Result<Verified>> verify(const ProjectedTable& table, Inspection& inspection,
                                   const MakeIndex& make_index, const Verification& options,
                                   Progress& progress) {
  CO_TRY_DONE(co_await all_follow(table));
  CO_TRY(auto index, make_index());
  CO_TRY_DONE(co_await want_same_words(table, *index));
  Recount recount(std::move(index), options.recount, recount_patience);
  CO_TRY_DONE(co_await recount.count(table.source, options.segments, progress));
  Verified out{.comments = progress.comments};
  CO_TRY_DONE(co_await inspect(inspection, options.repair, out));
  Comparison comparison(table, recount, options);
  CO_TRY_DONE(co_await verify_products(comparison, options, out));
  co_return out;
}

}  // namespace quire::projection
