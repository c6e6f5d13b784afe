#include "identity/customer_key.h"

#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "base/hash.h"

namespace quire::identity {

CustomerHash CustomerKey::hash(std::string_view customer) const {
  return {hmac_sha256({reinterpret_cast<const char*>(key_.data()), key_.size()}, customer)};
}

Siv::Key CustomerKey::derive(std::string_view label) const {
  std::unique_ptr<EVP_KDF, decltype(&EVP_KDF_free)> kind(EVP_KDF_fetch(nullptr, "HKDF", nullptr),
                                                         EVP_KDF_free);
  std::unique_ptr<EVP_KDF_CTX, decltype(&EVP_KDF_CTX_free)> context(EVP_KDF_CTX_new(kind.get()),
                                                                    EVP_KDF_CTX_free);
  std::string digest = "SHA256", info(label);
  auto key = key_;
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key.data(), key.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.data(), info.size()),
      OSSL_PARAM_construct_end()};
  Siv::Key out;
  if (EVP_KDF_derive(context.get(), out.data(), out.size(), parameters) != 1)
    throw std::runtime_error("OpenSSL failed to derive a key");
  return out;
}

std::string CustomerKey::check() const {
  auto derived = derive("quire check");
  std::string out;
  for (std::size_t i = 0; i < 16; ++i) out += fmt::format("{:02x}", derived[i]);
  return out;
}

}  // namespace quire::identity
