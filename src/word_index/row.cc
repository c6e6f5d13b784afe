#include "word_index/row.h"

#include <algorithm>
#include <bit>

#include "lmdb/numbers.h"
#include "word_index/varint.h"

namespace quire::word_index {
namespace {

using lmdb::load;

constexpr std::size_t max_nibble = 15;  // and more follows
constexpr std::size_t least_room =
    256;  // for a part of a list: a smaller rest of a row stays empty

void put_length(std::string& out, std::size_t length) {
  if (length >= max_nibble) put_varint(out, length - max_nibble);
}

std::size_t length_size(std::size_t length) {
  return length < max_nibble ? 0 : varint_size(length - max_nibble);
}

std::size_t term_size(std::size_t shared, std::size_t own) {
  return 1 + length_size(shared) + length_size(own) + own;
}

std::string term_bytes(std::size_t shared, std::string_view own) {
  auto nibble = [](std::size_t length) { return std::min(length, max_nibble); };
  std::string out(1, static_cast<char>(nibble(shared) << 4 | nibble(own.size())));
  put_length(out, shared);
  put_length(out, own.size());
  return out.append(own);
}

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  auto end = std::min(a.size(), b.size());
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + end, b.begin()).first -
                                  a.begin());
}

// The first positions of a list, as many as fit, in the form in which more do; of two, the smaller.
struct ListPart {
  std::size_t taken;
  std::string bytes;
};

std::string gaps(std::span<const Position> positions, std::size_t room) {
  std::string out;
  put_varint(out, positions[0]);
  for (std::size_t i = 1; i < positions.size() && out.size() < room; ++i)
    put_varint(out, positions[i] - positions[i - 1] - 1);
  return out;
}

std::string bitmap(std::span<const Position> positions) {
  auto first = positions[0] / 8;
  std::string bytes(positions.back() / 8 - first + 1, '\0');
  for (auto at : positions) bytes[at / 8 - first] |= static_cast<char>(1 << at % 8);
  std::string out;
  put_varint(out, first);
  return out.append(bytes);
}

// How many of the numbers lie whole within so many bytes.
std::size_t whole_numbers(std::string_view bytes, std::size_t room) {
  bytes = bytes.substr(0, room);
  return static_cast<std::size_t>(
      std::count_if(bytes.begin(), bytes.end(), [](char byte) { return (byte & 0x80) == 0; }));
}

std::size_t end_of_numbers(std::string_view bytes, std::size_t room) {
  auto end = std::min(bytes.size(), room);
  while (end > 0 && bytes[end - 1] & 0x80) --end;
  return end;
}

ListPart part_of(std::span<const Position> positions, std::size_t room) {
  constexpr std::size_t head = 3 + 2;  // at most: the count, and the length
  if (room < head + 3) return {0, {}};
  room -= head;
  if (positions.size() == 1) {  // most lists of a post
    std::string bytes;
    put_varint(bytes, 1 << 2);
    put_varint(bytes, positions[0]);
    return {1, std::move(bytes)};
  }
  auto as_gaps = gaps(positions, room);
  auto taken = whole_numbers(as_gaps, room);
  as_gaps.resize(end_of_numbers(as_gaps, room));
  auto first = positions[0] / 8;
  auto bits_end = (first + room - varint_size(first)) * 8;
  auto in_bitmap = static_cast<std::size_t>(
      std::lower_bound(positions.begin(), positions.end(), bits_end) - positions.begin());
  std::string payload = std::move(as_gaps);
  bool is_bitmap = false;
  if (in_bitmap >= taken && in_bitmap > 1) {
    auto as_bitmap = bitmap(positions.first(in_bitmap));
    is_bitmap = in_bitmap > taken || as_bitmap.size() <= payload.size();
    if (is_bitmap) payload = std::move(as_bitmap), taken = in_bitmap;
  }
  bool more = taken < positions.size();
  std::string bytes;
  put_varint(bytes, taken << 2 | unsigned{more} << 1 | unsigned{is_bitmap});
  if (taken > 1) put_varint(bytes, payload.size());
  return {taken, bytes.append(payload)};
}

}  // namespace

std::string row_key(Slot segment, std::string_view term, unsigned part) {
  std::string key(4, '\0');
  lmdb::put_u32(key.data(), segment);
  key.append(term);
  if (part > 0) key.append(1, '\0').append(1, static_cast<char>(part));
  return key;
}

bool is_of_segment(std::string_view key, Slot segment) {
  return key.size() > 4 && lmdb::get_u32(key.data()) == segment;
}

// The bytes that an entry with the next term, and its list, may have.
std::size_t RowWriter::room(std::string_view term) const {
  bool restart = count_ % entries_a_restart == 0;
  auto shared = restart ? 0 : shared_prefix(last_, term);
  auto used = 2 + 2 * (restarts_.size() + restart) + entries_.size() +
              term_size(shared, term.size() - shared);
  return max_row - std::min(max_row, used);
}

void RowWriter::begin_row(std::string_view term, unsigned part) {
  end_row();
  key_ = row_key(segment_, term, part);
}

void RowWriter::end_row() {
  if (count_ == 0) return;
  std::string value;
  auto put = [&](std::size_t number) {
    value += {static_cast<char>(number), static_cast<char>(number >> 8)};
  };
  put(count_);
  auto begin = 2 + 2 * restarts_.size();
  for (auto restart : restarts_) put(begin + restart);
  rows_.push_back({std::move(key_), value.append(entries_)});
  restarts_.clear();
  entries_.clear();
  count_ = 0;
}

