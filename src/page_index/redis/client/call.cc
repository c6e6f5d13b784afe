#include "page_index/redis/client/call.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <stdexcept>

#include "page_index/redis/client/reply.h"

namespace quire::redis {
namespace {

std::string sha1_hex(const std::string& text) {
  std::array<unsigned char, 20> digest;
  if (!EVP_Q_digest(nullptr, "SHA1", nullptr, text.data(), text.size(), digest.data(), nullptr))
    throw std::runtime_error("OpenSSL failed to hash a script");
  std::string hex;
  for (auto byte : digest) hex += fmt::format("{:02x}", byte);
  return hex;
}

std::string words_of(std::string_view command, std::string_view script, const Call& call) {
  auto count = std::to_string(call.keys.size());
  std::vector<std::string_view> words{command, script, count};
  words.insert(words.end(), call.keys.begin(), call.keys.end());
  words.insert(words.end(), call.arguments.begin(), call.arguments.end());
  return request(words);
}

}  // namespace

Script::Script(std::string text) : text(std::move(text)), sha1(sha1_hex(this->text)) {}

std::string Call::by_name() const {
  return words_of("EVALSHA", script.sha1, *this);
}

std::string Call::in_full() const {
  return words_of("EVAL", script.text, *this);
}

}  // namespace quire::redis
