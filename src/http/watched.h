// What a worker answers about itself: does it live, is it in step, how far is it behind.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "http/answering.h"
#include "http/metrics.h"

namespace quire::http {

// One thing that a worker keeps in step.
struct Watch {
  std::string what;                   // "page index"
  std::optional<double> lag_seconds;  // how far it is behind; nothing: it does not follow
  std::string trouble;                // a sentence; empty: there is none
  std::uint64_t changes = 0;          // applied since the start
  std::uint64_t failures = 0;
  std::size_t shards = 0;  // followed by this worker
};

// Serves /healthz, /readyz and /metrics.
class Watched : public Answering {
 public:
  // `look` is called for each request, from any thread. Ready: all of it is less than so many
  // seconds behind. `metrics` must outlive it, and be made with route_names().
  // `figures`: more counters for /metrics, called as `look` is.
  Watched(
      Metrics& metrics, std::function<std::vector<Watch>()> look, double most_behind,
      std::function<std::vector<Figure>()> figures = [] { return std::vector<Figure>(); })
      : metrics_(metrics),
        look_(std::move(look)),
        most_behind_(most_behind),
        figures_(std::move(figures)) {}

  static std::vector<std::string> route_names();
  Awaitable<Answer> answer(Request& request) override;
  void stop() override { stopping_ = true; }

 private:
  Response readyz() const;
  Response metrics_text() const;

  Metrics& metrics_;
  std::function<std::vector<Watch>()> look_;
  double most_behind_;
  std::function<std::vector<Figure>()> figures_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace quire::http
