// The sealed field of a form for comments: who writes, of which product, and when the form was
// made. The server keeps none, so a form needs no cookie. Format: docs/formats/customers.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cursor/siv.h"
#include "identity/customer_key.h"
#include "identity/ticket.h"

namespace quire::identity {

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
class Forms {
 public:
  static constexpr std::size_t max_characters = 1024;  // of a sealed field
  static constexpr std::uint64_t life_ms = 60 * 60 * 1000;
  static constexpr std::uint64_t least_ms = 3'000;  // people take longer to write a comment

  explicit Forms(const CustomerKey& key) : siv_(key.derive("quire forms")) {}

  // The field as base64url.
  std::string seal(const SealedForm& form) const;
  // Nothing: this key has sealed no such field. It may be older than life_ms.
  std::optional<SealedForm> open(std::string_view text) const;

 private:
  Siv siv_;
};

}  // namespace quire::identity
