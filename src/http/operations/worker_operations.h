// Health, readiness and metrics of a projection worker, for operators.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "http/message.h"
#include "http/operations/metrics.h"

namespace quire::http {

// How far one target of a worker has been brought: statistics or a page index.
struct FollowedTarget {
  std::string name;                   // "page index"
  std::optional<double> lag_seconds;  // behind the table; nothing: it is not known
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
  // this. `figures`: more counters for /metrics, called as `targets` is.
  WorkerOperations(
      Metrics& metrics, std::function<std::vector<FollowedTarget>()> targets,
      double max_lag_seconds,
      std::function<std::vector<Figure>()> figures = [] { return std::vector<Figure>(); })
      : metrics_(metrics),
        targets_(std::move(targets)),
        max_lag_seconds_(max_lag_seconds),
        figures_(std::move(figures)) {}

  static std::vector<std::string> route_names();
  Awaitable<RoutedResponse> answer(Request& request) override;
  void stop() override { stopping_ = true; }

 private:
  Response readyz() const;
  Response metrics_text() const;

  Metrics& metrics_;
  std::function<std::vector<FollowedTarget>()> targets_;
  double max_lag_seconds_;
  std::function<std::vector<Figure>()> figures_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace quire::http
