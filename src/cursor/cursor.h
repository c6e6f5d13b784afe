// A position in a listing as a token: opaque, short, sealed, the same for the same position.
// Format: docs/formats/cursor.md
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cursor/siv.h"
#include "model/entry.h"
#include "quire/page.h"
#include "quire/result.h"

namespace quire {

// What a cursor holds.
struct PageCursor {
  bool backward = false;  // whether the page ends before the position, rather than begins after it
  Sort sort = Sort::newest;
  Position position;              // of the comment next to the page
  std::uint32_t fingerprint = 0;  // of product and filter

  friend bool operator==(const PageCursor&, const PageCursor&) = default;
};

// Seals with the first key, opens with any: so keys can rotate. Thread-safe.
class Seal {
 public:
  static constexpr std::size_t key_size = Siv::key_size;
  using Key = Siv::Key;

  // At least one key.
  explicit Seal(const std::vector<Key>& keys);

  // 60 characters of base64url. A value of the position is within ±2^55.
  std::string seal(const PageCursor& cursor) const;
  // invalid_cursor: none of the keys has sealed this token.
  Result<PageCursor> open(std::string_view token) const;

  // A key of another use, made of the first key: HMAC-SHA-256 of the use's name.
  Key derive(std::string_view use) const;

 private:
  std::vector<std::unique_ptr<Siv>> keys_;
  Key first_;
};

}  // namespace quire
