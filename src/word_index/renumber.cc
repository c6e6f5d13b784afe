#include "word_index/renumber.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "lmdb/cursor.h"
#include "lmdb/numbers.h"
#include "word_index/edit.h"
#include "word_index/reader.h"
#include "word_index/terms_of_segment.h"
#include "word_index/varint.h"

namespace quire::word_index {
namespace {

using Step = RenumberingState::Step;

// Calls `use` with each part of a run that lies in one of the segments, and which one; with the
// parts between, and the number of segments.
template <class Use>
void for_parts(std::span<const Segment> segments, SlotRun run, Use use) {
  while (run.length > 0) {
    auto behind =
        std::upper_bound(segments.begin(), segments.end(), run.slot,
                         [](Slot slot, const Segment& each) { return slot < each.start; });
    auto next = static_cast<std::size_t>(behind - segments.begin());
    std::uint64_t end = next < segments.size() ? segments[next].start : UINT32_MAX;
    auto segment = segments.size();
    if (next > 0 && run.slot - segments[next - 1].start < segments[next - 1].length) {
      segment = next - 1;
      end = std::uint64_t{segments[segment].start} + segments[segment].length;
    }
    auto length = static_cast<std::uint32_t>(std::min<std::uint64_t>(run.length, end - run.slot));
    use(SlotRun{run.slot, length}, segment);
    run = {run.slot + length, run.length - length};
  }
}

// Calls `use` with each part of a run that lies in one of the segments, in the order of products
// and ids: with the key of its block, the part, and which segment.
template <class Use>
void for_named(const Databases& databases, const lmdb::Transaction& txn,
               std::span<const Segment> segments, Use use) {
  Runs runs;
  for (const auto& entry : lmdb::Entries(txn, databases.slots)) {
    auto row = lmdb::unsealed(databases.slots.seed, entry.key(), entry.value());
    if (!row || entry.key().size() != CommentKey().bytes.size()) damaged();
    runs.read(*row);
    for (const auto& run : runs.all()) {
      for_parts(segments, run, [&](SlotRun part, std::size_t segment) {
        if (segment < segments.size()) use(entry.key(), part, segment);
      });
    }
  }
}

void note_block(std::vector<CommentKey>& blocks, std::string_view key) {
  if (!blocks.empty() && std::string_view(blocks.back()) == key) return;
  std::copy(key.begin(), key.end(), blocks.emplace_back().bytes.begin());
}

const Segment* find(std::span<const Segment> segments, const Segment& wanted) {
  auto at = std::find_if(segments.begin(), segments.end(), [&](const Segment& each) {
    return each.start == wanted.start && each.length == wanted.length;
  });
  return at == segments.end() ? nullptr : &*at;
}

}  // namespace

Renumbering prepare_renumbering(const Databases& databases, const lmdb::Transaction& txn,
                                const Segments& all, std::vector<Segment> due) {
  Renumbering plan{all.rewrites, std::move(due)};
  for (const auto& segment : plan.before) plan.to.emplace_back(segment.length, gone);
  for_named(databases, txn, plan.before,
            [&](std::string_view block, SlotRun part, std::size_t segment) {
              note_block(plan.blocks, block);
              auto first = part.slot - plan.before[segment].start;
              for (auto at = first; at < first + part.length; ++at) {
                if (plan.to[segment][at] != gone) damaged();
                plan.to[segment][at] = plan.length++;
              }
            });
  std::deque<CursorRows> sources;
  std::deque<TermsOfSegment> terms;
  std::vector<Part> parts;
  for (std::size_t i = 0; i < plan.before.size(); ++i) {
    auto& rows = sources.emplace_back(databases, txn);
    auto& of_segment = terms.emplace_back(rows, plan.before[i].start);
    parts.push_back({&of_segment, plan.to[i]});
  }
  plan.rows = merge(0, parts);
  return plan;
}

void look_again(const Databases& databases, const lmdb::Transaction& txn, Renumbering& plan,
                RenumberingState& state) {
  if (state.step != Step::blocks || state.at < plan.blocks.size()) return;
  state.at = 0;
  plan.blocks.clear();
  for_named(databases, txn, plan.before,
            [&](std::string_view block, SlotRun, std::size_t) { note_block(plan.blocks, block); });
  if (plan.blocks.empty()) state.step = Step::drop;
}

void IndexEdit::renumber(const Renumbering& plan, RenumberingState& state, std::size_t rows) {
  write_fresh();
  if (!goes_on(plan, state)) {
    state.step = Step::lost;
    return;
  }
  changed_ = true;
  if (state.step == Step::begin) begin(plan, state);
  if (state.step == Step::rows)
    put_rows(plan, state, rows);
  else if (state.step == Step::blocks)
    switch_blocks(plan, state, rows);
  else
    drop_segments(plan, state, rows);
}

// Whether the segments are there, as this left them.
bool IndexEdit::goes_on(const Renumbering& plan, const RenumberingState& state) const {
  if (!contents_.changes()) return false;
  const auto& all = contents_.segments;
  bool begun = state.step != Step::begin;
  if (!begun && plan.length > ~all.next_slot) return false;  // no slots are left
  if (all.rewrites != (begun ? state.rewrites : plan.rewrites)) return false;
  bool added = plan.length == 0 || find(all.segments, {state.start, plan.length});
  auto left = std::span(plan.before).subspan(state.step == Step::drop ? state.at : 0);
  return (!begun || added) && std::all_of(left.begin(), left.end(), [&](const Segment& segment) {
           return find(all.segments, segment);
         });
}

void IndexEdit::begin(const Renumbering& plan, RenumberingState& state) {
  auto& all = contents_.segments;
  state = {Step::rows, ++all.rewrites, all.next_slot};
  if (plan.length == 0) return;
  auto product = joined(plan.before).product;
  all.segments.push_back({all.next_slot, plan.length, plan.length, product});
  all.next_slot += plan.length;
}

// The last row comes first, as the first one goes first: a list may go on in the next row, so a
// segment that lacks some of its first rows can be read, and one that lacks its last is damaged.
void IndexEdit::put_rows(const Renumbering& plan, RenumberingState& state, std::size_t rows) {
  for (; rows > 0 && state.at < plan.rows.size(); --rows, ++state.at) {
    const auto& row = plan.rows[plan.rows.size() - 1 - state.at];
    auto key = row.key;
    lmdb::put_u32(key.data(), state.start);
    txn_.put(db_.rows, key, row.value);
  }
  if (state.at == plan.rows.size()) state.step = Step::blocks, state.at = 0;
}

// Whoever prepared a rewrite before would take out terms of comments that have new slots now: so it
// counts as a rewrite.
void IndexEdit::switch_blocks(const Renumbering& plan, RenumberingState& state, std::size_t rows) {
  for (; rows > 0 && state.at < plan.blocks.size(); --rows, ++state.at) {
    const auto& key = plan.blocks[state.at];
    if (auto row = txn_.find(db_.slots, key))
      txn_.put(db_.slots, key, renumbered(plan, state.start, Runs::decode(*row)).encode());
  }
  state.rewrites = ++contents_.segments.rewrites;
}

Runs IndexEdit::renumbered(const Renumbering& plan, Slot start, const Runs& old) {
  Runs runs;
  auto& segments = contents_.segments.segments;
  for (const auto& run : old.all()) {
    for_parts(plan.before, run, [&](SlotRun part, std::size_t of) {
      if (of == plan.before.size()) return runs.add(part);
      auto first = part.slot - plan.before[of].start;
      for (auto at = first; at < first + part.length; ++at) {
        auto position = plan.to[of][at];
        if (position == gone) damaged();
        runs.add({start + position, 1});
      }
      auto& now = segment_of(segments, start);
      if (now.dead < part.length) damaged();
      now.dead -= part.length;
      segment_of(segments, part.slot).dead += part.length;
    });
  }
  return runs;
}

void IndexEdit::drop_segments(const Renumbering& plan, RenumberingState& state, std::size_t rows) {
  auto& segments = contents_.segments.segments;
  while (rows > 0 && state.at < plan.before.size()) {
    const auto& segment = plan.before[state.at];
    auto keys = lmdb::keys_under(txn_, db_.rows, row_key(segment.start, {}), rows);
    for (const auto& key : keys) txn_.remove(db_.rows, key);
    rows -= keys.size();
    if (rows == 0) break;
    std::erase_if(segments, [&](const Segment& each) { return each.start == segment.start; });
    ++state.at;
  }
  state.rewrites = ++contents_.segments.rewrites;
  if (state.at == plan.before.size()) state.step = Step::done;
}

// All of it at once, for a writer that nobody waits for. Whether one was due.
bool IndexEdit::renumber() {
  auto due = renumbering_due(contents_.segments.segments);
  if (due.empty()) return false;
  auto plan = prepare_renumbering(db_, txn_, contents_.segments, std::move(due));
  RenumberingState state;
  while (!state.is_over()) {
    renumber(plan, state, SIZE_MAX);
    // No block is split within the transaction.
    if (state.step == Step::blocks && state.at == plan.blocks.size())
      state = {Step::drop, state.rewrites, state.start};
  }
  return state.step == Step::done;
}

}  // namespace quire::word_index
