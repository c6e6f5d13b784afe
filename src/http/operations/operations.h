// Health, readiness and metrics for operators: of a server, and of a projection worker.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "http/message.h"
#include "http/operations/metrics.h"
#include "service/comments.h"
#include "webhook/deliveries.h"

namespace quire::http {

// The handlers of /healthz, /readyz and /metrics. It also answers the requests of a server that has
// these alone. Thread-safe.
class Operations : public RequestHandler {
 public:
  // Both must outlive this. `webhooks`: null where none is told.
  Operations(const Comments& comments, const Metrics& metrics, webhook::DeliveriesNow webhooks = {})
      : comments_(comments), metrics_(metrics), webhooks_(std::move(webhooks)) {}

  // The routes of a server that has these alone.
  static std::vector<std::string> route_names();
  Awaitable<RoutedResponse> answer(Request& request) override;
  // From now on /readyz answers 503, so that a load balancer sends no more requests.
  void stop() override { stopping_ = true; }

  Awaitable<Response> healthz(const Request& request);
  Awaitable<Response> readyz(const Request& request);
  Awaitable<Response> metrics_text(const Request& request);

 private:
  Awaitable<Response> answer_route(const Request& request, std::size_t route);

  const Comments& comments_;
  const Metrics& metrics_;
  const webhook::DeliveriesNow webhooks_;
  std::atomic<bool> stopping_ = false;
};

// How far one target of a worker has been brought: statistics or a page index.
struct FollowedTarget {
  std::string name;                   // "page index"
  std::optional<double> lag_seconds;  // behind the table; absent: it is not known
  std::string trouble;                // a sentence; empty: no trouble
  std::uint64_t changes = 0;          // applied since the start
  std::uint64_t failures = 0;         // since the start
  std::size_t shards = 0;             // followed by this worker
};

// Answers /healthz, /readyz and /metrics of a worker's own server. Thread-safe.
class WorkerOperations : public RequestHandler {
 public:
  // `targets` is called for each request, from any thread. The worker is ready while each target is
  // at most `max_lag_seconds` behind. `metrics` has the routes of route_names(), and must outlive
  // this. `more_metrics`: more counters for /metrics, called as `targets` is. `webhooks`: null
  // where none is told.
  WorkerOperations(
      Metrics& metrics, std::function<std::vector<FollowedTarget>()> targets,
      double max_lag_seconds,
      std::function<std::vector<Metric>()> more_metrics = [] { return std::vector<Metric>(); },
      webhook::DeliveriesNow webhooks = {})
      : metrics_(metrics),
        targets_(std::move(targets)),
        max_lag_seconds_(max_lag_seconds),
        more_metrics_(std::move(more_metrics)),
        webhooks_(std::move(webhooks)) {}

  static std::vector<std::string> route_names();
  Awaitable<RoutedResponse> answer(Request& request) override;
  void stop() override { stopping_ = true; }

 private:
  Response readyz() const;
  Response metrics_text() const;

  Metrics& metrics_;
  std::function<std::vector<FollowedTarget>()> targets_;
  double max_lag_seconds_;
  std::function<std::vector<Metric>()> more_metrics_;
  const webhook::DeliveriesNow webhooks_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace quire::http
