// Invitations: a ticket lets a customer who is not signed in write one comment. It says everything
// itself, sealed, so none is kept until it is used. Format: docs/formats/customers.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cursor/siv.h"
#include "identity/customer_key.h"

namespace quire::identity {

using TicketId = std::array<std::uint8_t, 16>;

struct Invitation {
  TicketId id = {};  // random
  CustomerHash customer = {};
  std::uint64_t ends_ms = 0;  // since 1970; below 2^48
  std::string product;        // 1 to 256 bytes
  std::string name = {};      // of the author, at most 100 characters; empty: the customer types it

  friend bool operator==(const Invitation&, const Invitation&) = default;
};

// Thread-safe.
class Tickets {
 public:
  static constexpr std::size_t max_characters = 1024;  // of a ticket

  explicit Tickets(const CustomerKey& key) : siv_(key.derive("quire tickets")) {}

  // The ticket as base64url.
  std::string seal(const Invitation& invitation) const;
  // Nothing: it is no ticket that this key has sealed. It may have ended.
  std::optional<Invitation> open(std::string_view text) const;

 private:
  Siv siv_;
};

}  // namespace quire::identity
