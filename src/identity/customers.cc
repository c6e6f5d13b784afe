#include "identity/customers.h"

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
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
  return hex(std::span(derived).first(16));
}

namespace {

constexpr std::uint8_t ticket_version = 2, form_version = 1;
constexpr std::size_t time_size = 6, length_size = 2, form_id_size = 16;
constexpr std::uint8_t known_bit = 1, verified_bit = 2, invited_bit = 4;
constexpr std::size_t day_size = 2, id_size = 8;
constexpr std::size_t fixed_ticket_size = 1 + id_size + day_size + 1;  // before the customer
constexpr std::size_t fixed_form_size = 2 + form_id_size + time_size + CustomerHash::size +
                                        std::tuple_size_v<TicketId> + time_size + length_size;

void append(std::vector<std::uint8_t>& out, std::uint64_t number, std::size_t size) {
  QUIRE_ENSURE(number >> (8 * size) == 0);
  while (size > 0) out.push_back(static_cast<std::uint8_t>(number >> (8 * --size)));
}

template <class Bytes>
void append(std::vector<std::uint8_t>& out, const Bytes& bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
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

// The author's name, to the end. False: it is not valid.
bool take_name(Front& front, std::string& name) {
  name = front.text(front.size());
  auto characters = quire::characters(name, "");
  return characters && *characters <= limits::author_characters;
}

// The product behind its length, and the name. False: they are not valid.
bool take_texts(Front& front, std::string& product, std::string& name) {
  auto length = static_cast<std::size_t>(front.number(length_size));
  if (length > front.size()) return false;
  product = front.text(length);
  return is_product_name(product) && take_name(front, name);
}

// The customer behind the length: 32 bytes are the hash, fewer the id. False: it is not valid.
bool take_customer(Front& front, const CustomerKey& key, Invitation& invitation) {
  auto length = static_cast<std::size_t>(front.number(1));
  if (length == 0 || length > CustomerHash::size || length > front.size()) return false;
  if (length == CustomerHash::size) {
    front.take(invitation.customer.bytes);
    return true;
  }
  invitation.customer_id = front.text(length);
  invitation.customer = key.hash(invitation.customer_id);
  return true;
}

// The products behind their number, each behind its length less one. False: they are not valid.
bool take_products(Front& front, std::vector<std::string>& products) {
  auto count = front.size() > 0 ? front.number(1) : 0;
  while (products.size() < count) {
    auto length = front.size() > 0 ? static_cast<std::size_t>(front.number(1)) + 1 : 0;
    if (length == 0 || length > front.size()) return false;
    products.push_back(front.text(length));
    if (!is_product_name(products.back())) return false;
  }
  return count > 0;
}

void append_texts(std::vector<std::uint8_t>& out, const std::string& product,
                  const std::string& name) {
  append(out, product.size(), length_size);
  append(out, product);
  append(out, name);
}

}  // namespace

TicketId Invitation::id_for(std::string_view product) const {
  TicketId out;
  auto digest = sha256({product});
  std::copy_n(digest.begin(), out.size() - id.size(), std::copy(id.begin(), id.end(), out.begin()));
  return out;
}

std::string Tickets::seal(const Invitation& invitation) const {
  std::vector<std::uint8_t> plain{ticket_version};
  append(plain, invitation.id);
  append(plain, invitation.ends_ms / day_ms, day_size);
  const auto& id = invitation.customer_id;
  auto customer = id.empty() || id.size() >= CustomerHash::size ? invitation.customer.view() : id;
  append(plain, customer.size(), 1);
  append(plain, customer);
  append(plain, invitation.products.size(), 1);
  for (const auto& product : invitation.products) {
    append(plain, product.size() - 1, 1);
    append(plain, product);
  }
  append(plain, invitation.name);
  return sealed_text(siv_, std::move(plain));
}

std::optional<Invitation> Tickets::open(std::string_view text) const {
  if (text.size() > max_characters) return {};
  auto plain = opened_text(siv_, text);
  if (!plain || plain->size() < fixed_ticket_size || plain->front() != ticket_version) return {};
  Invitation invitation;
  Front front{std::span(*plain).subspan(1)};
  front.take(invitation.id);
  invitation.ends_ms = front.number(day_size) * day_ms;
  bool valid = take_customer(front, key_, invitation) &&
               take_products(front, invitation.products) && take_name(front, invitation.name);
  if (!valid) return {};
  return invitation;
}

std::string FormSeals::seal(const SealedForm& form) const {
  std::vector<std::uint8_t> plain{form_version};
  plain.push_back(static_cast<std::uint8_t>((form.customer_known ? known_bit : 0) |
                                            (form.verified ? verified_bit : 0) |
                                            (form.invited ? invited_bit : 0)));
  append(plain, form.id);
  append(plain, form.made_ms, time_size);
  append(plain, form.customer.bytes);
  append(plain, form.ticket);
  append(plain, form.ticket_ends_ms, time_size);
  append_texts(plain, form.product, form.name);
  return sealed_text(siv_, std::move(plain));
}

std::optional<SealedForm> FormSeals::open(std::string_view text) const {
  if (text.size() > max_characters) return {};
  auto plain = opened_text(siv_, text);
  if (!plain || plain->size() < fixed_form_size || plain->front() != form_version) return {};
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
  if (!take_texts(front, form.product, form.name)) return {};
  return form;
}

}  // namespace quire::identity
