#include "cursor/siv.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <stdexcept>

#include "base/ensure.h"
#include "base/text.h"

namespace quire {
namespace {

struct Free {
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, Free>;

void check(bool worked) {
  if (!worked) throw std::runtime_error("OpenSSL failed to seal or open");
}

// AES block by block. The chaining of the modes is done here: setting an IV costs OpenSSL more time
// than these few blocks.
Context keyed(const std::uint8_t* key) {
  std::unique_ptr<EVP_CIPHER, Free> cipher(EVP_CIPHER_fetch(nullptr, "AES-128-ECB", nullptr));
  Context context(EVP_CIPHER_CTX_new());
  check(EVP_EncryptInit_ex(context.get(), cipher.get(), nullptr, key, nullptr) == 1 &&
        EVP_CIPHER_CTX_set_padding(context.get(), 0) == 1);
  return context;
}

// Encrypts whole blocks in place.
void encrypt(const Context& context, std::span<std::uint8_t> blocks) {
  int size = 0;
  check(EVP_EncryptUpdate(context.get(), blocks.data(), &size, blocks.data(),
                          static_cast<int>(blocks.size())) == 1);
}

// RFC 4493, 2.3: doubles in the field of 2^128.
Siv::Tag doubled(const Siv::Tag& block) {
  Siv::Tag out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] =
        static_cast<std::uint8_t>(block[i] << 1 | (i + 1 < out.size() ? block[i + 1] >> 7 : 0));
  }
  if (block[0] & 0x80) out.back() ^= 0x87;
  return out;
}

void mix(std::span<std::uint8_t> into, std::span<const std::uint8_t> with) {
  for (std::size_t i = 0; i < with.size(); ++i) into[i] ^= with[i];
}

}  // namespace

struct Siv::Contexts {
  Context mac, cipher;
  Tag whole_key{}, part_key;  // CMAC's subkeys, for a last block that is whole or not
  Tag of_zero;                // the CMAC of a block of zeros, with which S2V begins

  explicit Contexts(const Key& key) : mac(keyed(key.data())), cipher(keyed(key.data() + 16)) {
    Tag zero{};
    encrypt(mac, zero);
    whole_key = doubled(zero);
    part_key = doubled(whole_key);
    of_zero = cmac(Tag{});
  }

  // RFC 4493: each block is xored with the cipher of the block before; the last also with a subkey.
  Tag cmac(std::span<const std::uint8_t> text) {
    Tag tag{};
    for (; text.size() > tag_size; text = text.subspan(tag_size)) {
      mix(tag, text.first(tag_size));
      encrypt(mac, tag);
    }
    mix(tag, text);
    if (text.size() < tag_size) tag[text.size()] ^= 0x80;
    mix(tag, text.size() < tag_size ? part_key : whole_key);
    encrypt(mac, tag);
    return tag;
  }

  // RFC 5297, 2.4: the CMAC of the text, whose last 16 bytes are xored with the CMAC of zero.
  Tag s2v(std::span<const std::uint8_t> text) {
    QUIRE_ENSURE(text.size() >= tag_size && text.size() <= max_text);
    std::array<std::uint8_t, max_text> buffer;
    std::copy(text.begin(), text.end(), buffer.begin());
    auto mixed = std::span(buffer).first(text.size());
    mix(mixed.last(tag_size), of_zero);
    return cmac(mixed);
  }

  // RFC 5297, 2.5 and 2.6: xored with the ciphers of a counter that begins at the tag, with two
  // bits cleared.
  void crypt(Tag counter, std::span<std::uint8_t> text) {
    counter[8] &= 0x7F;
    counter[12] &= 0x7F;
    constexpr std::size_t at_once = 64;
    std::array<std::uint8_t, at_once> stream;
    while (!text.empty()) {
      auto part = text.first(std::min(text.size(), at_once));
      for (std::size_t at = 0; at < part.size(); at += tag_size) {
        std::copy(counter.begin(), counter.end(), stream.begin() + static_cast<std::ptrdiff_t>(at));
        for (std::size_t i = tag_size; i-- > 0 && ++counter[i] == 0;) {
        }
      }
      encrypt(cipher, std::span(stream).first((part.size() + tag_size - 1) / tag_size * tag_size));
      mix(part, std::span<const std::uint8_t>(stream).first(part.size()));
      text = text.subspan(part.size());
    }
  }
};

// A context keeps state while it works, so one thread at a time uses it.
class Siv::Borrowed {
 public:
  explicit Borrowed(const Siv& siv) : siv_(siv) {
    std::lock_guard lock(siv.mutex_);
    if (siv.idle_.empty()) {
      contexts_ = std::make_unique<Contexts>(siv.key_);
    } else {
      contexts_ = std::move(siv.idle_.back());
      siv.idle_.pop_back();
    }
  }
  ~Borrowed() {
    std::lock_guard lock(siv_.mutex_);
    siv_.idle_.push_back(std::move(contexts_));
  }
  Contexts* operator->() { return contexts_.get(); }

 private:
  const Siv& siv_;
  std::unique_ptr<Contexts> contexts_;
};

Siv::Siv(const Key& key) : key_(key) {
  Borrowed warm_up(*this);
}

Siv::~Siv() {
  OPENSSL_cleanse(key_.data(), key_.size());
}

Siv::Tag Siv::seal(std::span<std::uint8_t> text) const {
  Borrowed contexts(*this);
  Tag tag = contexts->s2v(text);
  contexts->crypt(tag, text);
  return tag;
}

bool Siv::open(const Tag& tag, std::span<std::uint8_t> text) const {
  Borrowed contexts(*this);
  contexts->crypt(tag, text);
  Tag expected = contexts->s2v(text);
  return CRYPTO_memcmp(expected.data(), tag.data(), tag.size()) == 0;
}

std::string sealed_text(const Siv& siv, std::vector<std::uint8_t> plain) {
  auto tag = siv.seal(plain);
  plain.insert(plain.begin(), tag.begin(), tag.end());
  return base64url_encode(plain);
}

std::optional<std::vector<std::uint8_t>> opened_text(const Siv& siv, std::string_view text) {
  auto plain = base64url_decode(text);
  if (!plain || plain->size() < 2 * Siv::tag_size) return {};  // no shorter text is sealed
  Siv::Tag tag;
  std::copy_n(plain->begin(), tag.size(), tag.begin());
  plain->erase(plain->begin(), plain->begin() + tag.size());
  if (plain->size() > Siv::max_text || !siv.open(tag, *plain)) return {};
  return plain;
}

}  // namespace quire
