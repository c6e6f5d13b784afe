// The key of customers: what is kept of a customer's id, and the keys that are derived from it,
// with which tickets of invitations and fields of forms are sealed.
// Format: docs/formats/customers.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cursor/siv.h"
#include "quire/customer.h"

namespace quire::identity {

inline constexpr std::uint64_t day_ms = 24 * 60 * 60 * 1000;

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

// Under which a store remembers that an invitation has made its comment of a product.
using TicketId = std::array<std::uint8_t, 16>;

// Lets a customer who is not signed in write one comment of each of its products. Its ticket says
// everything itself, sealed, so none is kept until it is used.
struct Invitation {
  std::array<std::uint8_t, 8> id = {};  // random
  CustomerHash customer = {};
  std::uint64_t ends_ms = 0;          // since 1970: a day's beginning, less than 2^16 days
  std::vector<std::string> products;  // 1 to 20, of 1 to 256 bytes each, together at most 500
  std::string name = {};  // of the author, at most 100 characters; empty: the customer types it
  // The customer's id in the shop. If it has 1 to 31 bytes it is in the ticket in place of the
  // hash, which makes the ticket shorter. A ticket with the hash opens without it.
  std::string customer_id = {};

  TicketId id_for(std::string_view product) const;

  friend bool operator==(const Invitation&, const Invitation&) = default;
};

// Thread-safe.
class Tickets {
 public:
  static constexpr std::size_t max_characters = 1400;  // of a ticket

  explicit Tickets(const CustomerKey& key) : key_(key), siv_(key.derive("quire tickets")) {}

  // The ticket as base64url.
  std::string seal(const Invitation& invitation) const;
  // Absent: it is no ticket that this key has sealed. It may have ended.
  std::optional<Invitation> open(std::string_view text) const;

 private:
  CustomerKey key_;
  Siv siv_;
};

// The sealed field of a form for comments: who writes, of which product, and when the form was
// made. The server keeps none, so a form needs no cookie.
struct SealedForm {
  std::array<std::uint8_t, 16> id = {};  // random; one form makes one comment
  std::uint64_t made_ms = 0;             // since 1970; below 2^48
  bool customer_known = false;           // false: anyone writes
  CustomerHash customer = {};            // where known
  bool verified = false;                 // whether the customer has bought the product
  // By an invitation: its id and end; else zeros. The end is below 2^48.
  bool invited = false;
  TicketId ticket = {};
  std::uint64_t ticket_ends_ms = 0;
  std::string product;    // 1 to 256 bytes
  std::string name = {};  // of the author, at most 100 characters; empty: the writer types it

  friend bool operator==(const SealedForm&, const SealedForm&) = default;
};

// Thread-safe.
class FormSeals {
 public:
  static constexpr std::size_t max_characters = 1024;  // of a sealed field
  static constexpr std::uint64_t max_age_ms = 60 * 60 * 1000;
  static constexpr std::uint64_t min_age_ms = 3'000;  // people take longer to write a comment

  explicit FormSeals(const CustomerKey& key) : siv_(key.derive("quire forms")) {}

  // The field as base64url.
  std::string seal(const SealedForm& form) const;
  // Absent: this key has sealed no such field. It may be older than max_age_ms.
  std::optional<SealedForm> open(std::string_view text) const;

 private:
  Siv siv_;
};

}  // namespace quire::identity
