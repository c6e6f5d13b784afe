// A position in a list as a token: opaque, short, sealed, the same for the same place.
// Format: docs/formats/cursor.md
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cursor/siv.h"
#include "quire/page.h"
#include "quire/result.h"
#include "quire/ulid.h"

namespace quire {

struct Position {
  bool backward = false;  // the page before it, rather than after
  Sort sort = Sort::newest;
  Ulid id;                        // of the comment at the edge; it need not exist any more
  unsigned rating = 0;            // of that comment, where the sort is by rating
  std::uint32_t fingerprint = 0;  // of product and filter

  friend bool operator==(const Position&, const Position&) = default;
};

// Seals with the first key, opens with any: so keys can rotate. Thread-safe.
class Seal {
 public:
  static constexpr std::size_t key_size = Siv::key_size;
  using Key = Siv::Key;

  // At least one key.
  explicit Seal(const std::vector<Key>& keys);

  // 52 characters of base64url.
  std::string seal(const Position& position) const;
  // Refuses (invalid_cursor) what no key of ours has sealed.
  Result<Position> open(std::string_view token) const;

 private:
  std::vector<std::unique_ptr<Siv>> keys_;
};

}  // namespace quire
