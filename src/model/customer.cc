#include "quire/customer.h"

#include <algorithm>

#include "base/text.h"

namespace quire {

std::optional<CustomerHash> CustomerHash::parse(std::string_view text) {
  if (text.size() != text_size) return {};
  auto bytes = base64url_decode(text);
  if (!bytes || bytes->size() != size) return {};
  CustomerHash customer;
  std::copy(bytes->begin(), bytes->end(), customer.bytes.begin());
  return customer;
}

std::string CustomerHash::text() const {
  return base64url_encode(bytes);
}

std::array<std::uint8_t, 16> CustomerHash::person() const {
  std::array<std::uint8_t, 16> person;
  std::copy_n(bytes.begin(), person.size(), person.begin());
  return person;
}

}  // namespace quire
