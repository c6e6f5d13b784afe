#include "identity/ticket.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/ensure.h"
#include "base/limits.h"
#include "base/text.h"
#include "model/validate.h"

namespace quire::identity {
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
  auto tag = siv_.seal(plain);
  plain.insert(plain.begin(), tag.begin(), tag.end());
  return base64url_encode(plain);
}

std::optional<Invitation> Tickets::open(std::string_view text) const {
  if (text.size() > max_characters) return {};
  auto sealed = base64url_decode(text);
  if (!sealed || sealed->size() < Siv::tag_size + product_at) return {};
  Siv::Tag tag;
  std::copy_n(sealed->begin(), tag.size(), tag.begin());
  auto plain = std::span(*sealed).subspan(tag.size());
  if (plain.size() > Siv::max_text || !siv_.open(tag, plain)) return {};
  return unpacked(plain);
}

}  // namespace quire::identity
