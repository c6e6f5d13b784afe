#include "cursor/cursor.h"

#include <openssl/evp.h>

#include <cstring>
#include <stdexcept>

#include "base/base64.h"
#include "base/limits.h"

namespace quire {
namespace {

constexpr std::uint8_t version = 1;
constexpr std::size_t plain_size = 23;  // version, flags, id (16), rating, fingerprint (4)
constexpr std::size_t tag_size = 16;
using Plain = std::array<std::uint8_t, plain_size>;

struct Free {
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Cipher = std::unique_ptr<EVP_CIPHER, Free>;
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, Free>;

Plain pack(const Position& position) {
  Plain plain{};
  plain[0] = version;
  plain[1] =
      static_cast<std::uint8_t>(position.backward | static_cast<unsigned>(position.sort) << 1);
  std::memcpy(&plain[2], position.id.bytes.data(), Ulid::size);
  for (int i = 0; i < 4; ++i) {
    plain[19 + i] = static_cast<std::uint8_t>(position.fingerprint >> (24 - 8 * i));
  }
  return plain;
}

std::optional<Position> unpack(const Plain& plain) {
  Position position;
  position.backward = plain[1] & 1;
  auto sort = plain[1] >> 1;
  if (plain[0] != version || sort > static_cast<int>(Sort::oldest)) return {};
  position.sort = static_cast<Sort>(sort);
  std::memcpy(position.id.bytes.data(), &plain[2], Ulid::size);
  for (int i = 0; i < 4; ++i) position.fingerprint = position.fingerprint << 8 | plain[19 + i];
  return position;
}

CipherContext keyed(const EVP_CIPHER* cipher, const Seal::Key& key, bool encrypt) {
  CipherContext context(EVP_CIPHER_CTX_new());
  if (!context ||
      EVP_CipherInit_ex(context.get(), cipher, nullptr, key.data(), nullptr, encrypt) != 1) {
    throw std::runtime_error("OpenSSL offers no AES-128-SIV");
  }
  return context;
}

// Each operation takes a fresh context, as a copy: a reused one let forgeries pass in OpenSSL
// before 3.0.9, and keying one anew costs three times as much.
CipherContext copy(const CipherContext& context) {
  CipherContext fresh(EVP_CIPHER_CTX_new());
  if (!fresh || EVP_CIPHER_CTX_copy(fresh.get(), context.get()) != 1) {
    throw std::runtime_error("OpenSSL could not copy a cipher context");
  }
  return fresh;
}

}  // namespace

struct Seal::Context {
  CipherContext sealing;
  CipherContext opening;
};

Seal::Seal(const std::vector<Key>& keys) {
  if (keys.empty()) throw std::invalid_argument("a seal needs a key");
  Cipher cipher(EVP_CIPHER_fetch(nullptr, "AES-128-SIV", nullptr));
  for (const Key& key : keys) {
    contexts_.push_back(std::make_unique<Context>(
        Context{keyed(cipher.get(), key, true), keyed(cipher.get(), key, false)}));
  }
}

Seal::~Seal() = default;
Seal::Seal(Seal&&) noexcept = default;

std::string Seal::seal(const Position& position) const {
  Plain plain = pack(position);
  std::array<std::uint8_t, tag_size + plain_size> sealed;
  auto context = copy(contexts_.front()->sealing);
  int written = 0;
  if (EVP_EncryptUpdate(context.get(), &sealed[tag_size], &written, plain.data(), plain_size) !=
          1 ||
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, tag_size, sealed.data()) != 1) {
    throw std::runtime_error("OpenSSL could not seal a cursor");
  }
  return base64url_encode(sealed);
}

Result<Position> Seal::open(std::string_view token) const {
  Error refused{
      ErrorCode::invalid_cursor,
      "This cursor was not made by this service, or was changed. Start again from the first "
      "page, and pass cursors on exactly as they were given."};
  if (token.empty() || token.size() > limits::cursor_characters) return refused;
  auto sealed = base64url_decode(token);
  if (!sealed || sealed->size() != tag_size + plain_size) return refused;
  for (const auto& held : contexts_) {
    auto context = copy(held->opening);
    Plain plain;
    int written = 0;
    if (EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, tag_size, sealed->data()) != 1 ||
        EVP_DecryptUpdate(context.get(), plain.data(), &written, sealed->data() + tag_size,
                          plain_size) != 1) {
      continue;
    }
    if (auto position = unpack(plain)) return *position;
  }
  return refused;
}

}  // namespace quire
