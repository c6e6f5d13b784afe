// Makes the table, or tells what one that is there is like.
#pragma once

#include <functional>
#include <string>

#include "dynamodb/client.h"
#include "store/dynamodb/provision/table.h"

namespace quire::dynamodb {

// As a client has them; tests bring their own.
struct Service {
  std::function<Awaitable<Answer>(Call)> send;
  std::function<Awaitable<void>(Milliseconds)> sleep;
};

// How long a table may take to become ready, and how often it is looked at meanwhile.
inline constexpr Milliseconds table_patience{120'000};
inline constexpr Milliseconds table_pause{500};

// Makes the table, waits until it is ready, and lets its items expire. One that is there already is
// left as it is if it fits; else it is an error, which says how it differs. Where the service made
// something other than it was asked for, differences() of the table tells.
Awaitable<Result<TableStatus>> make_table(const Service& service, std::string name,
                                          TableOptions options);
Awaitable<Result<TableStatus>> inspect_table(const Service& service, std::string name);

}  // namespace quire::dynamodb
