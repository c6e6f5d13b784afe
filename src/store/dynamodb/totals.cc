#include "store/dynamodb/totals.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace quire::dynamodb {
namespace {

namespace asio = boost::asio;

Deadline now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

struct TotalsCache::Flight {
  asio::steady_timer landed;  // never expires; cancelled when there is a result
  std::optional<Result<Known>> result;
  bool outdated = false;  // written to meanwhile
};

Awaitable<Result<TotalsCache::Known>> TotalsCache::get(std::string product) {
  auto at = rows_.find(product);
  if (at != rows_.end() && at->second.totals && now() < at->second.fresh_until)
    co_return Known{at->second.totals};
  co_return co_await fetch(std::move(product));
}

Awaitable<Result<TotalsCache::Known>> TotalsCache::known(std::string product) {
  auto at = rows_.find(product);
  if (at != rows_.end() && at->second.totals) co_return Known{at->second.totals};
  co_return co_await fetch(std::move(product));
}

Awaitable<Result<TotalsCache::Known>> TotalsCache::fetch(std::string product) {
  auto executor = co_await asio::this_coro::executor;
  if (auto flight = row(product).flight) {
    boost::system::error_code cancelled;
    while (!flight->result)
      co_await flight->landed.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
    if (!*flight->result) co_return flight->result->error();
    co_return Known{(*flight->result)->totals};
  }
  auto flight = std::make_shared<Flight>(
      Flight{asio::steady_timer(executor, asio::steady_timer::time_point::max()), {}});
  row(product).flight = flight;
  flight->result = co_await ask(product);
  flight->landed.cancel();
  auto at = rows_.find(product);
  if (at == rows_.end() || at->second.flight != flight) co_return *flight->result;
  at->second.flight.reset();
  if (*flight->result && !flight->outdated) {
    at->second.totals = (*flight->result)->totals;
    at->second.fresh_until = now() + kept;
  }
  co_return *flight->result;
}

void TotalsCache::put(const std::string& product, Totals totals) {
  forget(product);
  Row& at = row(product);
  at.totals = std::make_shared<const Totals>(std::move(totals));
  at.fresh_until = now() + kept;
}

void TotalsCache::forget(const std::string& product) {
  auto at = rows_.find(product);
  if (at == rows_.end()) return;
  at->second.totals.reset();
  // Who waits for it takes it; who comes later asks anew.
  if (at->second.flight) at->second.flight->outdated = true;
  at->second.flight.reset();
}

Awaitable<Result<TotalsCache::Known>> TotalsCache::ask(const std::string& product) {
  Totals totals;
  double consumed = 0;
  std::optional<Item> start;
  do {
    Answer answer = co_await client_.send(statistics_query(client_.table(), product, start));
    if (answer.failure) co_return error_of(*answer.failure);
    auto page = decode_page(answer.body);
    if (!page) co_return error_of(broken("the answer to a query is damaged"));
    for (const auto& item : page->items) add_statistics(totals, item);
    consumed += page->consumed;
    start = std::move(page->last);
  } while (start);
  client_.figures().add_consumed(consumed);
  co_return Known{std::make_shared<const Totals>(std::move(totals)), consumed};
}

// Of what is kept longest nothing is known, so any row makes room for another.
TotalsCache::Row& TotalsCache::row(const std::string& product) {
  if (rows_.size() >= most_products && !rows_.contains(product)) {
    std::erase_if(rows_, [](const auto& each) {
      return !each.second.flight && each.second.fresh_until < now();
    });
    if (rows_.size() >= most_products) rows_.erase(rows_.begin());
  }
  return rows_[product];
}

}  // namespace quire::dynamodb
