// Signs tokens as a shop does, and as an attacker would.
#pragma once

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "identity/signed_token.h"

namespace quire::identity {

inline std::string encoded(std::string_view text) {
  return base64url_encode({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// A key pair of the shop.
class Pair {
 public:
  static Pair rsa(unsigned bits = 2048) {
    return Pair(EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", std::size_t{bits}));
  }
  static Pair ec(const char* curve = "P-256") {
    return Pair(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", curve));
  }
  static Pair ed25519() { return Pair(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")); }

  // The public key as JSON Web Key, with these further members: `"kid": "a",`.
  std::string jwk(std::string_view more = {}) const {
    std::string out = "{" + std::string(more);
    if (EVP_PKEY_is_a(key_.get(), "RSA"))
      return out + R"("kty":"RSA","n":")" + number(OSSL_PKEY_PARAM_RSA_N) + R"(","e":")" +
             number(OSSL_PKEY_PARAM_RSA_E) + "\"}";
    if (EVP_PKEY_is_a(key_.get(), "EC"))
      return out + R"("kty":"EC","crv":"P-256","x":")" + number(OSSL_PKEY_PARAM_EC_PUB_X) +
             R"(","y":")" + number(OSSL_PKEY_PARAM_EC_PUB_Y) + "\"}";
    std::array<std::uint8_t, 32> x;
    std::size_t size = x.size();
    EVP_PKEY_get_raw_public_key(key_.get(), x.data(), &size);
    return out + R"("kty":"OKP","crv":"Ed25519","x":")" + base64url_encode(x) + "\"}";
  }

  // As OpenSSL gives it: that of EC is in DER.
  std::vector<std::uint8_t> sign(std::string_view text) const {
    const char* digest = EVP_PKEY_is_a(key_.get(), "ED25519") ? nullptr : "SHA256";
    auto* context = EVP_MD_CTX_new();
    EVP_DigestSignInit_ex(context, nullptr, digest, nullptr, nullptr, key_.get(), nullptr);
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t size = 0;
    EVP_DigestSign(context, nullptr, &size, bytes, text.size());
    std::vector<std::uint8_t> out(size);
    EVP_DigestSign(context, out.data(), &size, bytes, text.size());
    out.resize(size);
    EVP_MD_CTX_free(context);
    return out;
  }

  // As tokens have it.
  std::vector<std::uint8_t> jws(std::string_view text) const {
    auto out = sign(text);
    if (!EVP_PKEY_is_a(key_.get(), "EC")) return out;
    const auto* at = out.data();
    auto* numbers = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(out.size()));
    std::vector<std::uint8_t> raw(64);
    BN_bn2binpad(ECDSA_SIG_get0_r(numbers), raw.data(), 32);
    BN_bn2binpad(ECDSA_SIG_get0_s(numbers), raw.data() + 32, 32);
    ECDSA_SIG_free(numbers);
    return raw;
  }

 private:
  explicit Pair(EVP_PKEY* key) : key_(key, EVP_PKEY_free) {}

  std::string number(const char* name) const {
    BIGNUM* number = nullptr;
    EVP_PKEY_get_bn_param(key_.get(), name, &number);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(BN_num_bytes(number)));
    BN_bn2bin(number, bytes.data());
    if (name[0] == 'q') {  // coordinates have all their bytes
      bytes.resize(32);
      BN_bn2binpad(number, bytes.data(), 32);
    }
    BN_free(number);
    return base64url_encode(bytes);
  }

  std::shared_ptr<EVP_PKEY> key_;
};

inline std::string key_set(std::string_view keys) {
  return "{\"keys\":[" + std::string(keys) + "]}";
}

inline std::string signed_by(const Pair& pair, std::string_view header, std::string_view claims) {
  auto text = encoded(header) + "." + encoded(claims);
  return text + "." + base64url_encode(pair.jws(text));
}

inline std::string signed_by_secret(std::string_view secret, std::string_view header,
                                    std::string_view claims) {
  auto text = encoded(header) + "." + encoded(claims);
  return text + "." + base64url_encode(hmac_sha256(secret, text));
}

}  // namespace quire::identity
