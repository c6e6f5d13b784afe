// AES-128-SIV (RFC 5297) without associated data, for short plaintexts: OpenSSL's CMAC and CTR, put
// together. OpenSSL's own SIV gives the same bytes in three times the time (docs/adr/0009-siv.md).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quire {

class Siv {
 public:
  static constexpr std::size_t key_size = 32;  // one half for the tag, one for the cipher
  static constexpr std::size_t tag_size = 16;
  static constexpr std::size_t max_text = 1024;
  using Key = std::array<std::uint8_t, key_size>;
  using Tag = std::array<std::uint8_t, tag_size>;

  explicit Siv(const Key& key);
  ~Siv();

  // Encrypts in place, 16 to 1024 bytes. Opening needs the tag, which also shows that nothing was
  // changed. Thread-safe, as is open().
  Tag seal(std::span<std::uint8_t> text) const;
  // Decrypts in place. False: the tag is not of this text, which is then worthless.
  bool open(const Tag& tag, std::span<std::uint8_t> text) const;

 private:
  struct Contexts;
  class Borrowed;

  Key key_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Contexts>>
      idle_;  // guarded by mutex_; as many as were ever in use at once
};

// Seals the bytes, 16 to 1024, and returns them behind their tag, as base64url.
std::string sealed_text(const Siv& siv, std::vector<std::uint8_t> plain);
// The bytes of such a text. Absent: this key has not sealed it.
std::optional<std::vector<std::uint8_t>> opened_text(const Siv& siv, std::string_view text);

}  // namespace quire
