#include "store/dynamodb/totals/totals_cache.h"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <new>

#include "base/clock.h"
#include "dynamodb/groups.h"
#include "store/dynamodb/items/bounds.h"

namespace quire::dynamodb {
namespace {

namespace asio = boost::asio;

// "Usually within one second or less", as the service says of eventually consistent reads.
constexpr std::uint64_t replica_lag_ms = 1000;

Deadline now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

struct TotalsCache::Flight {
  asio::steady_timer landed;  // never expires; cancelled when there is a result
  bool consistent;
  std::optional<Result<Known>> result;
};

std::optional<TotalsCache::Known> TotalsCache::fresh(const std::string& product) const {
  std::lock_guard lock(mutex_);
  auto at = rows_.find(product);
  if (at == rows_.end() || !at->second.totals || now() >= at->second.fresh_until) return {};
  return Known{at->second.totals, 0, at->second.as_of_ms};
}

Awaitable<Result<TotalsCache::Known>> TotalsCache::get(std::string product) {
  if (auto known = fresh(product)) co_return std::move(*known);
  co_return co_await share(std::move(product), false);
}

Awaitable<std::vector<Result<TotalsCache::Known>>> TotalsCache::get_all(
    std::span<const std::string> products) {
  std::vector<Awaitable<Result<Known>>> works;
  for (const auto& product : products) works.push_back(get(product));
  co_return co_await all_in_groups(std::move(works));
}

Awaitable<Result<TotalsCache::Known>> TotalsCache::known(std::string product) {
  auto at = rows_.find(product);
  if (at != rows_.end() && at->second.totals) co_return Known{at->second.totals};
  co_return co_await fetch(std::move(product));
}

Awaitable<Result<TotalsCache::Known>> TotalsCache::share(std::string product, bool consistent) {
  auto executor = co_await asio::this_coro::executor;
  auto at = rows_.find(product);
  auto flight = at == rows_.end() ? nullptr : at->second.flight;
  if (flight && flight->consistent >= consistent) {
    boost::system::error_code cancelled;
    while (!flight->result)
      co_await flight->landed.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    if (!*flight->result) co_return flight->result->error();
    co_return Known{(*flight->result)->totals, 0, (*flight->result)->as_of_ms};
  }
  flight = std::make_shared<Flight>(
      Flight{asio::steady_timer(executor, asio::steady_timer::time_point::max()), consistent, {}});
  change(product, [&](Row& row) { row.flight = flight; });
  try {
    flight->result = co_await ask(product, consistent);
  } catch (const std::exception& failed) {  // callers that wait must get a result
    flight->result = error_of(broken(failed.what()));
  }
  flight->landed.cancel();
  change(product, [&](Row& row) {
    if (row.flight != flight) return;
    row.flight.reset();
    if (!*flight->result) return;
    row.totals = (*flight->result)->totals;
    row.as_of_ms = (*flight->result)->as_of_ms;
    row.fresh_until = now() + kept;
  });
  co_return *flight->result;
}

// The write is made: where there is no memory to keep its totals, they are forgotten.
void TotalsCache::put(const std::string& product, Totals totals) noexcept try {
  change(product, [&](Row& row) {
    row.flight.reset();
    row.totals = std::make_shared<const Totals>(std::move(totals));
    row.as_of_ms.reset();
    row.fresh_until = now() + kept;
  });
} catch (const std::bad_alloc&) {
  forget(product);
}

void TotalsCache::forget(const std::string& product) noexcept {
  std::lock_guard lock(mutex_);
  rows_.erase(product);
}

Awaitable<Result<TotalsCache::Known>> TotalsCache::ask(const std::string& product,
                                                       bool consistent) {
  Totals totals;
  double consumed = 0;
  // Read before the totals: read afterwards, it could promise more than the totals have.
  std::optional<std::uint64_t> as_of_ms;
  if (!freshness_) {
    as_of_ms = std::max(system_ms(), replica_lag_ms) - replica_lag_ms;
  } else if (!consistent) {
    auto found = co_await freshness_->get();
    if (found) as_of_ms = *found;
  }
  std::optional<Item> start;
  int pages = 0;
  do {
    if (++pages > max_pages) co_return error_of(broken("the statistics have no end"));
    Answer answer =
        co_await client_.send(statistics_query(client_.table(), product, start, consistent));
    if (answer.failure) co_return error_of(*answer.failure);
    auto page = decode_page(answer.body);
    if (!page) co_return error_of(broken("the answer to a query is damaged"));
    for (const auto& item : page->items) add_statistics(totals, item);
    consumed += page->consumed;
    start = std::move(page->last);
  } while (start);
  client_.figures().add_consumed(consumed);
  Known known{std::make_shared<const Totals>(std::move(totals)), consumed, as_of_ms};
  co_return known;
}

// Which row is used least is not known, so any row makes room for another.
void TotalsCache::change(const std::string& product, const std::function<void(Row&)>& make) {
  std::lock_guard lock(mutex_);
  if (rows_.size() >= max_products && !rows_.contains(product)) {
    std::erase_if(rows_, [](const auto& each) {
      return !each.second.flight && each.second.fresh_until < now();
    });
    if (rows_.size() >= max_products) rows_.erase(rows_.begin());
  }
  make(rows_[product]);
}

}  // namespace quire::dynamodb
