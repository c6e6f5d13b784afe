#include "bitmap_index/block_row.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "bitmap_index/numbers.h"

namespace quire::bitmap_index {
namespace {

using lmdb::load;

constexpr std::size_t head_size = block_row_head, entry_size = block_entry_head;

static_assert(std::endian::native == std::endian::little, "rows are read as they lie");

[[noreturn]] void damaged() {
  throw lmdb::Damaged("a row of the index is not whole");
}

}  // namespace

BlockRow::BlockRow(std::string_view bytes) : bytes_(bytes) {
  if (bytes.size() < head_size) damaged();
  ids_ = load<std::uint32_t>(bytes.data());
  entries_ = load<std::uint32_t>(bytes.data() + 4);
  if (ids_ > max_block || entries_ > (bytes.size() - head_size) / entry_size) damaged();
}

std::size_t BlockRow::lower_bound(Code code) const {
  return count_below(entries_, [&](std::size_t entry) { return this->code(entry) < code; });
}

std::size_t BlockRow::find(Code code) const {
  auto at = lower_bound(code);
  return at < entries_ && this->code(at) == code ? at : entries_;
}

bool BlockRow::sparse(std::size_t entry) const {
  return is_sparse(count(entry), ids_);
}

std::size_t BlockRow::offset(std::size_t entry) const {
  return load<std::uint32_t>(bytes_.data() + head_size +
                             entries_ * (sizeof(Code) + sizeof(std::uint16_t)) +
                             entry * sizeof(std::uint32_t));
}

const char* BlockRow::payload(std::size_t entry) const {
  auto at = offset(entry), size = positions_size(count(entry), ids_);
  if (at > bytes_.size() || size > bytes_.size() - at) damaged();
  return bytes_.data() + at;
}

std::size_t BlockRow::rest_bytes(std::size_t entry) const {
  auto end = entry + 1 < entries_ ? offset(entry + 1) : bytes_.size();
  auto of_ids = count(entry), needed = offset(entry) + positions_size(of_ids, ids_);
  if (of_ids == 0 || end < needed || end > bytes_.size() || (end - needed) % of_ids != 0) damaged();
  return (end - needed) / of_ids;
}

std::size_t BlockRow::position(const char* payload, std::size_t n) const {
  std::size_t at = load<std::uint16_t>(payload + n * sizeof(std::uint16_t));
  if (at >= ids_) damaged();
  return at;
}

// Calls `use` with the word and the bit of each position of a sparse entry.
template <class Use>
void BlockRow::for_positions(const char* payload, std::size_t count, Use use) const {
  for (std::size_t n = 0; n < count; ++n) {
    auto at = position(payload, n);
    use(at / 64, std::uint64_t{1} << at % 64);
  }
}

void BlockRow::add_to(std::span<std::uint64_t> words, std::size_t entry) const {
  const char* from = payload(entry);
  if (words.size() < words_for(ids_)) damaged();
  if (!sparse(entry)) return add_words(words.first(words_for(ids_)), from);
  auto* to = words.data();
  for_positions(from, count(entry), [&](std::size_t at, std::uint64_t bit) { to[at] |= bit; });
}

bool BlockRow::keep_in(std::span<std::uint64_t> words, std::size_t entry) const {
  const char* from = payload(entry);
  if (words.size() < words_for(ids_)) damaged();
  if (!sparse(entry)) return keep_words(words.first(words_for(ids_)), from);
  // Without a branch for each position, which no processor could predict.
  std::array<std::uint64_t, words_for(max_block)> kept;
  auto size = words_for(ids_);
  std::fill_n(kept.begin(), size, 0);
  std::uint64_t left = 0;
  const auto* in = words.data();
  for_positions(from, count(entry), [&](std::size_t at, std::uint64_t bit) {
    left |= in[at] & bit;
    kept[at] |= in[at] & bit;
  });
  std::copy_n(kept.begin(), size, words.begin());
  return left != 0;
}

bool BlockRow::remove_from(std::span<std::uint64_t> words, std::size_t entry) const {
  const char* from = payload(entry);
  if (words.size() < words_for(ids_)) damaged();
  if (!sparse(entry)) return remove_words(words.first(words_for(ids_)), from);
  auto* to = words.data();
  for_positions(from, count(entry), [&](std::size_t at, std::uint64_t bit) { to[at] &= ~bit; });
  return std::any_of(words.begin(), words.end(), [](std::uint64_t word) { return word != 0; });
}

std::size_t BlockRow::count_in(std::span<const std::uint64_t> words, std::size_t entry) const {
  const char* from = payload(entry);
  if (words.size() < words_for(ids_)) damaged();
  if (!sparse(entry)) return count_common(words.first(words_for(ids_)), from);
  const auto* in = words.data();
  std::size_t sum = 0;
  for (std::size_t n = 0, end = count(entry); n < end; ++n) {
    auto at = position(from, n);
    sum += in[at / 64] >> at % 64 & 1;
  }
  return sum;
}

bool BlockRow::has(std::size_t entry, std::size_t position) const {
  if (position >= ids_) return false;
  const char* from = payload(entry);
  if (!sparse(entry)) return load<std::uint64_t>(from + position / 64 * 8) >> position % 64 & 1;
  // Comparing them all, several at once, is faster than a search among so few.
  bool found = false;
  for (std::size_t n = 0, end = count(entry); n < end; ++n)
    found |= load<std::uint16_t>(from + n * sizeof(std::uint16_t)) == position;
  return found;
}

std::size_t BlockRow::select(std::size_t entry, std::size_t n) const {
  const char* from = payload(entry);
  if (sparse(entry)) return position(from, n);
  auto at = select_word(from, words_for(ids_), n);
  if (at >= ids_) damaged();
  return at;
}

std::size_t BlockRow::rank(std::size_t entry, std::size_t position) const {
  const char* from = payload(entry);
  position = std::min(position, ids_);
  if (!sparse(entry)) return rank_word(from, position);
  return count_below(count(entry),
                     [&](std::size_t n) { return this->position(from, n) < position; });
}

std::uint64_t BlockRow::rest(std::size_t entry, std::size_t n) const {
  auto size = rest_size(code(entry));
  if (size == 0) return 0;
  const char* from = payload(entry) + positions_size(count(entry), ids_) + n * size;
  if (from + size > bytes_.data() + bytes_.size()) damaged();
  std::uint64_t rest = 0;
  std::memcpy(&rest, from, size);
  return rest;
}

}  // namespace quire::bitmap_index
