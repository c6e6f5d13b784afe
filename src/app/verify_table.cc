#include "app/verify_table.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "app/recount.h"
#include "loop/loop.h"
#include "loop/wait.h"
#include "projection/compare.h"
#include "projection/shards.h"
#include "store/dynamodb/inspection/inspection.h"
#include "store/dynamodb/statistics/statistics.h"

namespace quire {
namespace {

constexpr std::size_t segments = 8;
constexpr std::size_t compared_at_once = 16;
constexpr std::size_t most_reports = 1000;
constexpr std::size_t most_wrong = 10'000;   // products
constexpr std::size_t mended_at_once = 500;  // entries of the page index
constexpr int rounds = 3;                    // of mending what differs, and looking at it
constexpr int looks = 3;                     // at what differs, after the first
constexpr Milliseconds between_looks{1500};  // time for workers to be in step
constexpr Milliseconds fresh{1000};          // how old a recount may be to mend by it
constexpr std::chrono::seconds in_step{30};  // that what follows may lag without moving
constexpr Milliseconds glance{200};

// What one part of the table has of a product, compared with the recount.
struct Found {
  std::vector<std::string> sentences;
  bool statistics = false;           // some of them are of the statistics
  std::vector<change::Change> mend;  // of the page index
};
using Wrong = std::map<std::string, Found>;  // by product

Error behind(const std::string& what, const change::State& state) {
  bool lambda = state.marks.contains(projection::lambda_mark);
  return {ErrorCode::unavailable,
          "Something differs, but the table's " + what + " lags behind it. Run it again when " +
              (lambda ? "quire lambda has applied what was written: see IteratorAge."
                      : "quire project runs and is in step.")};
}

class Verification {
 public:
  Verification(OpenProjection& open, Recount& recount) : open_(open), recount_(recount) {}

  Awaitable<Result<std::vector<std::string>>> products(std::string after) {
    auto named = co_await all_products(open_.statistics(), recount_, after);
    if (!named || !open_.pages()) co_return named;
    auto indexed = co_await open_.pages()->products(after, products_at_once);
    if (!indexed) co_return indexed.error();
    co_return projection::both(*named, *indexed, products_at_once);
  }

  Awaitable<Result<Found>> compare(std::string product) {
    Found found;
    auto totals = co_await recount_.totals(product);
    if (!totals) co_return totals.error();
    auto statistics = co_await open_.statistics().differences(product, std::move(*totals));
    if (!statistics) co_return statistics.error();
    found.sentences = std::move(*statistics);
    found.statistics = !found.sentences.empty();
    if (!open_.pages()) co_return found;
    auto index = co_await projection::compare(recount_.index(), *open_.pages(), product);
    if (!index) co_return index.error();
    for (auto& sentence : index->sentences) found.sentences.push_back("Page index: " + sentence);
    found.mend = std::move(index->mend);
    co_return found;
  }

  // The recount, and then what follows the table. What that has not applied yet would differ; and
  // statistics that were mended before they have it would count it twice.
  Awaitable<Status> catch_up() {
    auto caught_up = co_await recount_.catch_up(open_.source());
    if (!caught_up) co_return caught_up;
    for (const auto& each : open_.followed()) {
      auto followed = co_await wait_for(each);
      if (!followed) co_return followed;
    }
    co_return Done{};
  }

  // What differs in every look is wrong; whatever is right once is right.
  Awaitable<Status> look(Wrong& wrong) {
    for (int i = 0; i < looks && !wrong.empty(); ++i) {
      co_await pause(between_looks);
      auto caught_up = co_await catch_up();
      if (!caught_up) co_return caught_up.error();
      for (auto at = wrong.begin(); at != wrong.end();) {
        auto found = co_await compare(at->first);
        if (!found) co_return found.error();
        bool differs = !found->sentences.empty();
        if (differs) at->second = std::move(*found);
        at = differs ? std::next(at) : wrong.erase(at);
      }
    }
    co_return Done{};
  }

  // Each at once when it was compared, by a recount that is not old: mending undoes what that has
  // not seen. What is written just meanwhile makes a product wrong again, and a look tells.
  Awaitable<Status> mend(const Wrong& wrong) {
    std::chrono::steady_clock::time_point old{};
    for (const auto& [product, before] : wrong) {
      if (std::chrono::steady_clock::now() >= old) {
        auto caught_up = co_await catch_up();
        if (!caught_up) co_return caught_up.error();
        old = std::chrono::steady_clock::now() + fresh;
      }
      auto found = co_await compare(product);
      if (!found) co_return found.error();
      auto made = co_await put(product, std::move(*found));
      if (!made) co_return made.error();
    }
    co_return Done{};
  }

 private:
  // As long as it moves.
  Awaitable<Status> wait_for(OpenProjection::Followed followed) {
    std::map<std::string, change::Mark> marks;
    for (auto moved = std::chrono::steady_clock::now();;) {
      auto state = co_await followed.target->state();
      if (!state) co_return state.error();
      auto within = co_await has_all(followed, *state);
      if (!within) co_return within.error();
      if (*within) co_return Done{};
      auto now = std::chrono::steady_clock::now();
      if (std::exchange(marks, state->marks) != state->marks) moved = now;
      if (now >= moved + in_step) co_return behind(followed.what, *state);
      co_await pause(glance);
    }
  }

  // Functions keep no place in the stream, but statistics know each change that they have. Lists
  // may be mended before they have it.
  Awaitable<Result<bool>> has_all(OpenProjection::Followed followed, change::State state) {
    if (!state.marks.contains(projection::lambda_mark)) co_return recount_.within(state);
    if (followed.target != &open_.statistics()) co_return true;
    for (const auto& [shard, told] : recount_.told()) {
      if (told.place.empty()) continue;
      auto seen = co_await open_.statistics().has_seen(told.id, told.place);
      if (!seen || !*seen) co_return seen;
    }
    co_return true;
  }

