// The statistics items of products, kept for a few seconds, and asked for by one request at a time
// however many callers want them. Lives on one loop; only fresh() is for any thread.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "dynamodb/client.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/totals/freshness.h"

namespace quire::dynamodb {

// By product.
using KnownTotals = std::map<std::string, std::shared_ptr<const Totals>>;

class TotalsCache {
 public:
  static constexpr std::chrono::seconds kept{3};
  static constexpr std::size_t max_products = 10'000;

  // `freshness`: of statistics that others keep.
  explicit TotalsCache(Client& client, Freshness* freshness = nullptr)
      : client_(client), freshness_(freshness) {}

  struct Known {
    std::shared_ptr<const Totals> totals;
    double consumed = 0;  // by asking for them now
    // What was written before then is in them; nothing: it is not known.
    std::optional<std::uint64_t> as_of_ms = {};
  };

  // What get() would give at once; nothing if it had to ask.
  std::optional<Known> fresh(const std::string& product) const;
  // A few seconds old at most, but for what the service's replicas are behind.
  Awaitable<Result<Known>> get(std::string product);
  // What a writer knew last, however old; fetched if it knows nothing.
  Awaitable<Result<Known>> known(std::string product);
  // As they are now; costs twice as much.
  Awaitable<Result<Known>> fetch(std::string product) { return share(std::move(product), true); }
  // A write of this process has made them so.
  void put(const std::string& product, Totals totals);
  // A write of this process has changed them, it is not known how.
  void forget(const std::string& product);

 private:
  struct Flight;
  struct Row {
    std::shared_ptr<const Totals> totals;
    std::optional<std::uint64_t> as_of_ms;
    Deadline fresh_until;
    // A request under way, whose result is kept. After a write it is taken out: who waits for it
    // takes what it brings, who comes later asks anew.
    std::shared_ptr<Flight> flight;
  };

  Awaitable<Result<Known>> share(std::string product, bool consistent);
  Awaitable<Result<Known>> ask(const std::string& product, bool consistent);
  void change(const std::string& product, const std::function<void(Row&)>& make);

  Client& client_;
  Freshness* freshness_;
  std::unordered_map<std::string, Row> rows_;
  mutable std::mutex mutex_;  // held by the loop when it changes rows_, by others when they look
};

}  // namespace quire::dynamodb
