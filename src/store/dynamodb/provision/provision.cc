#include "store/dynamodb/provision/provision.h"

#include "base/try.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quire::dynamodb {
namespace {

Error unavailable(std::string message) {
  return {ErrorCode::unavailable, std::move(message)};
}

Result<TableDescription> table_of(const Answer& answer) {
  if (answer.failure) return error_of(*answer.failure);
  auto table = decode_table(answer.body);
  if (!table)
    return unavailable(
        "The server at the table's endpoint is not DynamoDB: check the address after --store.");
  return std::move(*table);
}

Awaitable<Result<TableDescription>> until_ready(const Service& service, const std::string& name) {
  for (Milliseconds waited{0};; waited += table_pause) {
    auto answer = co_await service.send(describe_table(name));
    // The service may not know a table right after it was created.
    bool unknown = answer.failure && answer.failure->kind == FailureKind::missing;
    if (!unknown) {
      auto table = table_of(answer);
      if (!table || table->active()) co_return table;
    }
    if (waited >= table_patience) break;
    co_await service.sleep(table_pause);
  }
  co_return unavailable(
      fmt::format("The table {} is not ready after {} seconds. Look again later: quire table "
                  "describe.",
                  name, table_patience.count() / 1000));
}

Awaitable<void> learn_expiry(const Service& service, TableStatus& status) {
  auto answer = co_await service.send(describe_expiry(status.name));
  if (!answer.failure) status.table.expiry = decode_expiry(answer.body);
  if (status.table.expiry) co_return;
  status.notes.push_back(
      fmt::format("Whether items expire is not known: DescribeTimeToLive was not answered{}.",
                  answer.failure ? " (" + answer.failure->name + ")" : ""));
}

Awaitable<void> let_items_expire(const Service& service, TableStatus& status) {
  auto answer = co_await service.send(enable_expiry(status.name));
  if (!answer.failure) {
    status.table.expiry = expiry_attribute;
  } else {
    status.notes.push_back(
        fmt::format("Idempotency keys and leases stay in the table for ever: UpdateTimeToLive was "
                    "refused ({}).",
                    answer.failure->name));
  }
}

}  // namespace

Awaitable<Result<TableStatus>> make_table(const Service& service, std::string name,
                                          TableOptions options) {
  auto made = co_await service.send(create_table(name, options));
  bool exists = made.failure && made.failure->name == "ResourceInUseException";
  if (made.failure && !exists) co_return error_of(*made.failure);
  auto table = co_await until_ready(service, name);
  if (!table) co_return table.error();
  auto wrong = differences(*table);
  if (exists && !wrong.empty()) {
    co_return unavailable(
        fmt::format("There already is a table {} that does not fit. {} Take another name.", name,
                    fmt::join(wrong, " ")));
  }
  TableStatus status{std::move(name), std::move(*table), !exists};
  if (exists && options.read_units > 0)
    status.notes.emplace_back("The units of a table that exists are not changed.");
  co_await learn_expiry(service, status);
  if (status.table.expiry && status.table.expiry->empty())
    co_await let_items_expire(service, status);
  status.differences = differences(status.table);
  co_return status;
}

Awaitable<Result<TableStatus>> inspect_table(const Service& service, std::string name) {
  auto answer = co_await service.send(describe_table(name));
  CO_TRY(auto table, table_of(answer));
  TableStatus status{std::move(name), std::move(table)};
  co_await learn_expiry(service, status);
  status.differences = differences(status.table);
  co_return status;
}

}  // namespace quire::dynamodb
