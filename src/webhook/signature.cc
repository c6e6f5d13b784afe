#include "webhook/signature.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/hash.h"

namespace quire::webhook {
namespace {

constexpr std::string_view prefix = "whsec_";
constexpr std::size_t min_bytes = 24, max_bytes = 64;

std::string base64(std::span<const std::uint8_t> bytes) {
  std::string out(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // OpenSSL ends it with a zero
  auto size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()), bytes.data(),
                              static_cast<int>(bytes.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

// Absent: the text is no base64 with its padding.
std::optional<std::string> bytes_of(std::string_view text) {
  std::string out(text.size() / 4 * 3, '\0');
  if (text.size() % 4 != 0) return {};
  auto* bytes = reinterpret_cast<unsigned char*>(out.data());
  if (EVP_DecodeBlock(bytes, reinterpret_cast<const unsigned char*>(text.data()),
                      static_cast<int>(text.size())) < 0)
    return {};
  auto padding = text.size() - std::min(text.find_last_not_of('=') + 1, text.size());
  out.resize(out.size() - std::min(padding, out.size()));
  bool same = base64({reinterpret_cast<const std::uint8_t*>(out.data()), out.size()}) == text;
  return same ? std::optional(std::move(out)) : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  auto from = text.find_first_not_of(blanks);
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) + 1 - from);
}

}  // namespace

Result<Secret> parse_secret(std::string_view text) {
  text = trimmed(text);
  constexpr std::size_t max_text = prefix.size() + 4 * ((max_bytes + 2) / 3);
  if (text.starts_with(prefix) && text.size() <= max_text) {
    auto bytes = bytes_of(text.substr(prefix.size()));
    if (bytes && min_bytes <= bytes->size() && bytes->size() <= max_bytes)
      return Secret{std::move(*bytes)};
  }
  return Error{ErrorCode::invalid_parameter,
               "A secret is whsec_ and 24 to 64 bytes in base64. This makes one: "
               "echo \"whsec_$(openssl rand -base64 32)\""};
}

std::string signatures(const std::vector<Secret>& secrets, std::string_view id,
                       std::uint64_t seconds, std::string_view body) {
  auto text = fmt::format("{}.{}.{}", id, seconds, body);
  std::string out;
  for (const auto& secret : secrets) {
    if (!out.empty()) out += ' ';
    out += "v1," + base64(hmac_sha256(secret.bytes, text));
  }
  return out;
}

}  // namespace quire::webhook
