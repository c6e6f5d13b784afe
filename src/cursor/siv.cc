#include "cursor/siv.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace quire {
namespace {

struct Free {
  void operator()(EVP_MAC* mac) const { EVP_MAC_free(mac); }
  void operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

void check(bool worked) {
  if (!worked) throw std::runtime_error("OpenSSL failed to seal or open a cursor");
}

}  // namespace

struct Siv::Contexts {
  std::unique_ptr<EVP_MAC_CTX, Free> mac;
  std::unique_ptr<EVP_CIPHER_CTX, Free> cipher;
  Tag of_zero;  // the CMAC of a block of zeros, where S2V begins

  explicit Contexts(const Key& key) {
    std::unique_ptr<EVP_MAC, Free> cmac(EVP_MAC_fetch(nullptr, "CMAC", nullptr));
    std::unique_ptr<EVP_CIPHER, Free> ctr(EVP_CIPHER_fetch(nullptr, "AES-128-CTR", nullptr));
    mac.reset(EVP_MAC_CTX_new(cmac.get()));
    cipher.reset(EVP_CIPHER_CTX_new());
    char block_cipher[] = "AES-128-CBC";
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, block_cipher, 0),
        OSSL_PARAM_construct_end()};
    check(EVP_MAC_init(mac.get(), key.data(), 16, parameters) == 1);
    check(EVP_EncryptInit_ex(cipher.get(), ctr.get(), nullptr, key.data() + 16, nullptr) == 1);
    of_zero = cmac_of(Tag{});
  }

  Tag cmac_of(std::span<const std::uint8_t> bytes) {
    Tag tag;
    std::size_t size = 0;
    check(EVP_MAC_init(mac.get(), nullptr, 0, nullptr) == 1 &&  // the same key again
          EVP_MAC_update(mac.get(), bytes.data(), bytes.size()) == 1 &&
          EVP_MAC_final(mac.get(), tag.data(), &size, tag.size()) == 1);
    return tag;
  }

  // RFC 5297, 2.4: the CMAC of the text, whose last 16 bytes are xored with that of zero.
  Tag s2v(std::span<const std::uint8_t> text) {
    assert(text.size() >= tag_size && text.size() <= most_text);
    std::array<std::uint8_t, most_text> buffer;
    std::copy(text.begin(), text.end(), buffer.begin());
    auto mixed = std::span(buffer).first(text.size());
    for (std::size_t i = 0; i < tag_size; ++i) mixed[text.size() - tag_size + i] ^= of_zero[i];
    return cmac_of(mixed);
  }

  // RFC 5297, 2.6: the counter begins at the tag, two bits of it cleared.
  void crypt(Tag counter, std::span<std::uint8_t> text) {
    counter[8] &= 0x7F;
    counter[12] &= 0x7F;
    int size = 0;
    check(EVP_EncryptInit_ex(cipher.get(), nullptr, nullptr, nullptr, counter.data()) == 1 &&
          EVP_EncryptUpdate(cipher.get(), text.data(), &size, text.data(),
                            static_cast<int>(text.size())) == 1);
  }
};

// Contexts keep state while they work: each is used by one thread at a time.
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
  Borrowed made_now_rather_than_at_the_first_request(*this);
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

}  // namespace quire
