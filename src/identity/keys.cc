#include "identity/keys.h"

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "base/hash.h"
#include "base/text.h"
#include "base/try.h"
#include "model/unique_json.h"
#include "model/validate.h"

namespace quire::identity {
namespace {

namespace json = boost::json;

using Bytes = std::span<const std::uint8_t>;

constexpr int min_rsa_bits = 2048, max_rsa_bits = 8192;
constexpr std::size_t max_exponent_bytes = 8;
constexpr std::size_t coordinate_bytes = 32;  // of P-256 and of Ed25519

struct Free {
  void operator()(BIGNUM* number) const { BN_free(number); }
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  void operator()(OSSL_PARAM_BLD* builder) const { OSSL_PARAM_BLD_free(builder); }
  void operator()(OSSL_PARAM* parameters) const { OSSL_PARAM_free(parameters); }
  void operator()(ECDSA_SIG* signature) const { ECDSA_SIG_free(signature); }
};
template <class T>
using Owned = std::unique_ptr<T, Free>;

Owned<BIGNUM> number_of(Bytes bytes) {
  return Owned<BIGNUM>(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
}

// A key of these parameters, whose numbers OpenSSL has checked. Null: they make no key.
std::shared_ptr<EVP_PKEY> key_of(const char* type, const OSSL_PARAM* parameters) {
  Owned<EVP_PKEY_CTX> making(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* made = nullptr;
  bool worked = making && parameters && EVP_PKEY_fromdata_init(making.get()) == 1 &&
                EVP_PKEY_fromdata(making.get(), &made, EVP_PKEY_PUBLIC_KEY,
                                  const_cast<OSSL_PARAM*>(parameters)) == 1;
  std::shared_ptr<EVP_PKEY> key(made, EVP_PKEY_free);
  if (worked) {
    Owned<EVP_PKEY_CTX> checking(EVP_PKEY_CTX_new_from_pkey(nullptr, key.get(), nullptr));
    worked = checking && EVP_PKEY_public_check(checking.get()) == 1;
  }
  ERR_clear_error();
  return worked ? key : nullptr;
}

// The DER form that OpenSSL takes, of a signature that is two numbers of 32 bytes. Absent: it has
// another size.
std::optional<std::vector<std::uint8_t>> der_of(Bytes signature) {
  if (signature.size() != 2 * coordinate_bytes) return {};
  Owned<ECDSA_SIG> numbers(ECDSA_SIG_new());
  auto r = number_of(signature.first(coordinate_bytes));
  auto s = number_of(signature.last(coordinate_bytes));
  if (!numbers || ECDSA_SIG_set0(numbers.get(), r.get(), s.get()) != 1) return {};
  (void)r.release();  // `numbers` has them now
  (void)s.release();
  std::vector<std::uint8_t> der(static_cast<std::size_t>(i2d_ECDSA_SIG(numbers.get(), nullptr)));
  auto* at = der.data();
  i2d_ECDSA_SIG(numbers.get(), &at);
  return der;
}

// Null: it is no valid key. The numbers have the most significant byte first.
std::shared_ptr<EVP_PKEY> rsa_key(Bytes n, Bytes e) {
  if (n.size() > max_rsa_bits / 8 || e.size() > max_exponent_bytes) return {};
  auto modulus = number_of(n), exponent = number_of(e);
  if (BN_num_bits(modulus.get()) < min_rsa_bits) return {};
  Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get());
  OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get());
  Owned<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(builder.get()));
  return key_of("RSA", parameters.get());
}

// A key of P-256.
std::shared_ptr<EVP_PKEY> ec_key(Bytes x, Bytes y) {
  if (x.size() != coordinate_bytes || y.size() != coordinate_bytes) return {};
  std::vector<std::uint8_t> point{0x04};  // both coordinates follow
  point.insert(point.end(), x.begin(), x.end());
  point.insert(point.end(), y.begin(), y.end());
  Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
  OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                   point.size());
  Owned<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(builder.get()));
  return key_of("EC", parameters.get());
}

// The points whose order is 1, 2, 4 or 8, in all their forms but for the sign, which is the last
// bit: of y = 0, 1, -1, the two of order 8, p and p + 1. A signature by one of them is anybody's
// (Chalkias, Garillot, Nikolaenko, "Taming the many EdDSAs", 2020).
constexpr std::string_view small_points[] = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"};

bool is_small(Bytes x) {
  std::vector<std::uint8_t> point(x.begin(), x.end());
  point.back() &= 0x7f;
  return std::count(std::begin(small_points), std::end(small_points), hex(point)) > 0;
}

std::shared_ptr<EVP_PKEY> ed25519_key(Bytes x) {
  if (x.size() != coordinate_bytes || is_small(x)) return {};
  auto* key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, x.data(), x.size());
  return {key, EVP_PKEY_free};
}

