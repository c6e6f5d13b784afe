#include "bitmap_index/row_builder.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/ensure.h"
#include "bitmap_index/numbers.h"
#include "bitmap_index/words.h"

namespace quire::bitmap_index {
namespace {

constexpr std::size_t few_gaps = 8;

template <class T>
char* put_all(char* at, const std::vector<T>& values) {
  std::memcpy(at, values.data(), values.size() * sizeof(T));
  return at + values.size() * sizeof(T);
}

void set(Words& words, std::size_t position) {
  words[position / 64] |= std::uint64_t{1} << position % 64;
}

}  // namespace

std::span<char> RowBuilder::build(std::size_t ids, std::span<const Run> runs, Sources sources,
                                  std::span<const Add> adds) {
  ids_ = ids;
  runs_ = runs;
  take_parts(sources);
  fresh_.clear();
  codes_.clear();
  counts_.clear();
  ends_.clear();
  payloads_.clear();
  Code code = 0;
  while (next_code(adds, code)) {
    std::size_t end = 0;
    for (; end < adds.size() && adds[end].code == code; ++end)
      QUIRE_ENSURE(adds[end].position < ids_);
    put_entry(code, adds.first(end));
    adds = adds.subspan(end);
    for (auto& part : parts_) part.entry += part.has;
  }
  return assemble();
}

void RowBuilder::take_parts(Sources sources) {
  parts_.clear();
  for (const auto& run : runs_) {
    bool taken = !parts_.empty() && parts_.back().source == run.source;
    if (sources[run.source] && !taken) parts_.push_back({&*sources[run.source], run.source});
  }
  gaps_.clear();
  unmoved_ = false;
  if (parts_.size() != 1) return;
  std::uint32_t at = 0;
  auto leave = [&](std::size_t end) {
    for (; at < end && gaps_.size() <= few_gaps; ++at) gaps_.push_back(at);
  };
  for (const auto& run : runs_) {
    if (run.source != parts_[0].source) continue;
    leave(run.from);
    at = run.from + run.count;
  }
  leave(parts_[0].row->ids());
  unmoved_ = gaps_.size() <= few_gaps && ids_ >= parts_[0].row->ids() &&
             std::all_of(runs_.begin(), runs_.end(), [&](const Run& run) {
               return run.source != parts_[0].source || run.from == run.to;
             });
}

// The least code that is left, and which parts have it.
bool RowBuilder::next_code(std::span<const Add> adds, Code& code) {
  bool any = !adds.empty();
  if (any) code = adds.front().code;
  for (const auto& part : parts_) {
    if (part.entry == part.row->entries()) continue;
    auto of_part = part.row->code(part.entry);
    if (!any || of_part < code) code = of_part;
    any = true;
  }
  if (!any) return false;
  bool known = false;
  for (auto& part : parts_) {
    part.has = part.entry < part.row->entries() && part.row->code(part.entry) == code;
    part.n = 0;
    known = known || part.has;
  }
  if (!known) fresh_.push_back(&adds.front());
  return true;
}

void RowBuilder::put_entry(Code code, std::span<const Add> adds) {
  if (unmoved_ && adds.empty() && stays(parts_[0])) return copy_entry(code, parts_[0]);
  bool dense = std::any_of(parts_.begin(), parts_.end(), [](const OldRow& part) {
    return part.has && !part.row->sparse(part.entry);
  });
  auto rest = rest_bytes(code, adds);
  std::size_t count = 0;
  if (dense && rest == 0) {
    count = fill_words(adds);
    if (count > 0) put_words(count);
  } else {
    fill_positions(adds, rest);
    count = positions_.size();
    put_positions();
    payloads_ += rests_;
  }
  if (count > 0) end_entry(code, count);
}

// Whether the payload of the entry is the same in the new block.
bool RowBuilder::stays(const OldRow& part) const {
  const auto& row = *part.row;
  if (!row.sparse(part.entry) && words_for(row.ids()) != words_for(ids_)) return false;
  return std::none_of(gaps_.begin(), gaps_.end(),
                      [&](auto gap) { return row.has(part.entry, gap); });
}

void RowBuilder::copy_entry(Code code, const OldRow& part) {
  const auto& row = *part.row;
  auto count = row.count(part.entry);
  auto size = positions_size(count, row.ids()) + count * row.rest_bytes(part.entry);
  payloads_.append(row.payload(part.entry), size);
  end_entry(code, count);
}

void RowBuilder::end_entry(Code code, std::size_t count) {
  codes_.push_back(code);
  counts_.push_back(static_cast<std::uint16_t>(count));
  ends_.push_back(static_cast<std::uint32_t>(payloads_.size()));
}

std::size_t RowBuilder::rest_bytes(Code code, std::span<const Add> adds) const {
  std::size_t rest = 0;
  bool known = !adds.empty();
  if (known && adds.front().value->number) rest = rest_size(code);
  for (const auto& part : parts_) {
    if (!part.has) continue;
    auto of_part = part.row->rest_bytes(part.entry);
    if ((known && of_part != rest) || of_part > sizeof(std::uint64_t))
      throw lmdb::Damaged("a row of index_blocks contradicts another: run quire verify");
    rest = of_part;
    known = true;
  }
  return rest;
}

RowBuilder::OldRow* RowBuilder::part_of(const Run& run) {
  for (auto& part : parts_) {
    if (part.source == run.source) return part.has ? &part : nullptr;
  }
  return nullptr;
}

std::size_t RowBuilder::fill_words(std::span<const Add> adds) {
  words_.assign(words_for(ids_), 0);
  for (const auto& run : runs_) {
    OldRow* part = part_of(run);
    if (!part) continue;
    if (!part->row->sparse(part->entry)) {
      copy_bits(words_.data(), run.to, part->row->payload(part->entry), run.from, run.count);
      continue;
    }
    positions_.clear();
    take_positions(*part, run, 0);
    for (auto position : positions_) set(words_, position);
  }
  for (const auto& add : adds) set(words_, add.position);
  return count_words(adds);
}

// Of the only part few ids are not in the new block: looking at these beats counting all.
std::size_t RowBuilder::count_words(std::span<const Add> adds) const {
  if (parts_.size() != 1 || gaps_.size() > few_gaps) return popcount(words_);
  const auto& part = parts_[0];
  std::size_t count = part.row->count(part.entry) + adds.size();
  for (auto gap : gaps_) count -= part.row->has(part.entry, gap);
  return count;
}

void RowBuilder::put_words(std::size_t count) {
  if (!is_sparse(count, ids_)) {
    payloads_.append(reinterpret_cast<const char*>(words_.data()),
                     words_.size() * sizeof(std::uint64_t));
    return;
  }
  for (std::size_t i = 0; i < words_.size(); ++i) {
    for (auto word = words_[i]; word != 0; word &= word - 1) {
      auto at =
          static_cast<std::uint16_t>(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
      payloads_.append(reinterpret_cast<const char*>(&at), sizeof at);
    }
  }
}

void RowBuilder::fill_positions(std::span<const Add> adds, std::size_t rest) {
  positions_.clear();
  rests_.clear();
  auto add_below = [&](std::size_t end) {
    for (; !adds.empty() && adds.front().position < end; adds = adds.subspan(1)) {
      positions_.push_back(static_cast<std::uint16_t>(adds.front().position));
      rests_.append(reinterpret_cast<const char*>(&adds.front().value->rest), rest);
    }
  };
  for (const auto& run : runs_) {
    add_below(run.to);
    if (OldRow* part = part_of(run)) take_positions(*part, run, rest);
  }
  add_below(ids_);
}

void RowBuilder::take_positions(OldRow& part, const Run& run, std::size_t rest) {
  const auto& row = *part.row;
  std::size_t first = 0, end = std::size_t{run.from} + run.count;
  auto taken = positions_.size();
  if (row.sparse(part.entry)) {
    take_sparse(part, run, first);
  } else {
    first = row.rank(part.entry, run.from);
    const char* payload = row.payload(part.entry);
    for (auto at = std::size_t{run.from}; at < end; ++at) {
      if (load<std::uint64_t>(payload + at / 64 * 8) >> at % 64 & 1)
        positions_.push_back(static_cast<std::uint16_t>(at - run.from + run.to));
    }
  }
  taken = positions_.size() - taken;
  if (first + taken > row.count(part.entry))
    throw lmdb::Damaged("a row of index_blocks is not whole: run quire verify");
  if (rest == 0) return;
  const char* rests =
      row.payload(part.entry) + positions_size(row.count(part.entry), row.ids()) + first * rest;
  rests_.append(rests, taken * rest);
}

// Takes the positions of the run, and leaves the part behind them. `first`: how many lie before.
void RowBuilder::take_sparse(OldRow& part, const Run& run, std::size_t& first) {
  const auto& row = *part.row;
  const char* payload = row.payload(part.entry);
  auto count = row.count(part.entry), end = std::size_t{run.from} + run.count;
  for (first = part.n; first < count; ++first) {
    if (load<std::uint16_t>(payload + first * 2) >= run.from) break;
  }
  part.n = end == row.ids() ? count : std::max(first, row.rank(part.entry, end));
  auto at = positions_.size(), taken = part.n - first;
  positions_.resize(at + taken);
  auto shift = static_cast<std::uint16_t>(run.to - run.from);
  std::uint16_t greatest = 0;
  for (std::size_t i = 0; i < taken; ++i) {
    auto position =
        static_cast<std::uint16_t>(load<std::uint16_t>(payload + (first + i) * 2) + shift);
    greatest = std::max(greatest, position);
    positions_[at + i] = position;
  }
  if (taken > 0 && greatest >= ids_)
    throw lmdb::Damaged("a row of index_blocks is not whole: run quire verify");
}

void RowBuilder::put_positions() {
  if (is_sparse(positions_.size(), ids_)) {
    payloads_.append(reinterpret_cast<const char*>(positions_.data()),
                     positions_.size() * sizeof(std::uint16_t));
    return;
  }
  words_.assign(words_for(ids_), 0);
  for (auto position : positions_) set(words_, position);
  payloads_.append(reinterpret_cast<const char*>(words_.data()),
                   words_.size() * sizeof(std::uint64_t));
}

std::span<char> RowBuilder::assemble() {
  if (codes_.empty()) return {};
  auto head = block_row_head + codes_.size() * block_entry_head;
  out_.resize(head + payloads_.size() + lmdb::seal_size);
  auto ids = static_cast<std::uint32_t>(ids_), entries = static_cast<std::uint32_t>(codes_.size());
  std::memcpy(out_.data(), &ids, sizeof ids);
  std::memcpy(out_.data() + 4, &entries, sizeof entries);
  char* at = put_all(put_all(out_.data() + block_row_head, codes_), counts_);
  auto offset = static_cast<std::uint32_t>(head);
  for (auto end : ends_) {
    std::memcpy(at, &offset, sizeof offset);
    at += sizeof offset;
    offset = static_cast<std::uint32_t>(head) + end;
  }
  std::memcpy(at, payloads_.data(), payloads_.size());
  return out_;
}

}  // namespace quire::bitmap_index
