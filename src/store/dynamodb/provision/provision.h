// Creates the table, describes it, and writes its definition for other tools.
#pragma once

#include <functional>
#include <string>

#include "dynamodb/table_client.h"
#include "store/dynamodb/provision/table.h"

namespace quire::dynamodb {

// The calls that provisioning needs of a client. Tests implement them.
struct Service {
  std::function<Awaitable<Answer>(Call)> send;
  std::function<Awaitable<void>(Milliseconds)> sleep;
};

// How long a table may take to become ready, and how often it is described meanwhile.
inline constexpr Milliseconds table_patience{120'000};
inline constexpr Milliseconds table_pause{500};

// Creates the table, waits until it is ready, and lets its items expire. An existing table is left
// as it is if it fits; otherwise the error names the differences. If the service created something
// else than it was asked for, the differences of the returned table name that.
Awaitable<Result<TableStatus>> make_table(const Service& service, std::string name,
                                          TableOptions options);
// unavailable: there is no such table, or it cannot be described.
Awaitable<Result<TableStatus>> inspect_table(const Service& service, std::string name);

}  // namespace quire::dynamodb