// Whether `signature` is one of `text` by `key`, in the form that JSON Web Signature gives it (RFC
// 7518, 3.3 and 3.4; RFC 8037, 3.1).
bool verifies(EVP_PKEY* key, Algorithm algorithm, std::string_view text, Bytes signature) {
  std::optional<std::vector<std::uint8_t>> der;
  if (algorithm == Algorithm::es256) {
    der = der_of(signature);
    if (!der) return false;
    signature = *der;
  }
  const char* digest = algorithm == Algorithm::eddsa ? nullptr : "SHA256";
  Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  bool verified =
      EVP_DigestVerifyInit_ex(context.get(), nullptr, digest, nullptr, nullptr, key, nullptr) ==
          1 &&
      EVP_DigestVerify(context.get(), signature.data(), signature.size(),
                       reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1;
  ERR_clear_error();  // or it would be told as the reason of a later failure of this thread
  return verified;
}

constexpr std::array<std::string_view, 4> names = {"HS256", "ES256", "RS256", "EdDSA"};

constexpr std::size_t set_depth = 8;

Error unusable(std::string sentence) {
  return {ErrorCode::invalid_parameter, std::move(sentence)};
}

std::string_view member(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

// Empty: the member is missing, or no base64url.
std::vector<std::uint8_t> bytes_in(const json::object& object, std::string_view name) {
  return base64url_decode(member(object, name)).value_or(std::vector<std::uint8_t>());
}

std::string_view type_of(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::hs256:
      return "oct";
    case Algorithm::rs256:
      return "RSA";
    case Algorithm::es256:
      return "EC";
    case Algorithm::eddsa:
      return "OKP";
  }
  return "";
}

bool is_of_kind(const json::object& key, Algorithm algorithm) {
  if (member(key, "kty") != type_of(algorithm)) return false;
  if (algorithm == Algorithm::es256) return member(key, "crv") == "P-256";
  if (algorithm == Algorithm::eddsa) return member(key, "crv") == "Ed25519";
  return true;
}

// The member by which a key of the right kind says that it checks no signatures of this algorithm.
// What a key does not say stands open. Empty: there is none.
std::string_view hindrance(const json::object& key, Algorithm algorithm) {
  if (key.contains("alg") && member(key, "alg") != algorithm_name(algorithm)) return "alg";
  if (key.contains("use") && member(key, "use") != "sig") return "use";
  const auto* uses = key.if_contains("key_ops");
  bool verifies = !uses || (uses->is_array() && std::count(uses->get_array().begin(),
                                                           uses->get_array().end(), "verify") > 0);
  return verifies ? "" : "key_ops";
}

Result<Key> parse_key(const json::object& object, Algorithm algorithm) {
  std::string id(member(object, "kid"));
  if (algorithm == Algorithm::hs256) {
    auto secret = bytes_in(object, "k");
    if (secret.size() < min_secret_bytes)
      return unusable("A secret has 32 bytes or more, as base64url in \"k\".");
    return Key(std::move(id), std::string(secret.begin(), secret.end()));
  }
  if (object.contains("d"))
    return unusable("A key is private: it has \"d\". Quire needs the public key alone.");
  auto x = bytes_in(object, "x"), y = bytes_in(object, "y");
  std::shared_ptr<evp_pkey_st> key;
  if (algorithm == Algorithm::rs256) key = rsa_key(bytes_in(object, "n"), bytes_in(object, "e"));
  if (algorithm == Algorithm::es256) key = ec_key(x, y);
  if (algorithm == Algorithm::eddsa) key = ed25519_key(x);
  if (key) return Key(std::move(id), algorithm, std::move(key));
  if (algorithm == Algorithm::rs256)
    return unusable("A key of RSA is damaged, or has not 2048 to 8192 bits.");
  return unusable(fmt::format("A key for {} is damaged.", algorithm_name(algorithm)));
}

Status check_names(const std::vector<Key>& keys) {
  for (std::size_t i = 0; keys.size() > 1 && i < keys.size(); ++i) {
    if (keys[i].id().empty())
      return unusable(
          "Each of several keys has a name, \"kid\", which tokens say in their header.");
    for (std::size_t j = 0; j < i; ++j)
      if (keys[i].id() == keys[j].id()) return unusable("Two keys have the same \"kid\".");
  }
  return Done{};
}

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

Result<std::vector<Key>> parse_key_set(std::string_view text, Algorithm algorithm) {
  auto parsed = parse_unique(text, set_depth);
  const auto* object = parsed.ok() ? parsed->if_object() : nullptr;
  const auto* list = object ? object->if_contains("keys") : nullptr;
  if (!list || !list->is_array())
    return unusable("It is no JSON Web Key Set: {\"keys\": [{\"kty\": …, \"kid\": …, …}]}.");
  std::vector<Key> keys;
  std::string passed_over;
  for (const auto& each : list->get_array()) {
    if (!each.is_object()) return unusable("Each of \"keys\" is an object.");
    const auto& key_object = each.get_object();
    if (!is_of_kind(key_object, algorithm)) continue;
    if (auto why = hindrance(key_object, algorithm); !why.empty()) {
      auto value = json::serialize(key_object.at(why));
      passed_over = fmt::format(" One of this kind has \"{}\": {}.", why, shortened(value));
      continue;
    }
    if (keys.size() == max_keys) return unusable(fmt::format("It has over {} keys.", max_keys));
    TRY(auto key, parse_key(key_object, algorithm));
    keys.push_back(std::move(key));
  }
  if (keys.empty()) {
    return unusable(fmt::format("It has no key for {}: \"kty\" is \"{}\"{}.{}",
                                algorithm_name(algorithm), type_of(algorithm),
                                algorithm == Algorithm::es256   ? ", \"crv\" is \"P-256\""
                                : algorithm == Algorithm::eddsa ? ", \"crv\" is \"Ed25519\""
                                                                : "",
                                passed_over));
  }
  TRY_DONE(check_names(keys));
  return keys;
}

Result<std::vector<Key>> parse_secret(std::string_view bytes) {
  if (bytes.ends_with('\n')) bytes.remove_suffix(1);
  bool json_key = bytes.starts_with('{') &&
                  (bytes.find("\"kty\"") != bytes.npos || bytes.find("\"keys\"") != bytes.npos);
  if (bytes.starts_with("-----BEGIN") || json_key)
    return unusable(
        "It holds a key of another kind, which may be public: name it under keys. A secret is "
        "random bytes: openssl rand -hex 32.");
  if (bytes.size() < min_secret_bytes)
    return unusable("A secret has 32 bytes or more. Make one: openssl rand -hex 32.");
  return std::vector{Key({}, std::string(bytes))};
}

}  // namespace quire::identity
