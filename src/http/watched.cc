#include "http/watched.h"

#include <fmt/format.h>
#include <prometheus/text_serializer.h>

#include <cmath>

#include "http/problem.h"

namespace quire::http {
namespace {

constexpr std::string_view plain_text = "text/plain; charset=utf-8";

using Families = std::vector<prometheus::MetricFamily>;

// One number of each of the watched.
template <class Value>
void add(Families& families, const std::vector<Watch>& watches, const char* name, const char* help,
         prometheus::MetricType type, Value value) {
  prometheus::MetricFamily family{name, help, type, {}};
  for (const auto& watch : watches) {
    prometheus::ClientMetric metric;
    metric.label.push_back({"what", watch.what});
    metric.counter.value = metric.gauge.value = value(watch);
    family.metric.push_back(std::move(metric));
  }
  families.push_back(std::move(family));
}

}  // namespace

std::vector<std::string> Watched::route_names() {
  return {"/healthz", "/readyz", "/metrics", "other"};
}

Awaitable<Answer> Watched::answer(Request& request) {
  auto path = request.target.substr(0, request.target.find('?'));
  if (path == "/healthz") co_return Answer{{.type = plain_text, .body = "ok\n"}, 0};
  if (path == "/readyz") co_return Answer{readyz(), 1};
  if (path == "/metrics") co_return Answer{metrics_text(), 2};
  co_return Answer{problem("not-found", "A worker has /healthz, /readyz and /metrics."), 3};
}

Response Watched::readyz() const {
  if (stopping_) return problem("backend-unavailable", "This worker is stopping.");
  std::string why;
  for (const auto& watch : look_()) {
    if (!watch.trouble.empty()) {
      why += fmt::format("The {}: {} ", watch.what, watch.trouble);
    } else if (!watch.lag_seconds) {
      why += fmt::format(
          "It is not known how far the {} is behind: this worker has read no shard of it yet. ",
          watch.what);
    } else if (*watch.lag_seconds > most_behind_) {
      why += fmt::format("The {} is {:.0f} s behind. ", watch.what, *watch.lag_seconds);
    }
  }
  if (!why.empty()) return problem("backend-unavailable", why);
  return {.type = plain_text, .body = "ready\n"};
}

Response Watched::metrics_text() const {
  using prometheus::MetricType;
  auto watches = look_();
  Families families;
  add(families, watches, "quire_projection_lag_seconds", "How far it is behind the table, at most",
      MetricType::Gauge,
      [](const Watch& watch) { return watch.lag_seconds.value_or(std::nan("")); });
  add(families, watches, "quire_projection_up", "Whether it is followed without trouble",
      MetricType::Gauge, [](const Watch& watch) { return watch.trouble.empty() ? 1.0 : 0.0; });
  add(families, watches, "quire_projection_shards", "Shards that this worker follows",
      MetricType::Gauge, [](const Watch& watch) { return static_cast<double>(watch.shards); });
  add(families, watches, "quire_projection_changes_total", "Changes applied by this worker",
      MetricType::Counter, [](const Watch& watch) { return static_cast<double>(watch.changes); });
  add(families, watches, "quire_projection_failures_total",
      "Reads of the stream, or steps, that failed and were tried again", MetricType::Counter,
      [](const Watch& watch) { return static_cast<double>(watch.failures); });
  return {.type = "text/plain; version=0.0.4; charset=utf-8",
          .body = metrics_.text(figures_(), {}) + prometheus::TextSerializer().Serialize(families)};
}

}  // namespace quire::http
