#include "identity/keys.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "identity/public_key.h"

namespace quire::identity {
namespace {

constexpr std::array<std::string_view, 4> names = {"HS256", "ES256", "RS256", "EdDSA"};

}  // namespace

std::string_view algorithm_name(Algorithm algorithm) {
  return names[static_cast<std::size_t>(algorithm)];
}

std::optional<Algorithm> parse_algorithm(std::string_view name) {
  auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return {};
  return static_cast<Algorithm>(at - names.begin());
}

Key::Key(std::string id, std::string secret)
    : id_(std::move(id)), algorithm_(Algorithm::hs256), secret_(std::move(secret)) {}

Key::Key(std::string id, Algorithm algorithm, std::shared_ptr<evp_pkey_st> key)
    : id_(std::move(id)), algorithm_(algorithm), key_(std::move(key)) {}

bool Key::signed_by(std::string_view text, std::span<const std::uint8_t> signature) const {
  if (algorithm_ == Algorithm::hs256) {
    auto mac = hmac_sha256(secret_, text);
    return same_bytes({reinterpret_cast<const char*>(mac.data()), mac.size()},
                      {reinterpret_cast<const char*>(signature.data()), signature.size()});
  }
  return verifies(key_.get(), algorithm_, text, signature);
}

}  // namespace quire::identity
