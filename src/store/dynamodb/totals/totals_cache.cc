#include "store/dynamodb/totals/totals_cache.h"

#include "base/try.h"

#include <algorithm>
#include <new>

namespace quire::dynamodb {

std::size_t EmptyLists::slot(std::string_view product) {
  return std::hash<std::string_view>()(product) % decltype(written_ms_)().size();
}

// Writes that end at the same time may leave the time of either.
void EmptyLists::note_write(std::string_view product) {
  if (max_age_ms_ > 0) written_ms_[slot(product)] = clock_();
}

// This process's clock and those that made `complete_ms` may differ by up to the age that is
// allowed.
std::optional<std::uint64_t> EmptyLists::age_ms(std::string_view product,
                                                std::uint64_t complete_ms) const {
  if (max_age_ms_ == 0) return {};
  auto now = clock_();
  if (complete_ms > now || now - complete_ms > max_age_ms_) return {};
  if (written_ms_[slot(product)] + max_age_ms_ >= complete_ms) return {};
  return now - complete_ms;
}

namespace {

// "Usually within one second or less", as the service says of eventually consistent reads.
constexpr std::uint64_t replica_lag_ms = 1000;

}  // namespace

std::optional<Known<Totals>> TotalsCache::fresh(const std::string& product) const {
  std::lock_guard lock(mutex_);
  auto at = entries_.find(product);
  if (at == entries_.end() || !at->second.totals || client_.now() >= at->second.fresh_until)
    return {};
  return Known<Totals>{at->second.totals, 0, at->second.as_of_ms};
}

Awaitable<Result<Known<Totals>>> TotalsCache::get(std::string product) {
  if (auto known = fresh(product)) co_return std::move(*known);
  co_return co_await share(std::move(product), false);
}

Awaitable<std::vector<Result<Known<Totals>>>> TotalsCache::get_all(
    std::span<const std::string> products) {
  std::vector<Awaitable<Result<Known<Totals>>>> works;
  for (const auto& product : products) works.push_back(get(product));
  co_return co_await all_in_groups(std::move(works));
}

Awaitable<Result<Known<Totals>>> TotalsCache::known(std::string product) {
  auto at = entries_.find(product);
  if (at != entries_.end() && at->second.totals) co_return Known<Totals>{at->second.totals};
  co_return co_await fetch(std::move(product));
}

Awaitable<Result<Known<Totals>>> TotalsCache::share(std::string product, bool consistent) {
  auto at = entries_.find(product);
  auto question = at == entries_.end() ? nullptr : at->second.question;
  bool first = !question || question->consistent < consistent;
  if (first) {
    question = std::make_shared<RunningRead>(RunningRead{consistent});
    change(product, [&](Entry& entry) { entry.question = question; });
  }
  std::function<Awaitable<Result<Known<Totals>>>()> ask = [=, this] {
    return answer(product, question);
  };
  auto known = co_await question->answer.get(std::move(ask));
  if (known && !first) known->consumed = 0;
  co_return known;
}

Awaitable<Result<Known<Totals>>> TotalsCache::answer(std::string product,
                                                     std::shared_ptr<RunningRead> question) {
  Result<Known<Totals>> known = Known<Totals>{};
  try {
    known = co_await ask(product, question->consistent);
  } catch (const std::exception& failed) {
    known = error_of(broken(failed.what()));
  }
  change(product, [&](Entry& entry) {
    if (entry.question != question) return;
    entry.question.reset();
    if (!known) return;
    entry.totals = known->value;
    entry.as_of_ms = known->as_of_ms;
    entry.fresh_until = client_.now() + kept;
  });
  co_return known;
}

// The write is made: where there is no memory to keep its totals, they are forgotten.
void TotalsCache::put(const std::string& product, Totals totals) noexcept try {
  change(product, [&](Entry& entry) {
    entry.question.reset();
    entry.totals = std::make_shared<const Totals>(std::move(totals));
    entry.as_of_ms.reset();
    entry.fresh_until = client_.now() + kept;
  });
} catch (const std::bad_alloc&) {
  forget(product);
}

void TotalsCache::forget(const std::string& product) noexcept {
  std::lock_guard lock(mutex_);
  entries_.erase(product);
}

Awaitable<Result<Known<Totals>>> TotalsCache::ask(const std::string& product, bool consistent) {
  // Read before the totals: read afterwards, it could promise more than the totals have.
  std::optional<std::uint64_t> as_of_ms;
  if (!freshness_) {
    as_of_ms = std::max(system_ms(), replica_lag_ms) - replica_lag_ms;
  } else if (!consistent) {
    auto found = co_await freshness_->get();
    if (found) as_of_ms = *found;
  }
  CO_TRY(auto found, co_await client_.all(statistics_of(client_.table(), product, consistent),
                                          "the statistics have no end"));
  Totals totals;
  for (const auto& item : found.items) add_statistics(totals, item);
  Known<Totals> known{std::make_shared<const Totals>(std::move(totals)), found.consumed, as_of_ms};
  co_return known;
}

// Which row is used least is not known, so any row makes room for another.
void TotalsCache::change(const std::string& product, const std::function<void(Entry&)>& make) {
  std::lock_guard lock(mutex_);
  if (entries_.size() >= max_products && !entries_.contains(product)) {
    std::erase_if(entries_, [now = client_.now()](const auto& each) {
      return !each.second.question && each.second.fresh_until < now;
    });
    if (entries_.size() >= max_products) entries_.erase(entries_.begin());
  }
  make(entries_[product]);
}

}  // namespace quire::dynamodb
