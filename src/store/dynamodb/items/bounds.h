// The limits of requests to the table: the service's own, and those that keep a request from going
// on forever.
#pragma once

#include <cstddef>

namespace quire::dynamodb {

inline constexpr int max_pages = 1000;  // of one listing, a megabyte each
inline constexpr int max_rounds = 10;   // of a write that other writes keep refusing

// Of one transaction.
inline constexpr std::size_t max_actions = 100;
inline constexpr std::size_t max_transaction_bytes = 3'000'000;  // of its items

}  // namespace quire::dynamodb
