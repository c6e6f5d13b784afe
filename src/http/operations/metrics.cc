#include "http/operations/metrics.h"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/log.h"

namespace quire::http {
namespace {

const prometheus::Histogram::BucketBoundaries seconds_buckets = {
    0.00002, 0.00005, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5};

prometheus::Counter& counter(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add({});
}

prometheus::MetricFamily counted(const char* name, const char* help, double value) {
  prometheus::ClientMetric metric;
  metric.counter.value = value;
  return {name, help, prometheus::MetricType::Counter, {metric}};
}

prometheus::Gauge& gauge(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

prometheus::MetricFamily gauge(const char* name, const char* help, double value) {
  prometheus::ClientMetric metric;
  metric.gauge.value = value;
  return {name, help, prometheus::MetricType::Gauge, {metric}};
}

void add_totals(std::vector<prometheus::MetricFamily>& families, const StatusTotals& totals) {
  prometheus::MetricFamily comments{
      "quire_comments", "Comments by status", prometheus::MetricType::Gauge, {}};
  for (auto status : {CommentStatus::published, CommentStatus::pending, CommentStatus::rejected}) {
    prometheus::ClientMetric metric;
    metric.label.push_back({"status", std::string(status_name(status))});
    metric.gauge.value = static_cast<double>(totals.comments[static_cast<std::size_t>(status)]);
    comments.metric.push_back(std::move(metric));
  }
  families.push_back(std::move(comments));
  auto since = totals.waits_since_ms;
  auto now = system_ms();
  double waits = since > 0 && since < now ? static_cast<double>(now - since) / 1000 : 0;
  families.push_back(gauge("quire_moderation_oldest_seconds",
                           "Seconds for which the pending comment waits that waits longest",
                           waits));
}

}  // namespace

Metrics::Metrics(const std::vector<std::string>& routes) {
  auto& requests = prometheus::BuildCounter()
                       .Name("quire_http_requests_total")
                       .Help("Requests answered, by route and class of status")
                       .Register(registry_);
  auto& seconds = prometheus::BuildHistogram()
                      .Name("quire_http_request_seconds")
                      .Help("Seconds from the complete request until its answer is ready, by route")
                      .Register(registry_);
  for (const auto& route : routes) {
    Route row{{}, &seconds.Add({{"route", route}}, seconds_buckets)};
    for (std::size_t status = 1; status <= 5; ++status) {
      row.by_class[status] =
          &requests.Add({{"route", route}, {"status", std::to_string(status) + "xx"}});
    }
    routes_.push_back(row);
  }
  connections = &gauge(registry_, "quire_http_connections", "Open connections");
  connections_refused = &counter(registry_, "quire_http_connections_refused_total",
                                 "Connections closed at once because too many were open");
  connections_refused_client =
      &counter(registry_, "quire_http_connections_refused_client_total",
               "Connections closed at once because their client had too many");
  connections_displaced = &counter(registry_, "quire_http_connections_displaced_total",
                                   "Connections closed for new ones, because too many were open "
                                   "and their client was silent longest");
  timed_out = &counter(registry_, "quire_http_timeouts_total",
                       "Connections closed because their client was idle or slow");
  slow_readers = &counter(registry_, "quire_http_slow_readers_total",
                          "Connections closed because their client took its answer too slowly; a "
                          "part of quire_http_timeouts_total");
  malformed = &counter(registry_, "quire_http_malformed_requests_total",
                       "Requests refused because they were no HTTP, or exceeded its limits");
  answers_refused =
      &counter(registry_, "quire_http_unsent_refused_total",
               "Answers replaced by a 503 because too many bytes waited for slow clients");
  unsent_bytes = &gauge(registry_, "quire_http_unsent_bytes",
                        "Bytes of answers in memory that wait for their clients");
  body_bytes =
      &gauge(registry_, "quire_http_body_bytes", "Bytes of memory kept for the bodies of requests");
  cache_hits =
      &counter(registry_, "quire_cache_hits_total",
               "Answers from the page cache, or rendered for another request at the same time");
  cache_misses = &counter(registry_, "quire_cache_misses_total",
                          "Answers that the page cache may keep, but did not have");
  cache_evictions = &counter(registry_, "quire_cache_evictions_total",
                             "Answers that made room for others in the page cache");
  cache_bytes = &gauge(registry_, "quire_cache_bytes", "Bytes of memory that the page cache takes");
  entries_read =
      &counter(registry_, "quire_page_entries_read_total", "List entries read for pages");
  entries_discarded = &counter(registry_, "quire_page_entries_discarded_total",
                               "List entries read for pages but not shown");
  store_requests = &counter(registry_, "quire_store_requests_total", "Reads of lists for pages");
  auto& decisions = prometheus::BuildCounter()
                        .Name("quire_moderation_decisions_total")
                        .Help("Decisions of moderators, by the status that they gave")
                        .Register(registry_);
  for (auto status : {CommentStatus::published, CommentStatus::pending, CommentStatus::rejected})
    decisions_[static_cast<std::size_t>(status)] =
        &decisions.Add({{"status", std::string(status_name(status))}});
  prometheus::BuildGauge()
      .Name("quire_build_info")
      .Help("The version of the server")
      .Register(registry_)
      .Add({{"version", QUIRE_VERSION}}, 1);
}

void Metrics::answered(std::size_t route, unsigned status, double seconds) {
  Route& row = routes_[route];
  row.by_class[std::clamp(status / 100, 1u, 5u)]->Increment();
  row.seconds->Observe(seconds);
}

void Metrics::found(const FoundPage& page) {
  entries_read->Increment(static_cast<double>(page.read));
  entries_discarded->Increment(static_cast<double>(page.discarded));
  store_requests->Increment(static_cast<double>(page.requests));
}

std::string Metrics::text(const std::vector<Metric>& of_store,
                          const std::optional<IndexStatus>& pages,
                          const std::optional<StatusTotals>& totals) const {
  auto families = registry_.Collect();
  std::chrono::duration<double> longest = handler_times.longest.load();
  families.push_back(gauge("quire_loop_longest_hold_seconds",
                           "Longest time for which one step of a request held a thread, in seconds",
                           longest.count()));
  families.push_back(counted("quire_loop_long_holds_total", "Steps that held a thread over 10 ms",
                             static_cast<double>(handler_times.long_holds)));
  for (const auto& metric : of_store)
    families.push_back(counted(metric.name, metric.help, metric.value));
  families.push_back(counted("quire_log_dropped_total",
                             "Log lines lost because a log was full or could not be written",
                             static_cast<double>(LogWriter::dropped())));
  if (pages) {
    families.push_back(gauge("quire_pages_up", "1 while the page index numbers pages, else 0",
                             pages->missing.empty()));
    double lag = pages->behind_ms ? static_cast<double>(*pages->behind_ms) / 1000 : std::nan("");
    families.push_back(gauge("quire_pages_lag_seconds",
                             "Seconds by which the page index is behind the table, at most", lag));
  }
  if (totals) add_totals(families, *totals);
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace quire::http
