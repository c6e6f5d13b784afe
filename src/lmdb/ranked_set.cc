#include "lmdb/ranked_set.h"

#include <stdexcept>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "lmdb/numbers.h"

namespace quire::lmdb {
namespace {

constexpr int bits_a_level = 5;
constexpr int last_level = 12;
constexpr std::size_t head_size = 5;  // of a key: list, level

std::uint64_t count_of(const Cursor& entry) {
  if (entry.value().size() != 8)
    throw std::runtime_error("the ranks in the store are damaged: run quire verify");
  return get_u64(entry.value().data());
}

Ulid id_of(std::string_view key) {
  Ulid id;
  std::memcpy(id.bytes.data(), key.data() + head_size, Ulid::size);
  return id;
}

[[noreturn]] void damaged() {
  throw std::runtime_error("the ranks in the store are damaged: run quire verify");
}

}  // namespace

int level_of(const Ulid& id) {
  auto hash = XXH3_64bits(id.bytes.data(), Ulid::size);
  int level = 0;
  for (; level < last_level && (hash & ((1u << bits_a_level) - 1)) == 0; ++level)
    hash >>= bits_a_level;
  return level;
}

RankedKey::RankedKey(List list, int level) : size(head_size) {
  put_u32(bytes.data(), list);
  bytes[4] = static_cast<char>(level);
}

RankedKey::RankedKey(List list, int level, const Ulid& id) : RankedKey(list, level) {
  std::memcpy(bytes.data() + head_size, id.bytes.data(), Ulid::size);
  size = bytes.size();
}

// The highest level the set has: that of its last key.
int RankedReader::top(List list) {
  bool there = cursor_.seek(RankedKey(list, 0xFF), MDB_SET_RANGE);
  there = cursor_.move(there ? MDB_PREV : MDB_LAST);
  if (!there || !cursor_.key().starts_with(std::string_view(RankedKey(list, 0)).substr(0, 4)))
    return 0;
  return static_cast<unsigned char>(cursor_.key()[4]);
}

std::uint64_t RankedReader::length(List list) {
  int level = top(list);
  RankedKey prefix(list, level);
  std::uint64_t sum = 0;
  bool there = cursor_.seek(prefix, MDB_SET_RANGE);
  for (; there && cursor_.key().starts_with(prefix); there = cursor_.move(MDB_NEXT))
    sum += level == 0 ? 1 : count_of(cursor_);
  return sum;
}

// Puts the cursor on the n-th id. Down through the levels, in each from the entry that was found in
// the one above.
bool RankedReader::seek_nth(List list, std::uint64_t n) {
  int level = top(list);
  RankedKey at(list, level);
  for (; level > 0; --level) {
    at.bytes[4] = static_cast<char>(level);
    RankedKey prefix(list, level);
    if (!cursor_.seek(at, MDB_SET)) damaged();
    for (auto count = count_of(cursor_); n >= count; count = count_of(cursor_)) {
      n -= count;
      if (!cursor_.move(MDB_NEXT) || !cursor_.key().starts_with(prefix)) return false;
    }
    at.size = cursor_.key().size();
    std::memcpy(at.bytes.data(), cursor_.key().data(), at.size);
  }
  at.bytes[4] = 0;
  RankedKey prefix(list, 0);
  bool there = cursor_.seek(at, MDB_SET_RANGE);
  for (; there && n > 0; --n) there = cursor_.move(MDB_NEXT);
  return there && cursor_.key().starts_with(prefix);
}

std::optional<Ulid> RankedReader::nth(List list, std::uint64_t n) {
  if (!seek_nth(list, n)) return {};
  return id_of(cursor_.key());
}

std::vector<Ulid> RankedReader::slice(List list, std::uint64_t n, std::size_t count) {
  std::vector<Ulid> ids;
  if (count == 0) return ids;
  RankedKey prefix(list, 0);
  bool there = seek_nth(list, n);
  for (; there && cursor_.key().starts_with(prefix); there = cursor_.move(MDB_NEXT)) {
    ids.push_back(id_of(cursor_.key()));
    if (ids.size() == count) break;
  }
  return ids;
}

// Down through the levels: in each, what lies before the last entry that is not behind the id.
std::uint64_t RankedReader::rank(List list, const Ulid& id) {
  std::uint64_t rank = 0;
  int level = top(list);
  RankedKey at(list, level);
  for (; level > 0; --level) {
    at.bytes[4] = static_cast<char>(level);
    RankedKey end(list, level, id);
    if (!cursor_.seek(at, MDB_SET)) damaged();
    for (;;) {
      at.size = cursor_.key().size();
      std::memcpy(at.bytes.data(), cursor_.key().data(), at.size);
      auto count = count_of(cursor_);
      if (!cursor_.move(MDB_NEXT) || cursor_.key() > end) break;
      rank += count;
    }
  }
  at.bytes[4] = 0;
  RankedKey end(list, 0, id);
  bool there = cursor_.seek(at, MDB_SET_RANGE);
  for (; there && cursor_.key() < end; there = cursor_.move(MDB_NEXT)) ++rank;
  return rank;
}

}  // namespace quire::lmdb
