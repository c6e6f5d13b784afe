#include "store/embedded/format/customer_rows.h"

#include <cstring>

namespace quire::embedded {
namespace {

Key<48> joined(const CustomerHash& customer, const std::array<std::uint8_t, 16>& last) {
  Key<48> key;
  std::memcpy(key.bytes.data(), customer.bytes.data(), CustomerHash::size);
  std::memcpy(key.bytes.data() + CustomerHash::size, last.data(), last.size());
  return key;
}

}  // namespace

Key<48> customer_key(const CustomerHash& customer, const Ulid& id) {
  return joined(customer, id.bytes);
}

// No product has a character of value 0, so no product's keys are among another's.
std::string customer_product_prefix(const CustomerHash& customer, std::string_view product) {
  return std::string(customer.view()).append(product) + '\0';
}

Key<48> ticket_key(const CustomerHash& customer, const TicketId& ticket) {
  return joined(customer, ticket);
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