  // As the recount has it. What is right is left alone: it may be newer than that by now.
  Awaitable<Status> put(std::string product, Found found) {
    if (found.statistics) {
      auto totals = co_await recount_.totals(product);
      if (!totals) co_return totals.error();
      std::map<std::string, dynamodb::Totals> counted;
      counted.emplace(product, std::move(*totals));
      auto made = co_await open_.statistics().put(std::move(counted));
      if (!made) spdlog::warn("{}: {}", product, made.error().message);
    }
    for (std::size_t from = 0; from < found.mend.size(); from += mended_at_once) {
      auto end = std::min(found.mend.size(), from + mended_at_once);
      std::vector<change::Change> some(found.mend.begin() + static_cast<std::ptrdiff_t>(from),
                                       found.mend.begin() + static_cast<std::ptrdiff_t>(end));
      auto made = co_await open_.pages()->put(std::move(some));
      if (!made) co_return made.error();
    }
    co_return Done{};
  }

  OpenProjection& open_;
  Recount& recount_;
};

// Nothing is compared with what says itself that it is not in step.
Awaitable<Status> follows(const OpenProjection& open) {
  for (const auto& each : open.followed()) {
    auto state = co_await each.target->state();
    if (!state) co_return state.error();
    if (state->phase == change::Phase::following) continue;
    co_return Error{ErrorCode::unavailable,
                    "The " + each.what + " does not follow the table: run quire backfill."};
  }
  co_return Done{};
}

// Adds those that differ to `wrong`.
Awaitable<Status> compare(Verification& verification, std::span<const std::string> products,
                          Wrong& wrong) {
  std::vector<Awaitable<Result<Found>>> works;
  for (const auto& product : products) works.push_back(verification.compare(product));
  auto found = co_await all(std::move(works));
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (!found[i]) co_return found[i].error();
    if (!found[i]->sentences.empty()) wrong.emplace(products[i], std::move(*found[i]));
  }
  co_return Done{};
}

// At the products after `after`, until so many differ; where it ended, or nothing after all.
Awaitable<Result<std::optional<std::string>>> first_look(Verification& verification,
                                                         std::string after, Wrong& wrong) {
  for (;;) {
    auto products = co_await verification.products(after);
    if (!products) co_return products.error();
    if (products->empty()) co_return std::optional<std::string>();
    for (std::span<const std::string> left(*products); !left.empty();) {
      auto some = left.first(std::min(compared_at_once, left.size()));
      left = left.subspan(some.size());
      auto compared = co_await compare(verification, some, wrong);
      if (!compared) co_return compared.error();
      after = some.back();
      if (wrong.size() >= most_wrong) co_return std::optional(after);
    }
  }
}

void report(const std::vector<std::string>& sentences, Reports& out) {
  for (const auto& sentence : sentences) {
    if (++out.differences <= most_reports) out.sentences.push_back(sentence);
  }
}

void report(const Wrong& wrong, Reports& out) {
  for (const auto& [product, found] : wrong) report(found.sentences, out);
}

// Items that the scan found at fault.
Awaitable<Status> inspect(dynamodb::Inspection& inspection, bool mend_them, Checked& checked) {
  auto found = co_await inspection.look_again();
  if (!found) co_return found.error();
  report(*found, checked.found);
  if (!mend_them || found->empty()) co_return Done{};
  auto mended = co_await inspection.mend();
  if (!mended) co_return mended;
  auto left = co_await inspection.look_again();
  if (!left) co_return left.error();
  report(*left, checked.left);
  co_return Done{};
}

Awaitable<Status> mend(Verification& verification, Wrong& wrong) {
  for (int round = 0; round < rounds && !wrong.empty(); ++round) {
    auto mended = co_await verification.mend(wrong);
    if (!mended) co_return mended;
    auto looked = co_await verification.look(wrong);
    if (!looked) co_return looked;
  }
  co_return Done{};
}

Awaitable<Result<Checked>> verify(OpenProjection& open, bool mend_it, Milliseconds poll,
                                  projection::Progress& progress) {
  auto in_step = co_await follows(open);
  if (!in_step) co_return in_step.error();
  auto recount = Recount::make(poll);
  if (!recount) co_return recount.error();
  auto& inspection = open.inspection();
  auto counted = co_await (*recount)->count(open.source(), segments, progress);
  if (!counted) co_return counted.error();
  Checked checked{.comments = progress.comments};
  auto inspected = co_await inspect(inspection, mend_it, checked);
  if (!inspected) co_return inspected.error();
  Verification verification(open, **recount);
  std::size_t products = 0;  // that differ
  for (std::optional<std::string> after = ""; after;) {
    Wrong wrong;
    auto ended = co_await first_look(verification, *after, wrong);
    if (!ended) co_return ended.error();
    auto looked = co_await verification.look(wrong);
    if (!looked) co_return looked.error();
    report(wrong, checked.found);
    products += wrong.size();
    Status mended = Done{};
    if (mend_it) mended = co_await mend(verification, wrong);
    if (!mended) co_return mended.error();
    report(wrong, checked.left);
    after = std::move(*ended);
    if (mend_it || !after || products < most_wrong) continue;
    checked.found.sentences.push_back("That is enough: it was not looked any further.");
    break;
  }
  co_return checked;
}

}  // namespace

Result<Checked> verify_table(OpenProjection& open, bool mend, Milliseconds poll,
                             projection::Progress& progress) {
  return wait(verify(open, mend, poll, progress));
}

}  // namespace quire
