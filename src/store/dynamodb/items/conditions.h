// Conditions under which an item is written, and the bounds of its size. Nothing here sends
// anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "dynamodb/calls.h"

namespace quire::dynamodb {

// The limits of requests to the table: the service's own, and those that keep a request from going
// on forever.
inline constexpr int max_pages = 1000;  // of one listing, a megabyte each
inline constexpr int max_rounds = 10;   // of a write that other writes keep refusing

// Of one transaction.
inline constexpr std::size_t max_actions = 100;
inline constexpr std::size_t max_transaction_bytes = 3'000'000;  // of its items

// The item is not there.
Expression absent();
// The item still has this number as its `version`; 0: it is not there.
Expression has_version(std::uint64_t version);
// The item still has these attributes with the values they have in `item`, and
// still lacks those that `item` lacks. At most 26 attributes.
Expression unchanged(const Item& item, std::span<const std::string> attributes);

}  // namespace quire::dynamodb
