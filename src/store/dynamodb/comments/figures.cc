#include "store/dynamodb/comments/figures.h"

namespace quire::dynamodb {

std::vector<Figure> figures_of(TableAccess& access) {
  auto& figures = access.client.figures();
  auto count = [](const std::atomic<std::uint64_t>& value) { return static_cast<double>(value); };
  return {
      {"quire_table_requests_total", "Requests to the table, each with all its tries",
       count(figures.requests)},
      {"quire_table_retries_total", "Tries after the first", count(figures.retries)},
      {"quire_table_throttled_total", "Tries that the table throttled", count(figures.throttled)},
      {"quire_table_failures_total", "Requests given up", count(figures.failed)},
      {"quire_table_read_units_total", "Read units consumed", figures.consumed},
      {DamagedItems::counter, DamagedItems::counter_help,
       static_cast<double>(access.damaged.total())}};
}

}  // namespace quire::dynamodb
