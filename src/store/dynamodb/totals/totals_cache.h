// Caches the statistics of products for a few seconds. One request for each product serves all
// callers. Used on one loop; only fresh() is for any thread.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "dynamodb/known.h"
#include "dynamodb/table_client.h"
#include "loop/one_answer.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/totals/marks.h"

namespace quire::dynamodb {

// Thread-safe.
class EmptyLists {
 public:
  // `max_age`: of the counts; 0: they never may.
  explicit EmptyLists(std::chrono::seconds max_age, Clock clock = system_ms)
      : max_age_ms_(1000 * static_cast<std::uint64_t>(max_age.count())), clock_(std::move(clock)) {}

  // This process has, or may have, put comments into lists of the product.
  void note_write(std::string_view product);

  // The age, in ms, of counts that have all writes to the product before `complete_ms`, in ms since
  // 1970. Absent: lists have to be asked. The counts are too old, or from the future; or they may
  // miss a write of this process.
  std::optional<std::uint64_t> age_ms(std::string_view product, std::uint64_t complete_ms) const;

 private:
  static std::size_t slot(std::string_view product);

  const std::uint64_t max_age_ms_;
  const Clock clock_;
  // When this process wrote last. Products share slots: a write to one may have lists of others
  // asked.
  std::array<std::atomic<std::uint64_t>, 4096> written_ms_{};
};

// By product.
using KnownTotals = std::map<std::string, std::shared_ptr<const Totals>>;

class TotalsCache {
 public:
  static constexpr std::chrono::seconds kept{3};
  static constexpr std::size_t max_products = 10'000;

  // `freshness`: up to when the statistics are complete; null: writes of comments keep them.
  explicit TotalsCache(TableClient& client, Freshness* freshness = nullptr)
      : client_(client), freshness_(freshness) {}

  // The totals that get() would give without a request; nothing if it had to send one.
  std::optional<Known<Totals>> fresh(const std::string& product) const;
  // At most a few seconds old, plus the lag of the service's replicas.
  Awaitable<Result<Known<Totals>>> get(std::string product);
  // The same of several products, in their order; fewer if one of them is an error.
  Awaitable<std::vector<Result<Known<Totals>>>> get_all(std::span<const std::string> products);
  // The totals known last, however old; fetched if there are none.
  Awaitable<Result<Known<Totals>>> known(std::string product);
  // The totals by a consistent read, which costs twice as much.
  Awaitable<Result<Known<Totals>>> fetch(std::string product) {
    return share(std::move(product), true);
  }
  // Called when a write of this process has made the totals so.
  void put(const std::string& product, Totals totals) noexcept;
  // Called when a write of this process may have changed the totals.
  void forget(const std::string& product) noexcept;

 private:
  struct RunningRead {
    bool consistent;
    OneAnswer<Result<Known<Totals>>> answer = {};
  };
  struct Entry {
    std::shared_ptr<const Totals> totals;
    std::optional<std::uint64_t> as_of_ms;
    Deadline fresh_until;
    // Under way. A write takes it out: callers that wait for it still take its answer, and later
    // callers ask another.
    std::shared_ptr<RunningRead> question;
  };

  Awaitable<Result<Known<Totals>>> share(std::string product, bool consistent);
  Awaitable<Result<Known<Totals>>> answer(std::string product,
                                          std::shared_ptr<RunningRead> question);
  Awaitable<Result<Known<Totals>>> ask(const std::string& product, bool consistent);
  void change(const std::string& product, const std::function<void(Entry&)>& make);

  TableClient& client_;
  Freshness* freshness_;
  std::unordered_map<std::string, Entry> entries_;
  mutable std::mutex mutex_;  // held by the loop when it changes entries_, by other threads to read
};

}  // namespace quire::dynamodb
