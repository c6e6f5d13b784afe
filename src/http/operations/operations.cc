#include "http/operations/operations.h"

#include <fmt/format.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <cmath>

#include "http/parameters.h"
#include "http/problem.h"

namespace quire::http {
namespace {

void add_webhook_metric(prometheus::MetricFamily& family, const std::string& name, double value,
                        const char* outcome = nullptr) {
  prometheus::ClientMetric metric;
  metric.label.push_back({"name", name});
  if (outcome) metric.label.push_back({"outcome", outcome});
  metric.counter.value = metric.gauge.value = value;
  family.metric.push_back(std::move(metric));
}

std::string text_of(const std::vector<webhook::Deliveries>& webhooks) {
  if (webhooks.empty()) return {};
  prometheus::MetricFamily total{"quire_webhook_deliveries_total",
                                 "What became of the messages to webhooks",
                                 prometheus::MetricType::Counter,
                                 {}};
  prometheus::MetricFamily oldest{"quire_webhook_oldest_seconds",
                                  "The age of the oldest event that a webhook is owed",
                                  prometheus::MetricType::Gauge,
                                  {}};
  for (const auto& each : webhooks) {
    auto add = [&](const char* outcome, std::uint64_t count) {
      add_webhook_metric(total, each.name, static_cast<double>(count), outcome);
    };
    add("delivered", each.delivered);
    add("failed", each.failed);
    add("given_up", each.given_up);
    add("ended", each.ended);
    add_webhook_metric(oldest, each.name, each.oldest_seconds);
  }
  return prometheus::TextSerializer().Serialize({total, oldest});
}

}  // namespace

std::vector<std::string> Operations::route_names() {
  return {"/healthz", "/readyz", "/metrics", "other"};
}

Awaitable<Response> Operations::healthz(const Request& request) {
  if (auto allowed = allow_only(request, {}); !allowed) co_return problem(allowed.error());
  co_return Response{.type = plain_text, .body = "ok\n"};
}

Awaitable<Response> Operations::readyz(const Request& request) {
  if (auto allowed = allow_only(request, {}); !allowed) co_return problem(allowed.error());
  if (stopping_) co_return problem("backend-unavailable", "This server is stopping.");
  auto ready = co_await comments_.ready();
  if (!ready) co_return problem(ready.error());
  Response response{.type = plain_text, .body = "ready\n"};
  auto pages = co_await comments_.index_status();
  if (pages && !pages->missing.empty())
    response.body += "Page numbers are missing. " + pages->missing + "\n";
  co_return response;
}

Awaitable<Response> Operations::metrics_text(const Request& request) {
  if (auto allowed = allow_only(request, {}); !allowed) co_return problem(allowed.error());
  auto pages = co_await comments_.index_status();
  Response response{.type = Metrics::type};
  auto totals = co_await comments_.status_totals();
  response.body =
      metrics_.text(comments_.metrics(), pages, totals ? *totals : std::optional<StatusTotals>());
  if (webhooks_) response.body += text_of(webhooks_());
  co_return response;
}

Awaitable<RoutedResponse> Operations::answer(Request& request) {
  auto names = route_names();
  auto path = request.target.substr(0, request.target.find('?'));
  auto route =
      static_cast<std::size_t>(std::find(names.begin(), names.end() - 1, path) - names.begin());
  Response response;
  try {
    response = co_await answer_route(request, route);
  } catch (const std::exception&) {  // the store is damaged
    response = problem("internal", "Something here is broken; the server's own log may say what.");
  }
  response.add("Cache-Control", "no-store");
  co_return RoutedResponse{std::move(response), route};
}

Awaitable<Response> Operations::answer_route(const Request& request, std::size_t route) {
  if (route == 3)
    co_return problem("not-found", "Here are /healthz, /readyz and /metrics, and nothing else.");
  if (request.method != Verb::get && request.method != Verb::head) {
    auto response = problem("method-not-allowed", "This address takes GET, HEAD.");
    response.add("Allow", "GET, HEAD");
    co_return response;
  }
  if (route == 0) co_return co_await healthz(request);
  if (route == 1) co_return co_await readyz(request);
  co_return co_await metrics_text(request);
}

namespace {

using Families = std::vector<prometheus::MetricFamily>;

// Adds a metric with a number for each target.
template <class Value>
void add(Families& families, const std::vector<FollowedTarget>& targets, const char* name,
         const char* help, prometheus::MetricType type, Value value) {
  prometheus::MetricFamily family{name, help, type, {}};
  for (const auto& target : targets) {
    prometheus::ClientMetric metric;
    metric.label.push_back({"what", target.name});
    metric.counter.value = metric.gauge.value = value(target);
    family.metric.push_back(std::move(metric));
  }
  families.push_back(std::move(family));
}

}  // namespace

std::vector<std::string> WorkerOperations::route_names() {
  return {"/healthz", "/readyz", "/metrics", "other"};
}

Awaitable<RoutedResponse> WorkerOperations::answer(Request& request) {
  auto path = request.target.substr(0, request.target.find('?'));
  if (path == "/healthz") co_return RoutedResponse{{.type = plain_text, .body = "ok\n"}, 0};
  if (path == "/readyz") co_return RoutedResponse{readyz(), 1};
  if (path == "/metrics") co_return RoutedResponse{metrics_text(), 2};
  co_return RoutedResponse{
      problem("not-found", "A worker has /healthz, /readyz and /metrics, and nothing else."), 3};
}

Response WorkerOperations::readyz() const {
  if (stopping_) return problem("backend-unavailable", "This worker is stopping.");
  std::string why;
  for (const auto& target : targets_()) {
    if (!target.trouble.empty()) {
      why += fmt::format("The {}: {} ", target.name, target.trouble);
    } else if (!target.lag_seconds) {
      why += fmt::format(
          "The lag of the {} is not known yet: this worker has read no record with a time. ",
          target.name);
    } else if (*target.lag_seconds > max_lag_seconds_) {
      why += fmt::format("The {} is {:.0f} s behind. ", target.name, *target.lag_seconds);
    }
  }
  if (!why.empty()) return problem("backend-unavailable", why);
  return {.type = plain_text, .body = "ready\n"};
}

Response WorkerOperations::metrics_text() const {
  using prometheus::MetricType;
  auto targets = targets_();
  Families families;
  add(families, targets, "quire_projection_lag_seconds",
      "Seconds by which it is behind the table, at most", MetricType::Gauge,
      [](const FollowedTarget& target) { return target.lag_seconds.value_or(std::nan("")); });
  add(families, targets, "quire_projection_up",
      "1 while it follows the table without trouble, else 0", MetricType::Gauge,
      [](const FollowedTarget& target) { return target.trouble.empty() ? 1.0 : 0.0; });
  add(families, targets, "quire_projection_shards", "Shards that this worker follows",
      MetricType::Gauge,
      [](const FollowedTarget& target) { return static_cast<double>(target.shards); });
  add(families, targets, "quire_projection_changes_total", "Changes applied by this worker",
      MetricType::Counter,
      [](const FollowedTarget& target) { return static_cast<double>(target.changes); });
  add(families, targets, "quire_projection_failures_total",
      "Reads of the stream, and steps, that failed and were repeated", MetricType::Counter,
      [](const FollowedTarget& target) { return static_cast<double>(target.failures); });
  return {.type = Metrics::type,
          .body = metrics_.text(more_metrics_(), {}) +
                  prometheus::TextSerializer().Serialize(families) +
                  (webhooks_ ? text_of(webhooks_()) : std::string())};
}

}  // namespace quire::http
