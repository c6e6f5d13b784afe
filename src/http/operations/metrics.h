// The metrics of a server, for /metrics in Prometheus's text format.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/handler_time.h"
#include "service/comments.h"

namespace quire::http {

// Thread-safe. Every series is made at the start, so that a request only counts.
class Metrics {
 public:
  static constexpr std::string_view type = "text/plain; version=0.0.4; charset=utf-8";

  explicit Metrics(const std::vector<std::string>& routes);

  void answered(std::size_t route, unsigned status, double seconds);
  // Counts the entries and requests that a page took.
  void found(const FoundPage& page);
  // Counts a moderator's decision.
  void decided(CommentStatus status) { decisions_[static_cast<std::size_t>(status)]->Increment(); }
  // All metrics as text. `of_store` are the store's; `pages` is the state of a page index beside
  // the store, if there is one; `totals` are of its comments, if they are known.
  std::string text(const std::vector<Metric>& of_store, const std::optional<IndexStatus>& pages,
                   const std::optional<StatusTotals>& totals = {}) const;

  // The times of the server's threads.
  HandlerTimes handler_times;

  prometheus::Gauge* connections;
  prometheus::Counter* connections_refused;
  prometheus::Counter* connections_refused_client;
  prometheus::Counter* connections_displaced;
  prometheus::Counter* timed_out;
  prometheus::Counter* slow_readers;
  prometheus::Counter* malformed;
  prometheus::Counter* answers_refused;
  prometheus::Gauge* unsent_bytes;
  prometheus::Gauge* body_bytes;
  prometheus::Counter* cache_hits;
  prometheus::Counter* cache_misses;
  prometheus::Counter* cache_evictions;
  prometheus::Gauge* cache_bytes;
  prometheus::Counter* entries_read;
  prometheus::Counter* entries_discarded;
  prometheus::Counter* store_requests;

 private:
  struct Route {
    std::array<prometheus::Counter*, 6> by_class;  // 1xx to 5xx
    prometheus::Histogram* seconds;
  };

  prometheus::Registry registry_;
  std::vector<Route> routes_;
  std::array<prometheus::Counter*, 3> decisions_;  // by status
};

}  // namespace quire::http
