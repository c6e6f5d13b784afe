// What a worker answers about itself: does it live, is it in step, how far is it behind.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "http/operations/metrics.h"
#include "http/request_handler.h"

namespace quire::http {

// One thing that a worker keeps in step.
struct FollowedTarget {
  std::string what;                   // "page index"
  std::optional<double> lag_seconds;  // how far it is behind; nothing: it does not follow
  std::string trouble;                // a sentence; empty: there is none
  std::uint64_t changes = 0;          // applied since the start
  std::uint64_t failures = 0;
  std::size_t shards = 0;  // followed by this worker
};

// Serves /healthz, /readyz and /metrics.
class WorkerOperations : public RequestHandler {
 public:
  // `look` is called for each request, from any thread. Ready: all of it is less than so many
  // seconds behind. `metrics` must outlive it, and be made with route_names().
  WorkerOperations(Metrics& metrics, std::function<std::vector<FollowedTarget>()> look,
                   double most_behind)
      : metrics_(metrics), look_(std::move(look)), most_behind_(most_behind) {}

  static std::vector<std::string> route_names();
  Awaitable<RoutedResponse> answer(Request& request) override;
  void stop() override { stopping_ = true; }

 private:
  Response readyz() const;
  Response metrics_text() const;

  Metrics& metrics_;
  std::function<std::vector<FollowedTarget>()> look_;
  double most_behind_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace quire::http
