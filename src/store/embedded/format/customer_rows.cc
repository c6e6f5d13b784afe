#include "store/embedded/format/rows.h"

#include <cstring>

namespace quire::embedded {

// No product is empty or has a character of value 0, so no product's keys are among another's.
std::string customer_prefix(const CustomerHash& customer, std::string_view product) {
  return std::string(customer.view()).append(product) + '\0';
}

std::string customer_key(const CustomerHash& customer, std::string_view product, const Ulid& id) {
  return customer_prefix(customer, product).append(id.view());
}

Key<48> ticket_key(const CustomerHash& customer, const TicketId& ticket) {
  Key<48> key;
  std::memcpy(key.bytes.data(), customer.bytes.data(), CustomerHash::size);
  std::memcpy(key.bytes.data() + CustomerHash::size, ticket.data(), ticket.size());
  return key;
}

std::string encode_ticket(const TicketRow& row) {
  std::string out(8, '\0');
  put_u64(out.data(), row.ends_ms);
  return out.append(row.id.view());
}

std::optional<TicketRow> decode_ticket(std::string_view bytes) {
  if (bytes.size() != 8 + Ulid::size) return {};
  return TicketRow{get_u64(bytes.data()), id_at_end(bytes)};
}

std::string ticket_by_end_key(std::uint64_t ends_ms, std::string_view key) {
  std::string out(8, '\0');
  put_u64(out.data(), ends_ms);
  return out.append(key);
}

}  // namespace quire::embedded
