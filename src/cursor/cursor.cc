#include "cursor/cursor.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/base64.h"
#include "base/limits.h"

namespace quire {
namespace {

constexpr std::uint8_t version = 1;
constexpr std::size_t plain_size = 23;  // version, flags, id (16), rating, fingerprint (4)
using Plain = std::array<std::uint8_t, plain_size>;

Plain pack(const PageCursor& cursor) {
  Plain plain{};
  plain[0] = version;
  plain[1] = static_cast<std::uint8_t>(cursor.backward | static_cast<unsigned>(cursor.sort) << 1);
  std::memcpy(&plain[2], cursor.position.id.bytes.data(), Ulid::size);
  plain[18] = static_cast<std::uint8_t>(cursor.position.value);
  for (int i = 0; i < 4; ++i) {
    plain[19 + i] = static_cast<std::uint8_t>(cursor.fingerprint >> (24 - 8 * i));
  }
  return plain;
}

std::optional<PageCursor> unpack(const Plain& plain) {
  PageCursor cursor;
  cursor.backward = plain[1] & 1;
  auto sort = plain[1] >> 1;
  if (plain[0] != version || sort > static_cast<int>(Sort::lowest)) return {};
  cursor.sort = static_cast<Sort>(sort);
  std::memcpy(cursor.position.id.bytes.data(), &plain[2], Ulid::size);
  cursor.position.value = plain[18];
  for (int i = 0; i < 4; ++i) cursor.fingerprint = cursor.fingerprint << 8 | plain[19 + i];
  return cursor;
}

Error refused() {
  return {ErrorCode::invalid_cursor,
          "This cursor was not made by this service, or was changed. Start again from the first "
          "page, and pass cursors on "
          "exactly as they were given."};
}

}  // namespace

Seal::Seal(const std::vector<Key>& keys) {
  if (keys.empty()) throw std::invalid_argument("a seal needs a key");
  for (const Key& key : keys) keys_.push_back(std::make_unique<Siv>(key));
}

std::string Seal::seal(const PageCursor& cursor) const {
  Plain plain = pack(cursor);
  Siv::Tag tag = keys_.front()->seal(plain);
  std::array<std::uint8_t, Siv::tag_size + plain_size> sealed;
  std::copy(tag.begin(), tag.end(), sealed.begin());
  std::copy(plain.begin(), plain.end(), sealed.begin() + tag.size());
  return base64url_encode(sealed);
}

Result<PageCursor> Seal::open(std::string_view token) const {
  if (token.size() > limits::cursor_characters) return refused();
  auto sealed = base64url_decode(token);
  if (!sealed || sealed->size() != Siv::tag_size + plain_size) return refused();
  for (const auto& key : keys_) {
    Siv::Tag tag;
    Plain plain;
    std::copy_n(sealed->begin(), tag.size(), tag.begin());
    std::copy_n(sealed->begin() + tag.size(), plain.size(), plain.begin());
    if (!key->open(tag, plain)) continue;
    if (auto cursor = unpack(plain)) return *cursor;
  }
  return refused();
}

}  // namespace quire
