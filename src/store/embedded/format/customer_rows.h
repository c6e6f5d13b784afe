// Keys and rows of what a customer wrote. Format: docs/formats/store.md
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "quire/customer.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {

// How the keys of a customer's comments of a product begin; the id follows. The product "" stands
// for all of them, in the order of their ids.
std::string customer_prefix(const CustomerHash& customer, std::string_view product);
std::string customer_key(const CustomerHash& customer, std::string_view product, const Ulid& id);

using TicketId = std::array<std::uint8_t, 16>;

// A ticket that is used, and the comment that it made.
struct TicketRow {
  std::uint64_t ends_ms;
  Ulid id;
};
Key<48> ticket_key(const CustomerHash& customer, const TicketId& ticket);
std::string encode_ticket(const TicketRow& row);
// Absent: the row is damaged.
std::optional<TicketRow> decode_ticket(std::string_view bytes);
// `key`: the ticket's.
std::string ticket_by_end_key(std::uint64_t ends_ms, std::string_view key);

}  // namespace quire::embedded
