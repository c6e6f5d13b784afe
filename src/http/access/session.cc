#include "http/access/session.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/text.h"

namespace quire::http {
namespace {

constexpr std::size_t end_size = 8, digest_size = 32, plain_size = end_size + digest_size;

}  // namespace

std::string Sessions::begin(const desk::Token& token, std::uint64_t now_ms) const {
  std::vector<std::uint8_t> plain(plain_size);
  auto end = now_ms + session_ms;
  for (std::size_t i = end_size; i > 0; end >>= 8) plain[--i] = static_cast<std::uint8_t>(end);
  for (std::size_t i = 0; i < digest_size; ++i) {
    const char* digits = token.hash.data() + 2 * i;
    std::from_chars(digits, digits + 2, plain[end_size + i], 16);
  }
  return sealed_text(siv_, std::move(plain));
}

const desk::Token* Sessions::find(std::string_view cookie, const desk::Tokens& tokens,
                                  std::uint64_t now_ms) const {
  auto plain = opened_text(siv_, cookie);
  if (!plain || plain->size() != plain_size) return nullptr;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < end_size; ++i) end = end << 8 | (*plain)[i];
  if (now_ms > end) return nullptr;
  const auto* token = tokens.with_hash(hex(std::span(*plain).subspan(end_size)));
  return token && !token->ended(now_ms) && token->may(desk::Scope::moderate) ? token : nullptr;
}

std::string Sessions::form_value(std::string_view cookie) const {
  auto mac = hmac_sha256({reinterpret_cast<const char*>(key_.data()), key_.size()},
                         "form " + std::string(cookie));
  return base64url_encode(mac);
}

std::string_view Sessions::cookie_in(std::string_view header) {
  while (!header.empty()) {
    auto pair = header.substr(0, header.find(';'));
    header.remove_prefix(std::min(pair.size() + 1, header.size()));
    pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
    bool ours = pair.starts_with(cookie_name) && pair.substr(cookie_name.size()).starts_with('=');
    if (ours) return pair.substr(cookie_name.size() + 1);
  }
  return {};
}

}  // namespace quire::http
