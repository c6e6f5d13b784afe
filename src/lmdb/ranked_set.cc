#include "lmdb/ranked_set.h"

#include <stdexcept>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "lmdb/numbers.h"
#include "lmdb/order.h"

namespace quire::lmdb {
namespace {

constexpr int bits_a_level = 5;
constexpr int last_level = 12;
constexpr std::size_t head_size = 5;  // of a key: list, level

[[noreturn]] void damaged() {
  throw std::runtime_error("the ranks in the store are damaged: run quire verify");
}

Ulid id_of(std::string_view key) {
  if (key.size() != head_size + Ulid::size) damaged();
  Ulid id;
  std::memcpy(id.bytes.data(), key.data() + head_size, Ulid::size);
  return id;
}

}  // namespace

bool within(std::string_view key, const RankedKey& head) {
  return key.size() >= head_size && std::memcmp(key.data(), head.bytes.data(), head_size) == 0;
}

namespace {

// Three multiplications instead of a hash, because one rank needs dozens of counts. The first eight
// and the last eight bytes of a key leave out only some bytes of the id's time, which the order of
// keys confirms.
std::uint32_t count_check(std::string_view key, std::uint64_t count) {
  std::uint64_t first = 0, last = 0;
  if (key.size() >= sizeof first) {  // nearly all keys; copies of fixed size are much cheaper
    std::memcpy(&first, key.data(), sizeof first);
    std::memcpy(&last, key.data() + key.size() - sizeof last, sizeof last);
  } else {
    std::memcpy(&first, key.data(), key.size());
    last = first;
  }
  auto mixed = first * 0x9E3779B185EBCA87 ^ last * 0xC2B2AE3D27D4EB4F ^ count * 0x165667B19E3779F9;
  return static_cast<std::uint32_t>((mixed ^ mixed >> 29) * 0x9E3779B185EBCA87 >> 40);
}

constexpr int check_bits = 24;

}  // namespace

std::uint64_t count_of(Counts counts, std::string_view key, std::string_view value) {
  if (value.size() != 8) damaged();
  std::uint64_t bits = get_u64(value.data());
  if (counts == Counts::plain) return bits;
  std::uint64_t count = bits >> check_bits;
  if ((bits & ((1u << check_bits) - 1)) != count_check(key, count)) damaged();
  return count;
}

std::array<char, 8> count_value(Counts counts, std::string_view key, std::uint64_t count) {
  std::array<char, 8> value;
  if (counts == Counts::checked) {
    if (count >> (64 - check_bits)) throw std::runtime_error("a list is too long for its ranks");
    count = count << check_bits | count_check(key, count);
  }
  put_u64(value.data(), count);
  return value;
}

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

void RankedKey::take(std::string_view key, int level) {
  if (key.size() != head_size && key.size() != bytes.size()) damaged();
  size = key.size();
  std::memcpy(bytes.data(), key.data(), size);
  bytes[4] = static_cast<char>(level);
}

int RankedReader::top(List list) {
  for (auto [known, level] : tops_) {
    if (known == list) return level;
  }
  tops_.emplace_back(list, top_level(cursor_, list));
  return tops_.back().second;
}

// The last key of a list is on its highest level.
int top_level(Cursor& cursor, List list) {
  bool there = cursor.seek(RankedKey(list, 0xFF), MDB_SET_RANGE);
  there = cursor.move(there ? MDB_PREV : MDB_LAST);
  bool ours = there && cursor.key().size() >= head_size && get_u32(cursor.key().data()) == list;
  return ours ? static_cast<unsigned char>(cursor.key()[4]) : 0;
}

std::uint64_t RankedReader::length(List list) {
  int level = top(list);
  RankedKey prefix(list, level);
  std::uint64_t sum = 0;
  bool there = cursor_.seek(prefix, MDB_SET_RANGE);
  for (; there && within(cursor_.key(), prefix); there = cursor_.move(MDB_NEXT))
    sum += level == 0 ? 1 : count();
  return sum;
}

// Puts the cursor on the n-th id. Goes down through the levels: an entry counts the ids up to the
// next entry of its level, and the walk on the level below begins at the nearer of the two.
bool RankedReader::seek_nth(List list, std::uint64_t n) {
  int level = top(list);
  if (!cursor_.seek(RankedKey(list, level), level == 0 ? MDB_SET_RANGE : MDB_SET_KEY)) return false;
  if (!forward(list, level, n)) return false;
  for (; level > 0; --level) {
    auto count = this->count();
    bool back = n > count / 2;
    RankedKey below(list, level);  // sorts behind all lower levels
    if (!back || (cursor_.move(MDB_NEXT) && within(cursor_.key(), RankedKey(list, level))))
      below.take(cursor_.key(), level - 1);
    bool there = cursor_.seek(below, MDB_SET_RANGE);
    if (back ? !backward(list, level - 1, count - n, n) : !there || !forward(list, level - 1, n))
      damaged();
  }
  return true;
}

// Moves the cursor forward to the entry that holds the n-th id counted from the cursor. n becomes
// the rank of the id within that entry.
bool RankedReader::forward(List list, int level, std::uint64_t& n) {
  RankedKey prefix(list, level);
  while (within(cursor_.key(), prefix)) {
    auto count = level == 0 ? 1 : this->count();
    if (n < count) return true;
    n -= count;
    if (!cursor_.move(MDB_NEXT)) return false;
  }
  return false;
}

// Moves the cursor backward to the entry that holds the `left`-th id before the cursor. See
// forward().
bool RankedReader::backward(List list, int level, std::uint64_t left, std::uint64_t& n) {
  RankedKey prefix(list, level);
  while (cursor_.move(MDB_PREV) && within(cursor_.key(), prefix)) {
    auto count = level == 0 ? 1 : this->count();
    if (left <= count) {
      n = count - left;
      return true;
    }
    left -= count;
  }
  return false;
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
  for (; there && within(cursor_.key(), prefix); there = cursor_.move(MDB_NEXT)) {
    ids.push_back(id_of(cursor_.key()));
    if (ids.size() == count) break;
  }
  return ids;
}

// Whether `id` is probably nearer to the id of `to` than to the id of `from`, judged by their
// times. It only decides from which side a stretch is walked.
bool nearer_to_end(const RankedKey& from, const RankedKey& to, const Ulid& id) {
  if (from.size == head_size || to.size == head_size) return false;
  auto begin = id_of(from).ms();
  return (id.ms() - begin) * 2 > id_of(to).ms() - begin;
}

// Goes down through the levels. On each level it finds the stretch that holds the id: from the last
// entry not behind the id up to the next entry.
std::uint64_t RankedReader::rank(List list, const Ulid& id) {
  std::uint64_t rank = 0, count = 0;
  int level = top(list);
  RankedKey from(list, level), to(list, level + 1);
  for (; level > 0; --level) {
    from.bytes[4] = static_cast<char>(level);
    bool back = nearer_to_end(from, to, id);
    if (back) to.bytes[4] = static_cast<char>(level);
    if (!cursor_.seek(back ? to : from, MDB_SET_KEY)) damaged();
    rank += back ? walk_back(RankedKey(list, level, id), from, to, count)
                 : walk(RankedKey(list, level, id), from, to, count);
  }
  RankedKey end(list, 0, id);
  bool back = nearer_to_end(from, to, id);
  RankedKey& start = back ? to : from;
  start.bytes[4] = 0;
  bool there = cursor_.seek(start, MDB_SET_RANGE);
  if (back) {
    while (count > 0 && cursor_.move(MDB_PREV) && order(cursor_.key(), end) >= 0) --count;
    return rank + count;
  }
  for (; there && order(cursor_.key(), end) < 0; there = cursor_.move(MDB_NEXT)) ++rank;
  return rank;
}

// Walks forward from the cursor to the last entry that is not behind `end`. Sets `from` to that
// entry, `count` to its count, and `to` to the next entry. Returns how many ids it passed.
std::uint64_t RankedReader::walk(const RankedKey& end, RankedKey& from, RankedKey& to,
                                 std::uint64_t& count) {
  int level = static_cast<unsigned char>(end.bytes[4]);
  std::uint64_t passed = 0;
  for (;; passed += count) {
    from.take(cursor_.key(), level);
    count = this->count();
    bool there = cursor_.move(MDB_NEXT) && within(cursor_.key(), end);
    if (there && order(cursor_.key(), end) <= 0) continue;
    to = RankedKey(get_u32(end.bytes.data()), level + 1);  // sorts behind this level
    if (there) to.take(cursor_.key(), level);
    return passed;
  }
}

// Walks backward from `to`, which is behind `end`, within a stretch of `count` ids. See walk().
std::uint64_t RankedReader::walk_back(const RankedKey& end, RankedKey& from, RankedKey& to,
                                      std::uint64_t& count) {
  int level = static_cast<unsigned char>(end.bytes[4]);
  for (auto left = count;;) {
    if (!cursor_.move(MDB_PREV) || !within(cursor_.key(), end)) damaged();
    auto held = this->count();
    if (held > left) damaged();
    left -= held;
    if (order(cursor_.key(), end) <= 0) {
      from.take(cursor_.key(), level);
      count = held;
      return left;
    }
    to.take(cursor_.key(), level);
  }
}

}  // namespace quire::lmdb
