// What operators ask: does it live, is it ready, what does it count.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "http/answering.h"
#include "http/metrics.h"
#include "service/comments.h"

namespace quire::http {

// Answers /healthz, /readyz and /metrics: for a server of their own, or for the Application among
// its other routes. Thread-safe. What it is given must outlive it.
class Operations : public Answering {
 public:
  Operations(const Comments& comments, const Metrics& metrics)
      : comments_(comments), metrics_(metrics) {}

  static std::vector<std::string> route_names();
  Awaitable<Answer> answer(Request& request) override;
  // From now on /readyz says no, so that a balancer sends nobody here.
  void stop() override { stopping_ = true; }

  Response healthz() const;
  Awaitable<Response> readyz() const;
  Awaitable<Response> metrics_text() const;

 private:
  Awaitable<Response> answer_to(const Request& request, std::size_t route) const;

  const Comments& comments_;
  const Metrics& metrics_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace quire::http
