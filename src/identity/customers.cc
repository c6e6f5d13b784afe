#include "identity/customers.h"

#include <fmt/format.h>
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/ensure.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/text.h"
#include "model/validate.h"

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

namespace {

constexpr std::uint8_t version = 1;
constexpr std::size_t id_at = 1, customer_at = id_at + std::tuple_size_v<TicketId>;
constexpr std::size_t end_at = customer_at + CustomerHash::size, end_size = 6;
constexpr std::size_t length_at = end_at + end_size, length_size = 2;
constexpr std::size_t product_at = length_at + length_size;

void put(std::uint8_t* at, std::size_t size, std::uint64_t number) {
  for (; size > 0; number >>= 8) at[--size] = static_cast<std::uint8_t>(number);
}

std::uint64_t get(std::span<const std::uint8_t> bytes) {
  std::uint64_t number = 0;
  for (auto byte : bytes) number = number << 8 | byte;
  return number;
}

// The bytes behind their tag, as base64url.
std::string sealed(const Siv& siv, std::vector<std::uint8_t> plain) {
  auto tag = siv.seal(plain);
  plain.insert(plain.begin(), tag.begin(), tag.end());
  return base64url_encode(plain);
}

// The bytes of such a text. Absent: this key has not sealed it.
std::optional<std::vector<std::uint8_t>> opened(const Siv& siv, std::string_view text) {
  auto plain = base64url_decode(text);
  if (!plain || plain->size() < 2 * Siv::tag_size) return {};  // no shorter text is sealed
  Siv::Tag tag;
  std::copy_n(plain->begin(), tag.size(), tag.begin());
  plain->erase(plain->begin(), plain->begin() + tag.size());
  if (plain->size() > Siv::max_text || !siv.open(tag, *plain)) return {};
  return plain;
}

std::optional<Invitation> unpacked(std::span<const std::uint8_t> plain) {
  if (plain.size() < product_at || plain[0] != version) return {};
  auto length = static_cast<std::size_t>(get(plain.subspan(length_at, length_size)));
  if (length > plain.size() - product_at) return {};
  Invitation invitation;
  std::copy_n(&plain[id_at], invitation.id.size(), invitation.id.begin());
  std::copy_n(&plain[customer_at], CustomerHash::size, invitation.customer.bytes.begin());
  invitation.ends_ms = get(plain.subspan(end_at, end_size));
  const auto* text = reinterpret_cast<const char*>(plain.data()) + product_at;
  invitation.product.assign(text, length);
  invitation.name.assign(text + length, plain.size() - product_at - length);
  auto characters = quire::characters(invitation.name, "");
  if (check_product(invitation.product) || !characters || *characters > limits::author_characters)
    return {};
  return invitation;
}

}  // namespace

std::string Tickets::seal(const Invitation& invitation) const {
  QUIRE_ENSURE(invitation.ends_ms >> (8 * end_size) == 0);
  std::vector<std::uint8_t> plain(product_at);
  plain[0] = version;
  std::copy(invitation.id.begin(), invitation.id.end(), &plain[id_at]);
  std::copy(invitation.customer.bytes.begin(), invitation.customer.bytes.end(),
            &plain[customer_at]);
  put(&plain[end_at], end_size, invitation.ends_ms);
  put(&plain[length_at], length_size, invitation.product.size());
  plain.insert(plain.end(), invitation.product.begin(), invitation.product.end());
  plain.insert(plain.end(), invitation.name.begin(), invitation.name.end());
  return sealed(siv_, std::move(plain));
}

std::optional<Invitation> Tickets::open(std::string_view text) const {
  if (text.size() > max_characters) return {};
  auto plain = opened(siv_, text);
  if (!plain) return {};
  return unpacked(*plain);
}

namespace {

constexpr std::uint8_t form_version = 1;
constexpr std::size_t time_size = 6, size_size = 2, form_id_size = 16;
constexpr std::uint8_t known_bit = 1, verified_bit = 2, invited_bit = 4;
constexpr std::size_t fixed_size = 2 + form_id_size + time_size + CustomerHash::size +
                                   std::tuple_size_v<TicketId> + time_size + size_size;

void append(std::vector<std::uint8_t>& out, std::uint64_t number, std::size_t size) {
  QUIRE_ENSURE(number >> (8 * size) == 0);
  while (size > 0) out.push_back(static_cast<std::uint8_t>(number >> (8 * --size)));
}

// Takes bytes off the front.
class Front {
 public:
  explicit Front(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  template <class Array>
  void take(Array& out) {
    std::copy_n(bytes_.begin(), out.size(), out.begin());
    bytes_ = bytes_.subspan(out.size());
  }
  std::uint64_t number(std::size_t size) {
    std::uint64_t out = 0;
    for (auto byte : bytes_.first(size)) out = out << 8 | byte;
    bytes_ = bytes_.subspan(size);
    return out;
  }
  std::string text(std::size_t size) {
    std::string out(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(size));
    bytes_ = bytes_.subspan(size);
    return out;
  }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace

std::string Forms::seal(const SealedForm& form) const {
  std::vector<std::uint8_t> plain{form_version};
  plain.push_back(static_cast<std::uint8_t>((form.customer_known ? known_bit : 0) |
                                            (form.verified ? verified_bit : 0) |
                                            (form.invited ? invited_bit : 0)));
  plain.insert(plain.end(), form.id.begin(), form.id.end());
  append(plain, form.made_ms, time_size);
  plain.insert(plain.end(), form.customer.bytes.begin(), form.customer.bytes.end());
  plain.insert(plain.end(), form.ticket.begin(), form.ticket.end());
  append(plain, form.ticket_ends_ms, time_size);
  append(plain, form.product.size(), size_size);
  plain.insert(plain.end(), form.product.begin(), form.product.end());
  plain.insert(plain.end(), form.name.begin(), form.name.end());
  return sealed(siv_, std::move(plain));
}

std::optional<SealedForm> Forms::open(std::string_view text) const {
  if (text.size() > max_characters) return {};
  auto plain = opened(siv_, text);
  if (!plain || plain->size() < fixed_size || plain->front() != form_version) return {};
  SealedForm form;
  Front front{std::span(*plain).subspan(1)};
  auto bits = front.number(1);
  form.customer_known = bits & known_bit;
  form.verified = bits & verified_bit;
  form.invited = bits & invited_bit;
  front.take(form.id);
  form.made_ms = front.number(time_size);
  front.take(form.customer.bytes);
  front.take(form.ticket);
  form.ticket_ends_ms = front.number(time_size);
  auto length = static_cast<std::size_t>(front.number(size_size));
  if (length > front.size()) return {};
  form.product = front.text(length);
  form.name = front.text(front.size());
  auto characters = quire::characters(form.name, "");
  if (check_product(form.product) || !characters || *characters > limits::author_characters)
    return {};
  return form;
}

}  // namespace quire::identity
