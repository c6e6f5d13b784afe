// The key of customers: what is kept of a customer's id, and the keys that are derived from it.
// Format: docs/formats/customers.md
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "cursor/siv.h"
#include "quire/customer.h"

namespace quire::identity {

// Immutable, so thread-safe.
class CustomerKey {
 public:
  using Bytes = std::array<std::uint8_t, 32>;

  explicit CustomerKey(const Bytes& key) : key_(key) {}

  // What is kept of the customer with this id: HMAC-SHA-256. Without the key nobody can tell whose
  // it is.
  CustomerHash hash(std::string_view customer) const;
  // A key of another use: HKDF-SHA-256 (RFC 5869) with this label as its info, without salt.
  Siv::Key derive(std::string_view label) const;
  // Tells this key from others, and nothing about it: 32 hex digits.
  std::string check() const;

 private:
  Bytes key_;
};

}  // namespace quire::identity
