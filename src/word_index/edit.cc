#include "word_index/edit.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "bitmap_index/level_counts.h"
#include "lmdb/cursor.h"
#include "lmdb/numbers.h"
#include "word_index/reader.h"
#include "word_index/rewrite.h"
#include "word_index/terms_of_segment.h"
#include "word_index/varint.h"
#include "words/stemmers.h"

namespace quire::word_index {
namespace {

constexpr std::size_t max_fresh = tiers[3];         // comments whose terms are in memory
constexpr std::uint32_t merged_at_once = tiers[1];  // slots; a larger merge is prepared outside

Contents contents_in(const Databases& databases, const lmdb::Transaction& txn) try {
  return read_contents(databases, txn);
} catch (const lmdb::Damaged& damaged) {
  throw DamagedWords(damaged.what());
}

// The runs of old blocks, from which those of new ones are put together.
class OldRuns {
 public:
  void add(Runs runs) { all_.push_back(std::move(runs)); }
  const Runs& of(std::uint32_t block) const { return all_[block]; }

  // Those ids of a run of the region that have slots: while words are built, the last ones may have
  // none.
  Runs cut(const bitmap_index::Run& run) const {
    Runs before = all_[run.source];
    if (run.from >= before.ids()) return {};
    Runs cut = before.split(run.from);
    if (run.count < cut.ids()) cut.split(run.count);
    return cut;
  }

