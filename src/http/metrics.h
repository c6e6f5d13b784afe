// What is counted, in Prometheus's text format at /metrics.
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

// Thread-safe. Every series exists from the start, so that a request only counts.
class Metrics {
 public:
  explicit Metrics(const std::vector<std::string>& routes);

  void answered(std::size_t route, unsigned status, double seconds);
  // With what the store counts, and how the page index beside it stands, if there is one.
  std::string text(const std::vector<Figure>& figures, const std::optional<IndexStatus>& pages) const;

  // Of the server's threads.
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
};

}  // namespace quire::http
