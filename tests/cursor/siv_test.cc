// AES-SIV gives the same bytes as that of OpenSSL, for any text.
#include "cursor/siv.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <random>
#include <thread>

namespace quire {
namespace {

struct Sealed {
  Siv::Tag tag;
  std::vector<std::uint8_t> text;
};

Sealed by_openssl(const Siv::Key& key, const std::vector<std::uint8_t>& text) {
  Sealed out{{}, std::vector<std::uint8_t>(text.size())};
  EVP_CIPHER* cipher = EVP_CIPHER_fetch(nullptr, "AES-128-SIV", nullptr);
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  int size = 0;
  EXPECT_EQ(EVP_EncryptInit_ex(context, cipher, nullptr, key.data(), nullptr), 1);
  EXPECT_EQ(EVP_EncryptUpdate(context, out.text.data(), &size, text.data(),
                              static_cast<int>(text.size())),
            1);
  EXPECT_EQ(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, out.tag.data()), 1);
  EVP_CIPHER_CTX_free(context);
  EVP_CIPHER_free(cipher);
  return out;
}

TEST(Siv, GivesTheBytesOfOpenSsl) {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    Siv::Key key;
    for (auto& byte : key) byte = static_cast<std::uint8_t>(random());
    std::vector<std::uint8_t> text(16 + random() % (i % 2 ? 49 : 1009));
    for (auto& byte : text) byte = static_cast<std::uint8_t>(random());
    Siv siv(key);
    for (int again = 0; again < 2; ++again) {
      auto sealed = text;
      auto tag = siv.seal(sealed);
      auto expected = by_openssl(key, text);
      ASSERT_EQ(tag, expected.tag);
      ASSERT_EQ(sealed, expected.text);
      ASSERT_TRUE(siv.open(tag, sealed));
      ASSERT_EQ(sealed, text);
    }
  }
}

TEST(Siv, RefusesAChangedText) {
  Siv siv(Siv::Key{1, 2, 3});
  std::vector<std::uint8_t> text(23, 7);
  auto tag = siv.seal(text);
  for (std::size_t bit = 0; bit < 8 * (tag.size() + text.size()); ++bit) {
    auto changed_tag = tag;
    auto changed = text;
    auto& byte = bit < 128 ? changed_tag[bit / 8] : changed[bit / 8 - 16];
    byte ^= static_cast<std::uint8_t>(1 << bit % 8);
    EXPECT_FALSE(siv.open(changed_tag, changed));
  }
}

TEST(Siv, ManyThreadsSealTheSame) {
  Siv siv(Siv::Key{9});
  std::vector<std::uint8_t> expected(23, 1);
  siv.seal(expected);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 500; ++n) {
        std::vector<std::uint8_t> text(23, 1);
        auto tag = siv.seal(text);
        EXPECT_EQ(text, expected);
        EXPECT_TRUE(siv.open(tag, text));
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace quire
