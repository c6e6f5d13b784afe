#include "cursor/cursor.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "base/ensure.h"
#include "base/hash.h"
#include "base/limits.h"

namespace quire {
namespace {

// Version, flags, id (16), value (7), fingerprint (4).
constexpr std::uint8_t version = 1;
constexpr std::size_t id_at = 2, value_at = id_at + Ulid::size;
constexpr std::size_t value_size = 7, fingerprint_size = 4;
constexpr std::size_t plain_size = value_at + value_size + fingerprint_size;
constexpr std::uint8_t backward_flag = 1, value_flag = 0x80;
constexpr std::int64_t value_end = std::int64_t{1} << (8 * value_size - 1);

void put(std::uint8_t* at, std::size_t size, std::uint64_t number) {
  for (; size > 0; number >>= 8) at[--size] = static_cast<std::uint8_t>(number);
}

// Two's complement.
std::int64_t get_signed(const std::uint8_t* at, std::size_t size) {
  std::int64_t number = at[0] < 128 ? at[0] : at[0] - 256;
  for (std::size_t i = 1; i < size; ++i) number = number * 256 + at[i];
  return number;
}

std::vector<std::uint8_t> pack(const PageCursor& cursor) {
  std::vector<std::uint8_t> plain(plain_size);
  const auto& [id, value] = cursor.position;
  QUIRE_ENSURE(!value || (*value >= -value_end && *value < value_end));
  plain[0] = version;
  plain[1] =
      static_cast<std::uint8_t>((cursor.backward ? backward_flag : 0) |
                                static_cast<unsigned>(cursor.sort) << 1 | (value ? value_flag : 0));
  std::copy(id.bytes.begin(), id.bytes.end(), plain.begin() + id_at);
  put(&plain[value_at], value_size, static_cast<std::uint64_t>(value.value_or(0)));
  put(&plain[value_at + value_size], fingerprint_size, cursor.fingerprint);
  return plain;
}

std::optional<PageCursor> unpack(std::span<const std::uint8_t, plain_size> plain) {
  if (plain[0] != version) return {};
  PageCursor cursor;
  cursor.backward = plain[1] & backward_flag;
  auto sort = (plain[1] & ~value_flag) >> 1;
  if (sort > static_cast<int>(Sort::lowest)) return {};
  cursor.sort = static_cast<Sort>(sort);
  std::copy_n(&plain[id_at], Ulid::size, cursor.position.id.bytes.begin());
  auto value = get_signed(&plain[value_at], value_size);
  bool has_value = (plain[1] & value_flag) != 0;
  if (!has_value && value != 0) return {};  // so that each cursor has one token
  if (has_value) cursor.position.value = value;
  for (auto byte : plain.last(fingerprint_size))
    cursor.fingerprint = cursor.fingerprint << 8 | byte;
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
  first_ = keys.front();
  for (const Key& key : keys) keys_.push_back(std::make_unique<Siv>(key));
}

std::string Seal::seal(const PageCursor& cursor) const {
  return sealed_text(*keys_.front(), pack(cursor));
}

Result<PageCursor> Seal::open(std::string_view token) const {
  if (token.size() > limits::cursor_characters) return refused();
  for (const auto& key : keys_) {
    auto plain = opened_text(*key, token);
    if (!plain || plain->size() != plain_size) continue;
    if (auto cursor = unpack(std::span(*plain).first<plain_size>())) return *cursor;
  }
  return refused();
}

Seal::Key Seal::derive(std::string_view use) const {
  return hmac_sha256({reinterpret_cast<const char*>(first_.data()), first_.size()}, use);
}

}  // namespace quire
