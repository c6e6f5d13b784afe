// Signed tokens (JSON Web Tokens, RFC 7519), by which a shop says who a customer is. Of what a
// token could ask for, nothing is taken from the token itself: algorithm, keys and audience are the
// issuer's, as the shop file says (RFC 8725; docs/adr/0065-signed-tokens.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "identity/keys.h"
#include "quire/result.h"

namespace quire::identity {

// Who signs for customers. Immutable once it is read, so thread-safe.
struct Issuer {
  std::string name;      // the claim `iss`
  std::string audience;  // the claim `aud`
  Algorithm algorithm;   // the only one
  std::vector<Key> keys = {};
};

// What a valid token says.
struct Claims {
  std::string customer;   // the claim `sub`, 1 to 128 bytes
  std::string name;       // of the author; empty: the token has none
  bool verified = false;  // whether the customer has bought every product that they write of
  std::vector<std::string> purchases = {};  // products that the customer has bought
};

inline constexpr std::size_t max_token_bytes = 8 * 1024;
inline constexpr std::size_t max_customer_bytes = 128;
inline constexpr std::size_t max_purchases = 500;
inline constexpr std::uint64_t skew_ms = 60 * 1000;
inline constexpr std::uint64_t max_life_ms = 24 * 60 * 60 * 1000;

// Whether a bearer's text has the form of a signed token: two dots.
bool is_signed_token(std::string_view text);

// The claims of a token that one of the issuers has signed. Takes `sub`, `iss`, `aud`, `exp`,
// `nbf`, `name`, `purchases` and `verified`, and passes over other claims. An error: the token is
// not valid; its message says why. Thread-safe.
Result<Claims> read_token(std::string_view token, const std::vector<Issuer>& issuers,
                          std::uint64_t now_ms);

}  // namespace quire::identity
