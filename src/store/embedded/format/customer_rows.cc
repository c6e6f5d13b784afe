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

std::string encode_ticket(const TicketRow& row) {
  std::string out(8, '\0');
  put_u64(out.data(), row.ends_ms);
  return out.append(row.id.view());
}

std::optional<TicketRow> decode_ticket(std::string_view bytes) {
  if (bytes.size() != 8 + Ulid::size) return {};
  return TicketRow{get_u64(bytes.data()), id_at_end(bytes)};
}

bool is_vote_key(std::string_view key) {
  return key.size() == Key<48>::size;
}

Ulid vote_comment(std::string_view key) {
  return id_at_end(key.substr(0, Ulid::size));
}

CustomerHash vote_customer(std::string_view key) {
  CustomerHash customer;
  std::memcpy(customer.bytes.data(), key.data() + Ulid::size, CustomerHash::size);
  return customer;
}

std::string encode_vote(Vote vote) {
  return std::string(1, static_cast<char>(vote));
}

std::optional<Vote> decode_vote(std::string_view key, std::string_view row) {
  if (!is_vote_key(key) || row.size() != 1) return {};
  auto vote = static_cast<Vote>(row[0]);
  if (vote != Vote::helpful && vote != Vote::unhelpful) return {};
  return vote;
}

std::string encode_tally(const Tally& tally) {
  std::string out(17, '\0');
  out[0] = static_cast<char>(tally.helpful.has_value() | tally.unhelpful.has_value() << 1);
  put_u64(out.data() + 1, static_cast<std::uint64_t>(tally.helpful.value_or(0)));
  put_u64(out.data() + 9, static_cast<std::uint64_t>(tally.unhelpful.value_or(0)));
  return out;
}

std::optional<Tally> decode_tally(std::string_view row) {
  if (row.size() != 17 || static_cast<unsigned char>(row[0]) > 3) return {};
  Tally tally;
  if (row[0] & 1) tally.helpful = static_cast<std::int64_t>(get_u64(row.data() + 1));
  if (row[0] & 2) tally.unhelpful = static_cast<std::int64_t>(get_u64(row.data() + 9));
  return tally;
}

}  // namespace quire::embedded
