// The client of DynamoDB: sends a request to the service until it is answered or given up. It signs
// the request, checks the answer's checksum, and tries again where that may help. The client knows
// nothing of comments.
// Used on one loop; only its metrics are thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "client/http_client.h"
#include "dynamodb/address.h"
#include "dynamodb/calls.h"
#include "dynamodb/retry.h"
#include "dynamodb/signing.h"
#include "loop/loop.h"
#include "quire/result.h"

namespace quire::dynamodb {

inline constexpr int max_pages = 1000;  // of one listing, a megabyte each

// Runs many requests, a limited number at once, so that those of other callers have their turn.
inline constexpr std::size_t max_group = 32;

// The results, in the order of the works. A group begins when the one before it has ended. After a
// group with an error no other begins: then the results are fewer, and an error is among them.
template <class T>
Awaitable<std::vector<Result<T>>> all_in_groups(std::vector<Awaitable<Result<T>>> works) {
  std::vector<Result<T>> results;
  results.reserve(works.size());
  for (auto next = works.begin(); next != works.end();) {
    auto count = std::min<std::ptrdiff_t>(max_group, works.end() - next);
    std::vector<Awaitable<Result<T>>> group(std::make_move_iterator(next),
                                            std::make_move_iterator(next + count));
    next += count;
    auto some = co_await all(std::move(group));
    bool failed =
        !std::all_of(some.begin(), some.end(), [](const auto& each) { return bool(each); });
    std::move(some.begin(), some.end(), std::back_inserter(results));
    if (failed) break;
  }
  co_return results;
}

struct Answer {
  std::string body;                     // of a success
  std::optional<Failure> failure = {};  // of the last try; absent: success
  // A try broke off: the service may have applied it all the same.
  bool unclear = false;
};

// The error that a user of Quire is told. The service's own words name accounts and tables, so they
// go to the log alone.
Error error_of(const Failure& failure);

// The network, credentials, clock and chance that a client uses. Tests bring their own.
struct Surroundings {
  std::function<Awaitable<Result<HttpResponse>>(HttpRequest, Deadline)> exchange;
  // `refused`: the access key that the service refused; empty: none.
  std::function<Awaitable<Result<Credentials>>(std::string refused)> credentials;
  std::function<std::uint64_t()> now_ms;
  std::function<double()> chance;  // from 0 up to 1
  std::function<Awaitable<void>(Milliseconds)> sleep;
  // For what is kept for a time: the system's clock may be set back. Any thread may call it.
  std::function<Deadline()> steady_now = std::chrono::steady_clock::now;
};

// Counted since the start. Any thread may read them.
struct ClientMetrics {
  std::atomic<std::uint64_t> requests = 0, retries = 0, throttled = 0, failed = 0;
  std::atomic<double> consumed = 0;  // read units
  void add_consumed(double units);
};

class TableClient {
 public:
  static constexpr std::chrono::seconds request_timeout{10};  // for a request with all its tries
  static constexpr std::chrono::seconds try_timeout{4};

  TableClient(const Address& address, Surroundings surroundings)
      : address_(address), surroundings_(std::move(surroundings)) {}

  // `target`: the API that is called, DynamoDB's or that of its streams (`streams_target`).
  Awaitable<Answer> send(Call call, std::string_view target = "DynamoDB_20120810");

  // The item with this key, by a consistent read. Its price is added to the metrics.
  Awaitable<Result<ItemAnswer>> get(Item key);
  // One page of a query or a scan. Its price is added to the metrics.
  Awaitable<Result<PageAnswer>> page(Call call);
  // All pages of a query, as one. Where they do not end, the log says `endless`.
  Awaitable<Result<PageAnswer>> all(QueryArguments arguments, std::string endless);
  // Makes a write that has a condition. False: its condition did not hold.
  Awaitable<Result<bool>> make(Call write);
  // Waits before the next round of a write that other writes refused; longer each round.
  Awaitable<void> pause(int round);
  // Waits for a random part of this time.
  Awaitable<void> pause_up_to(Milliseconds longest);

  const std::string& table() const { return address_.table; }
  // The surroundings' steady time. Any thread may call it.
  Deadline now() const { return surroundings_.steady_now(); }
  ClientMetrics& metrics() { return metrics_; }

 private:
  // `key`: the access key that was refused before, and after the try the one that it used.
  Awaitable<std::variant<std::string, Failure>> attempt(const Call& call, std::string_view target,
                                                        Deadline deadline, std::string& key,
                                                        std::optional<Milliseconds>& asked);
  void correct_clock(const std::string& date);

  Address address_;
  Surroundings surroundings_;
  RetryBudget budget_;
  std::int64_t clock_offset_ms_ = 0;  // the service's clock minus this machine's
  ClientMetrics metrics_;
};

}  // namespace quire::dynamodb
