#include "word_index/runs.h"

#include <algorithm>

#include "bitmap_index/block_row.h"
#include "word_index/varint.h"

namespace quire::word_index {
namespace {

// Small for numbers near 0 of either sign.
std::uint64_t zigzag(std::int64_t number) {
  return static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63);
}

// A distance of slots has 33 bits, and one more for the length.
std::uint64_t take_distance(std::string_view& bytes) {
  std::uint64_t low = 0;
  for (unsigned shift = 0; shift < 42 && !bytes.empty(); shift += 7) {
    auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    low |= std::uint64_t{byte & 0x7Fu} << shift;
    if (!(byte & 0x80)) return low;
  }
  damaged();
}

}  // namespace

bitmap_index::Key<20> runs_key(bitmap_index::Product product, const Ulid& start) {
  bitmap_index::Key<20> key;
  lmdb::put_u32(key.bytes.data(), product);
  std::copy(start.bytes.begin(), start.bytes.end(), key.bytes.begin() + 4);
  return key;
}

std::string Runs::encode() const {
  std::string out;
  std::int64_t expected = 0;
  for (const auto& run : runs_) {
    put_varint(out, zigzag(run.slot - expected) << 1 | unsigned{run.length > 1});
    if (run.length > 1) put_varint(out, run.length - 2);
    expected = std::int64_t{run.slot} + run.length;
  }
  return out;
}

Runs Runs::decode(std::string_view bytes) {
  Runs runs;
  runs.read(bytes);
  return runs;
}

void Runs::read(std::string_view bytes) {
  runs_.clear();
  ids_ = 0;
  std::int64_t expected = 0;
  while (!bytes.empty()) {
    auto head = take_distance(bytes);
    auto folded = head >> 1;
    auto slot = expected +
                (static_cast<std::int64_t>(folded >> 1) ^ -static_cast<std::int64_t>(folded & 1));
    std::uint64_t length = head & 1 ? std::uint64_t{take_varint(bytes)} + 2 : 1;
    bool whole = slot >= 0 && slot + static_cast<std::int64_t>(length) <= UINT32_MAX &&
                 ids_ + length <= bitmap_index::max_block;
    if (!whole) damaged();
    add({static_cast<Slot>(slot), static_cast<std::uint32_t>(length)});
    expected = slot + static_cast<std::int64_t>(length);
  }
}

// The run of a position, which becomes that within the run; behind the last id the number of runs,
// and 0.
std::size_t Runs::run_at(std::size_t& position) const {
  std::size_t run = 0;
  while (run < runs_.size() && position >= runs_[run].length) position -= runs_[run++].length;
  return run;
}

// The run with the one before, if it goes on with that.
void Runs::join(std::size_t run) {
  if (run == 0 || run >= runs_.size()) return;
  auto& before = runs_[run - 1];
  if (before.slot + before.length != runs_[run].slot) return;
  before.length += runs_[run].length;
  runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(run));
}

void Runs::add(SlotRun run) {
  ids_ += run.length;
  runs_.push_back(run);
  join(runs_.size() - 1);
}

Slot Runs::slot(std::size_t position) const {
  auto run = run_at(position);
  return runs_[run].slot + static_cast<Slot>(position);
}

void Runs::insert(std::size_t position, Slot slot) {
  auto behind = split(position);
  add({slot, 1});
  append(behind);
}

Slot Runs::erase(std::size_t position) {
  auto behind = split(position);
  auto slot = behind.slot(0);
  append(behind.split(1));
  return slot;
}

Runs Runs::split(std::size_t position) {
  Runs behind;
  auto within = position;
  auto run = run_at(within);
  for (auto i = run; i < runs_.size(); ++i) {
    auto skipped = i == run ? static_cast<std::uint32_t>(within) : 0;
    behind.add({runs_[i].slot + skipped, runs_[i].length - skipped});
  }
  if (within > 0) runs_[run++].length = static_cast<std::uint32_t>(within);
  runs_.resize(run);
  ids_ = position;
  return behind;
}

void Runs::append(const Runs& runs) {
  for (const auto& run : runs.runs_) add(run);
}

}  // namespace quire::word_index
