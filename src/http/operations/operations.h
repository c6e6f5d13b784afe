// Health, readiness and metrics of a server, for operators.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "http/message.h"
#include "http/operations/metrics.h"
#include "service/comments.h"

namespace quire::http {

// The handlers of /healthz, /readyz and /metrics. It also answers the requests of a server that has
// these alone. Thread-safe.
class Operations : public RequestHandler {
 public:
  // Both must outlive this.
  Operations(const Comments& comments, const Metrics& metrics)
      : comments_(comments), metrics_(metrics) {}

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
  std::atomic<bool> stopping_ = false;
};

}  // namespace quire::http
