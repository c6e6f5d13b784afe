// The keys with which signatures of an issuer are checked, read from a file; and the checks, by
// OpenSSL.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quire/result.h"

struct evp_pkey_st;  // OpenSSL's

namespace quire::identity {

enum class Algorithm { hs256, es256, rs256, eddsa };  // RFC 7518, 3.1; EdDSA is Ed25519

std::string_view algorithm_name(Algorithm algorithm);
std::optional<Algorithm> parse_algorithm(std::string_view name);

inline constexpr std::size_t max_keys = 32;          // of an issuer
inline constexpr std::size_t min_secret_bytes = 32;  // RFC 7518, 3.2

// A key of one algorithm. Immutable, so thread-safe.
class Key {
 public:
  // `id`: empty: the key has no name.
  Key(std::string id, std::string secret);
  Key(std::string id, Algorithm algorithm, std::shared_ptr<evp_pkey_st> key);

  const std::string& id() const { return id_; }
  // Whether `signature` is this key's of `text`.
  bool signed_by(std::string_view text, std::span<const std::uint8_t> signature) const;

 private:
  std::string id_;
  Algorithm algorithm_;
  std::string secret_;                // of HS256
  std::shared_ptr<evp_pkey_st> key_;  // of the others
};

// The keys for `algorithm` in a JSON Web Key Set (RFC 7517). Keys of other kinds and uses are
// passed over. invalid_parameter: it is no such set, has no such key, or has one that is weak,
// private, or without a name beside others. The message is a sentence.
Result<std::vector<Key>> parse_key_set(std::string_view json, Algorithm algorithm);
// The secret in a file: its bytes without a last line feed. invalid_parameter: it is too short.
Result<std::vector<Key>> parse_secret(std::string_view bytes);

}  // namespace quire::identity
