#include "identity/sealed_form.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/ensure.h"
#include "base/limits.h"
#include "base/text.h"
#include "model/validate.h"

namespace quire::identity {
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
  auto tag = siv_.seal(plain);
  plain.insert(plain.begin(), tag.begin(), tag.end());
  return base64url_encode(plain);
}

std::optional<SealedForm> Forms::open(std::string_view text) const {
  if (text.size() > max_characters) return {};
  auto sealed = base64url_decode(text);
  if (!sealed || sealed->size() < Siv::tag_size + fixed_size) return {};
  Siv::Tag tag;
  std::copy_n(sealed->begin(), tag.size(), tag.begin());
  auto plain = std::span(*sealed).subspan(tag.size());
  if (plain.size() > Siv::max_text || !siv_.open(tag, plain) || plain[0] != form_version) return {};
  SealedForm form;
  Front front(plain.subspan(1));
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
