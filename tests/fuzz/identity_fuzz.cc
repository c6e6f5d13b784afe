// Fuzzes what says who a customer is: signed tokens, as a client sends them and with a valid
// signature; files of keys; tickets, as a client sends them and with a valid seal.
#include <algorithm>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "fuzz.h"
#include "identity/customers.h"
#include "identity/keys.h"
#include "identity/signed_token.h"

namespace quire::fuzz {
namespace {

using namespace identity;

constexpr std::uint64_t now_ms = 1'800'000'000'000;
const std::string secret(32, 's');

std::string encoded(std::string_view text) {
  return base64url_encode({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

const std::vector<Issuer>& issuers() {
  static const std::vector<Issuer> made = {
      {"i", "reviews", Algorithm::hs256, parse_secret(secret).value()}};
  return made;
}

void read(const std::string& token, bool is_signed) {
  auto claims = read_token(token, issuers(), now_ms);
  if (!claims) return require(claims.error().message.ends_with("."), "a refusal says why");
  require(is_signed, "no token is taken without a signature");
  require(!claims->customer.empty() && claims->customer.size() <= max_customer_bytes,
          "a customer has an id");
  require(claims->purchases.size() <= max_purchases, "purchases have a limit");
}

// A header and claims, with a line between them, signed by the shop.
void read_signed(std::string_view text) {
  auto header = take_until(text, "\n");
  auto content = encoded(header) + "." + encoded(text);
  read(content + "." + base64url_encode(hmac_sha256(secret, content)), true);
}

void read_keys(std::string_view file) {
  for (auto algorithm : {Algorithm::hs256, Algorithm::es256, Algorithm::rs256, Algorithm::eddsa}) {
    auto keys = parse_key_set(file, algorithm);
    if (!keys) {
      require(keys.error().message.ends_with("."), "a refusal says why");
      continue;
    }
    require(!keys->empty() && keys->size() <= max_keys, "an issuer has keys");
    const std::vector<std::uint8_t> zeros(64);
    for (const auto& key : *keys) require(!key.signed_by("text", zeros), "zeros sign nothing");
  }
}

void open_sealed(std::string_view text) {
  static const CustomerKey key(CustomerKey::Bytes{1});
  static const Tickets tickets(key);
  static const Siv siv(key.derive("quire tickets"));
  require(!tickets.open(text), "no ticket opens without a seal");
  std::vector<std::uint8_t> plain(text.begin(), text.end());
  plain.resize(std::clamp<std::size_t>(plain.size(), Siv::tag_size, Siv::max_text));
  auto tag = siv.seal(plain);
  plain.insert(plain.begin(), tag.begin(), tag.end());
  auto sealed = base64url_encode(plain);
  auto ticket = tickets.open(sealed);
  if (ticket) require(tickets.seal(*ticket) == sealed, "a ticket has one text");
}

}  // namespace
}  // namespace quire::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire::fuzz;
  auto text = text_of(data, size);
  read(std::string(text), false);
  read_signed(text);
  read_keys(text);
  open_sealed(text);
  return 0;
}
