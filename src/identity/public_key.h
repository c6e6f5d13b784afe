// Public keys and their signatures, by OpenSSL.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "identity/keys.h"

namespace quire::identity {

using Bytes = std::span<const std::uint8_t>;

inline constexpr int min_rsa_bits = 2048, max_rsa_bits = 8192;
inline constexpr std::size_t max_exponent_bytes = 8;
inline constexpr std::size_t coordinate_bytes = 32;  // of P-256 and of Ed25519

// Null: it is no valid key. `n` and `e` are numbers, the most significant byte first; RSA has
// min_rsa_bits to max_rsa_bits.
std::shared_ptr<evp_pkey_st> rsa_key(Bytes n, Bytes e);
// Of P-256.
std::shared_ptr<evp_pkey_st> ec_key(Bytes x, Bytes y);
std::shared_ptr<evp_pkey_st> ed25519_key(Bytes x);

// Whether `signature` is one of `text` by `key`, in the form that JSON Web Signature gives it (RFC
// 7518, 3.3 and 3.4; RFC 8037, 3.1).
bool verifies(evp_pkey_st* key, Algorithm algorithm, std::string_view text, Bytes signature);

}  // namespace quire::identity