 private:
  std::vector<Runs> all_;
};

}  // namespace

IndexEdit::IndexEdit(const Databases& databases, const bitmap_index::Databases& index,
                     lmdb::WriteTransaction& txn)
    : db_(databases), index_(index), txn_(txn), contents_(contents_in(databases, txn)) {}

bool IndexEdit::takes(bitmap_index::Product product, const Ulid& id) const {
  return contents_.takes(runs_key(product, id));
}

void IndexEdit::apply(bitmap_index::Product product, std::vector<Change> changes) {
  std::erase_if(changes, [&](const Change& change) { return !takes(product, change.id); });
  if (changes.empty()) return;
  changed_ = true;
  std::vector<bitmap_index::Change> moved;
  for (const auto& change : changes) {
    moved.push_back({change.id, {}});
    if (change.terms) moved.back().values.emplace();
  }
  bitmap_index::Changes all{moved, {}};
  for (const auto& change : moved)
    all.levels.push_back(static_cast<std::uint8_t>(bitmap_index::start_level(index_, change.id)));
  lmdb::Cursor counts(txn_, index_.counts), ids(txn_, index_.ids);
  bitmap_index::Regions regions(index_, product, all, counts, ids);
  bitmap_index::Region region;
  while (regions.next(region)) {
    try {
      follow(product, region, moved, changes);
    } catch (const lmdb::Damaged& damaged) {
      throw DamagedWords(damaged.what());
    }
  }
}

void IndexEdit::follow(bitmap_index::Product product, const bitmap_index::Region& region,
                       const std::vector<bitmap_index::Change>& moved,
                       std::vector<Change>& changes) {
  OldRuns old;
  for (const auto& block : region.before) {
    auto row = txn_.find(db_.slots, runs_key(product, block.start));
    old.add(row ? Runs::decode(*row) : Runs());
    if (old.of(static_cast<std::uint32_t>(&block - region.before.data())).ids() > block.ids)
      throw lmdb::Damaged("word_slots and index_counts contradict each other: run quire verify");
  }
  for (const auto& [block, position] : region.dropped) {
    if (position < old.of(block).ids()) bury(old.of(block).slot(position));
  }
  std::size_t run = 0, placed = 0;
  for (const auto& block : region.after) {
    Runs runs;
    while (run < block.runs_end || placed < block.placed_end) {
      bool copies = placed == block.placed_end ||
                    (run < block.runs_end && region.runs[run].to < region.placed[placed].position);
      if (copies) {
        runs.append(old.cut(region.runs[run++]));
        continue;
      }
      const auto& [change, in, position] = region.placed[placed++];
      if (runs.ids() != position)
        throw lmdb::Damaged("word_slots lacks comments: run quire verify");
      auto& terms = changes[static_cast<std::size_t>(change - moved.data())].terms;
      runs.insert(position, add(product, std::move(*terms)));
    }
    put_runs(product, block.start, runs);
  }
  for (const auto& block : region.before) {
    bool stays = std::any_of(region.after.begin(), region.after.end(),
                             [&](const auto& after) { return after.start == block.start; });
    if (!stays) put_runs(product, block.start, {});
  }
}

void IndexEdit::put_runs(bitmap_index::Product product, const Ulid& start, const Runs& runs) {
  auto key = runs_key(product, start);
  if (runs.ids() == 0)
    txn_.remove(db_.slots, key);
  else
    txn_.put(db_.slots, key, runs.encode());
}

Slot IndexEdit::add(bitmap_index::Product product, Terms terms) {
  auto& segments = contents_.segments;
  if (segments.next_slot == ~Slot{0})
    throw std::runtime_error("the index of words has no numbers left: quire words drop, then add");
  if (fresh_.size() == max_fresh) write_fresh();
  if (!terms.empty() && terms.front().starts_with('\1')) {
    if (auto stemmer = words::stemmer_with(std::string_view(terms.front()).substr(1)))
      segments.stemmers |= words::only(*stemmer);
  }
  fresh_.push_back({product, std::move(terms)});
  return segments.next_slot++;
}

// No comment has the slot any more.
void IndexEdit::bury(Slot slot) {
  auto& segments = contents_.segments;
  auto first_fresh = segments.next_slot - static_cast<Slot>(fresh_.size());
  if (slot >= segments.next_slot) damaged();
  if (slot >= first_fresh) {
    fresh_[slot - first_fresh].terms.clear();
    return;
  }
  auto& segment = segment_of(segments.segments, slot);
  if (segment.dead == segment.length) damaged();
  ++segment.dead;
  buried_.push_back(slot);
}

// Makes a segment of the comments that came, together with the last one if that is open. One that
// is damaged stays as it is: verify finds it, and its damage keeps no comment out.
void IndexEdit::write_fresh() {
  if (fresh_.empty()) return;
  auto& segments = contents_.segments.segments;
  auto first = contents_.segments.next_slot - static_cast<Slot>(fresh_.size());
  Segment segment{first, static_cast<std::uint32_t>(fresh_.size()), 0, fresh_[0].product + 1};
  for (const auto& each : fresh_) {
    if (each.product + 1 != segment.product) segment.product = 0;
  }
  bool open = !segments.empty() && segments.back().length < tiers[0] &&
              segments.back().start + segments.back().length == first;
  std::vector<Segment> old;
  std::optional<std::vector<Row>> rows;
  if (open) rows = rows_behind(segments.back(), first);
  if (rows) {
    Segment both[] = {segments.back(), segment};
    old.push_back(segments.back());
    segments.pop_back();
    segment = joined(both);
  }
  put_rows(old, rows ? *rows : fresh_rows(first, first));
  segments.push_back(segment);
  fresh_.clear();
}

// Absent: the segment is damaged.
std::optional<std::vector<Row>> IndexEdit::rows_behind(const Segment& open, Slot first) try {
  return fresh_rows(open.start, first);
} catch (const lmdb::Damaged&) {
  return {};
}

// The rows of a segment of the comments that came, of which `first` is the first slot, behind those
// of the segment that begins at `start`, where that is another slot.
std::vector<Row> IndexEdit::fresh_rows(Slot start, Slot first) {
  std::vector<std::pair<std::string_view, Position>> postings;
  for (std::size_t i = 0; i < fresh_.size(); ++i) {
    for (const auto& term : fresh_[i].terms)
      postings.emplace_back(term, first - start + static_cast<Position>(i));
  }
  std::sort(postings.begin(), postings.end());
  CursorRows source(db_, txn_);
  TermsOfSegment before(source, start);
  bool there = start != first && before.next();
  RowWriter writer(start);
  std::vector<Position> positions;
  for (auto at = postings.begin(); there || at != postings.end();) {
    bool old = there && (at == postings.end() || before.term() <= at->first);
    std::string term(old ? std::string_view(before.term()) : at->first);
    positions.clear();
    if (old) before.append_to(positions);
    for (; at != postings.end() && at->first == term; ++at) positions.push_back(at->second);
    if (old) there = before.next();
    writer.add(term, positions);
  }
  return writer.finish();
}

// Puts the rows of a segment in place of those of segments of which the first begins where it does.
void IndexEdit::put_rows(std::span<const Segment> old, const std::vector<Row>& rows) {
  std::set<std::string_view> stays;
  for (const auto& row : rows) stays.insert(row.key);
  std::vector<std::string> goes;
  for (const auto& segment : old) {
    for (auto& key : lmdb::keys_under(txn_, db_.rows, row_key(segment.start, {}))) {
      if (!stays.contains(key)) goes.push_back(std::move(key));
    }
  }
  for (const auto& key : goes) txn_.remove(db_.rows, key);
  for (const auto& row : rows) txn_.put(db_.rows, row.key, row.value);
}

// Segments that are damaged stay: a merge makes reading cheaper, and no write needs it.
void IndexEdit::merge_small() try {
  auto& segments = contents_.segments.segments;
  while (auto due = merge_due(segments)) {
    auto all = std::span(segments).subspan(due->from, due->count);
    if (joined(all).length > merged_at_once) return;
    auto rows = merged(*due);
    put(due->from, {contents_.segments.rewrites, {all.begin(), all.end()}, std::move(rows)});
  }
} catch (const lmdb::Damaged&) {
}

// Dead slots keep their terms: to find them, all runs would have to be read.
std::vector<Row> IndexEdit::merged(const Due& due) {
  auto segments = contents_.segments;
  for (auto& segment : segments.segments) segment.dead = 0;
  return prepare(db_, txn_, segments, due).rows;
}

// Slots that died since the rewrite was prepared have their terms in its rows.
void IndexEdit::put(std::size_t from, const Rewrite& rewrite, bool without_dead) {
  auto& segments = contents_.segments.segments;
  auto old = std::span(segments).subspan(from, rewrite.before.size());
  auto segment = joined(old);
  if (without_dead) segment.dead -= joined(rewrite.before).dead;
  put_rows(old, rewrite.rows);
  auto first = segments.begin() + static_cast<std::ptrdiff_t>(from);
  auto end = first + static_cast<std::ptrdiff_t>(rewrite.before.size());
  if (!rewrite.empty) *first++ = segment;
  segments.erase(first, end);
}

bool IndexEdit::apply(const Rewrite& rewrite) {
  write_fresh();
  auto& all = contents_.segments;
  auto same = [](const Segment& now, const Segment& then) {
    return now.start == then.start && now.length == then.length;
  };
  auto found = std::search(all.segments.begin(), all.segments.end(), rewrite.before.begin(),
                           rewrite.before.end(), same);
  bool stale = !contents_.changes() || rewrite.rewrites != all.rewrites;
  if (stale || found == all.segments.end()) return false;
  put(static_cast<std::size_t>(found - all.segments.begin()), rewrite, true);
  ++all.rewrites;
  return changed_ = true;
}

void IndexEdit::tidy(std::size_t segments, bool renumbers) try {
  if (!contents_.changes()) return;
  write_fresh();
  const auto& all = contents_.segments;
  for (; segments > 0; --segments) {
    if (renumbers && renumber()) continue;
    auto due = merge_due(all.segments);
    if (!due) due = dead_due(all, 0);
    if (!due) return;
    apply(prepare(db_, txn_, all, *due, buried_));
  }
} catch (const lmdb::Damaged& damaged) {
  throw DamagedWords(damaged.what());
}

void IndexEdit::finish() {
  if (!changed_) return;
  write_fresh();
  merge_small();
  txn_.put(db_.segments, segments_key, encode(contents_.segments));
}

}  // namespace quire::word_index
