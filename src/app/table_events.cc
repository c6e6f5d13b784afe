#include "app/table_events.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "app/followed_table.h"
#include "base/clock.h"
#include "base/try.h"
#include "projection/build.h"
#include "store/dynamodb/stream/event.h"
#include "store/dynamodb/stream/told.h"

namespace quire {

Result<std::unique_ptr<TableEvents>> TableEvents::open(const std::string& table,
                                                       const std::string& directory) {
  if (is_adopted(table))
    return Error{ErrorCode::invalid_parameter,
                 "--events is for tables of Quire: a table that others made tells of no events.",
                 "events"};
  TRY(auto address, dynamodb::parse_address(table, dynamodb::system_configuration()));
  TRY(auto log, embedded::LmdbStore::open(directory, Access::write));
  if (!embedded::is_apart(*log))
    return Error{ErrorCode::invalid_parameter,
                 directory + " is a shop's store. Give --events a directory of its own.", "events"};
  TRY(auto state, wait(embedded::Outbox(*log).state()));
  auto former = dynamodb::table_of_stream(state.stream);
  if (!former.empty() && former != address.table)
    return Error{ErrorCode::invalid_parameter,
                 directory + " has the events of the table " + former +
                     ". Give --events a directory of its own.",
                 "events"};
  TRY(auto app, App::open({.store = table, .pages = "none", .cursors = false}));
  return std::unique_ptr<TableEvents>(new TableEvents(address, std::move(log), std::move(app)));
}

TableEvents::TableEvents(const dynamodb::Address& address, std::unique_ptr<embedded::LmdbStore> log,
                         std::unique_ptr<App> app)
    : access_(address),
      source_(access_, address, dynamodb::told_of),
      log_(std::move(log)),
      outbox_(*log_),
      app_(std::move(app)) {}

std::vector<Metric> TableEvents::metrics() const {
  using dynamodb::DamagedItems;
  return {{DamagedItems::counter, DamagedItems::counter_help,
           static_cast<double>(access_.damaged.total())}};
}

Awaitable<bool> TableEvents::begin() {
  auto begun = co_await projection::begin_here(source_, outbox_, system_ms);
  if (begun)
    spdlog::info("events: the log tells of what happens from here on");
  else
    spdlog::warn("events: {}", begun.error().message);
  co_return static_cast<bool>(begun);
}

}  // namespace quire
