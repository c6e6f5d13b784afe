#include "base/hash.h"

#define XXH_INLINE_ALL
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <xxhash.h>

#include <memory>
#include <stdexcept>

#include "base/text.h"

namespace quire {
namespace {

// Fetched once: looking an algorithm up costs more than hashing a comment.
const EVP_MD* algorithm() {
  static const EVP_MD* fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return fetched;
}

class Hasher {
 public:
  Hasher() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    if (EVP_DigestInit_ex(context_.get(), algorithm(), nullptr) != 1) {
      throw std::runtime_error("OpenSSL offers no SHA-256");
    }
  }
  void add(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }
  Digest digest() {
    Digest out;
    EVP_DigestFinal_ex(context_.get(), out.data(), nullptr);
    return out;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

Digest sha256(std::span<const std::string_view> parts) {
  Hasher hasher;
  for (auto part : parts) {
    std::array<char, 8> length;
    for (int i = 0; i < 8; ++i) length[i] = static_cast<char>(part.size() >> (56 - 8 * i));
    hasher.add({length.data(), length.size()});
    hasher.add(part);
  }
  return hasher.digest();
}

Digest hmac_sha256(std::string_view key, std::string_view text) {
  Digest mac;
  std::size_t size = 0;
  if (!EVP_Q_mac(nullptr, "HMAC", nullptr, "SHA256", nullptr, key.data(), key.size(),
                 reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac.data(),
                 mac.size(), &size))
    throw std::runtime_error("OpenSSL failed to sign");
  return mac;
}

std::string sha256_hex(std::string_view bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hex(hasher.digest());
}

std::string sha1_hex(std::string_view bytes) {
  std::array<std::uint8_t, 20> digest;
  if (!EVP_Q_digest(nullptr, "SHA1", nullptr, bytes.data(), bytes.size(), digest.data(), nullptr))
    throw std::runtime_error("OpenSSL offers no SHA-1");
  return hex(digest);
}

bool same_bytes(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::uint64_t long_hash(std::string_view bytes) {
#ifdef QUIRE_WIDE_HASH
  if (__builtin_cpu_supports("avx2")) return wide_hash(bytes.data(), bytes.size());
#endif
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace quire