void RowWriter::add(std::string_view term, std::span<const Position> positions) {
  if (rows_.empty() && count_ == 0) begin_row(term, 0);
  unsigned number = 0;
  while (!positions.empty()) {
    auto part = part_of(positions, room(term));
    bool fits = part.taken == positions.size() || (part.taken > 0 && room(term) >= least_room);
    if (!fits) {
      begin_row(term, number);
      part = part_of(positions, room(term));
    }
    bool restart = count_ % entries_a_restart == 0;
    if (restart) restarts_.push_back(static_cast<std::uint16_t>(entries_.size()));
    auto shared = restart ? 0 : shared_prefix(last_, term);
    entries_ += term_bytes(shared, term.substr(shared));
    entries_ += part.bytes;
    last_ = term;
    ++count_;
    positions = positions.subspan(part.taken);
    if (!positions.empty()) begin_row(term, ++number);
  }
}

std::vector<Row> RowWriter::finish() {
  end_row();
  return std::move(rows_);
}

List::List(std::string_view& bytes) {
  auto head = take_varint(bytes);
  size_ = head >> 2;
  goes_on_ = head & 2;
  bitmap_ = head & 1;
  if (size_ == 0) damaged();
  if (size_ == 1) {
    auto from = bytes;
    take_varint(bytes);
    payload_ = from.substr(0, from.size() - bytes.size());
    if (bitmap_) damaged();
    return;
  }
  auto length = take_varint(bytes);
  if (length > bytes.size()) damaged();
  payload_ = bytes.substr(0, length);
  bytes.remove_prefix(length);
}

template <class Use>
void List::for_positions(Use use) const {
  auto bytes = payload_;
  std::uint64_t at = take_varint(bytes);
  if (bitmap_) {
    for (at *= 8; !bytes.empty(); bytes.remove_prefix(1), at += 8) {
      for (unsigned bits = static_cast<unsigned char>(bytes.front()); bits != 0; bits &= bits - 1)
        use(at + static_cast<unsigned>(std::countr_zero(bits)));
    }
    return;
  }
  use(at);
  while (!bytes.empty()) {
    at += std::uint64_t{take_varint(bytes)} + 1;
    use(at);
  }
}

// Bits of common words are put by bytes: one by one takes ten times as long.
void List::add_to(std::span<std::uint64_t> bits) const {
  if (bitmap_) {
    auto bytes = payload_;
    std::size_t first = take_varint(bytes);
    if (first + bytes.size() > bits.size_bytes()) damaged();
    auto* to = reinterpret_cast<unsigned char*>(bits.data()) + first;
    for (std::size_t i = 0; i < bytes.size(); ++i) to[i] |= static_cast<unsigned char>(bytes[i]);
    return;
  }
  auto end = bits.size() * 64;
  for_positions([&](std::uint64_t at) {
    if (at >= end) damaged();
    bits[at / 64] |= std::uint64_t{1} << at % 64;
  });
}

void List::append_to(std::vector<Position>& positions) const {
  auto begin = positions.size();
  for_positions([&](std::uint64_t at) {
    if (at >= max_segment) damaged();
    positions.push_back(static_cast<Position>(at));
  });
  if (positions.size() - begin != size_) damaged();
}

RowReader::RowReader(std::string_view row) : row_(row) {
  if (row.size() < 4 || row.size() > max_row) damaged();
  count_ = load<std::uint16_t>(row.data());
  restarts_ = (count_ + entries_a_restart - 1) / entries_a_restart;
  if (count_ == 0 || 2 + 2 * restarts_ >= row.size()) damaged();
  rest_ = row.substr(2 + 2 * restarts_);
}

bool RowReader::next() {
  if (at_ == count_) return false;
  if (rest_.empty()) damaged();
  auto lengths = static_cast<unsigned char>(rest_.front());
  rest_.remove_prefix(1);
  auto length = [&](std::size_t nibble) {
    return nibble < max_nibble ? nibble : nibble + take_varint(rest_);
  };
  auto shared = length(lengths >> 4), own = length(lengths & 15);
  bool restart = at_ % entries_a_restart == 0;
  if (shared > term_.size() || own > rest_.size() || (restart && shared > 0)) damaged();
  term_.resize(shared);
  term_.append(rest_.substr(0, own));
  rest_.remove_prefix(own);
  list_ = List(rest_);
  ++at_;
  return true;
}

std::string_view RowReader::first_term(std::size_t restart) {
  std::size_t at = load<std::uint16_t>(row_.data() + 2 + 2 * restart);
  if (at >= row_.size()) damaged();
  rest_ = row_.substr(at);
  at_ = restart * entries_a_restart;
  term_.clear();
  next();
  return term_;
}

bool RowReader::seek(std::string_view term) {
  std::size_t from = 0;  // the last restart that is known not to be above
  for (auto width = restarts_ - 1; width > 0;) {
    auto half = (width + 1) / 2;
    if (first_term(from + half) <= term)
      from += half, width -= half;
    else
      width = half - 1;
  }
  first_term(from);
  do {
    if (std::string_view(term_) >= term) return true;
  } while (next());
  return false;
}

}  // namespace quire::word_index
