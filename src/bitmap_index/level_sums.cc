// Sums the groups that come, and those that lose or gain a neighbour, from the level below. It runs
// once in some thirty thousand insertions, or when a product gets its first levels.
#include <algorithm>
#include <set>

#include "bitmap_index/block_row.h"
#include "bitmap_index/level_counts.h"

namespace quire::bitmap_index {

// The greatest level of the ids that are there now.
int LevelCounts::new_top() {
  int top = top_;
  for (const auto& moved : moved_) {
    if (moved.comes) top = std::max(top, moved.level);
  }
  for (; top > 0; --top) {
    bool comes = std::any_of(moved_.begin(), moved_.end(),
                             [&](const Moved& moved) { return moved.comes && moved.level >= top; });
    if (comes || keeps_start(top)) break;
  }
  return top;
}

// Whether an id of the level, or of one above, was there before and stays.
bool LevelCounts::keeps_start(int level) {
  auto key = count_key(product_, every_id, 0, level - 1, Ulid{}.next());
  bool there = cursor_.seek(key, MDB_SET_RANGE);
  for (; there && same_level(cursor_.key(), key); there = cursor_.move(MDB_NEXT)) {
    auto start = start_of(cursor_.key());
    bool goes = std::any_of(moved_.begin(), moved_.end(),
                            [&](const Moved& moved) { return !moved.comes && moved.id == start; });
    if (!goes) return true;
  }
  return false;
}

void LevelCounts::settle(int level) {
  std::vector<Group> groups;
  for (const auto& start : level > top_ ? new_starts(level) : changed_starts(level))
    groups.push_back({start, next_start(level, start)});
  if (level == 1) return sum_first(groups);
  auto all = groups.empty() ? std::vector<Value>() : values();
  for (const auto& group : groups) {
    for (const auto& value : all) put(value, level, group, sum_rows(value, level - 1, group));
  }
}

// A value that a group has lost is one that changed, or that another of the groups has now.
void LevelCounts::sum_first(const std::vector<Group>& groups) {
  std::vector<Grown> lost;
  for (const auto& group : top_ > 0 ? groups : std::vector<Group>()) {
    for (const auto& [value, ids] : sum_blocks(group)) lost.push_back({value, 0});
    combine(lost);
  }
  for (const auto& value : changed_) lost.push_back({value, 0});
  for (const auto& group : groups) {
    auto sums = sum_blocks(group);
    sums.insert(sums.end(), lost.begin(), lost.end());
    combine(sums);
    for (const auto& [value, ids] : sums) put(value, 1, group, static_cast<std::uint64_t>(ids));
  }
}

// The groups of a level start at all zeros, and where the level below has a start of the level.
std::vector<Ulid> LevelCounts::new_starts(int level) {
  std::vector<Ulid> starts = {Ulid{}};
  for (auto next = next_start(level, Ulid{}); next; next = next_start(level, *next))
    starts.push_back(*next);
  return starts;
}

std::vector<Ulid> LevelCounts::changed_starts(int level) {
  std::set<Ulid> starts;
  for (const auto& moved : moved_) {
    if (moved.level <= level) continue;
    starts.insert(last_start(level, moved.id));
    if (moved.comes) starts.insert(moved.id);
  }
  return {starts.begin(), starts.end()};
}

std::optional<Ulid> LevelCounts::next_start(int level, const Ulid& after) {
  auto key = count_key(product_, every_id, 0, level - 1, after.next());
  bool there = cursor_.seek(key, MDB_SET_RANGE);
  for (; there && same_level(cursor_.key(), key); there = cursor_.move(MDB_NEXT)) {
    auto start = start_of(cursor_.key());
    if (start_level(db_, start) > level) return start;
  }
  return {};
}

Ulid LevelCounts::last_start(int level, const Ulid& before) {
  auto key = count_key(product_, every_id, 0, level - 1, before);
  bool there = cursor_.seek(key, MDB_SET_RANGE);
  there = cursor_.move(there ? MDB_PREV : MDB_LAST);
  for (; there && same_level(cursor_.key(), key); there = cursor_.move(MDB_PREV)) {
    auto start = start_of(cursor_.key());
    if (start_level(db_, start) > level) return start;
  }
  return {};
}

// The sums of the values of the group's blocks.
std::vector<LevelCounts::Grown> LevelCounts::sum_blocks(const Group& group) {
  std::vector<Grown> sums;
  sums.push_back({{every_id, 0}, static_cast<std::int64_t>(sum_rows({every_id, 0}, 0, group))});
  lmdb::Cursor blocks(txn_.get(), db_.blocks);
  for (std::uint32_t facet = 0; facet < every_id;) {
    auto key = block_key(product_, static_cast<FacetNumber>(facet), group.start);
    bool there = blocks.seek(key, MDB_SET_RANGE);
    if (!there || !same_product(blocks.key(), key)) break;
    if (facet_of(blocks.key()) != facet) {
      facet = facet_of(blocks.key());
      continue;
    }
    for (; there && same_facet(blocks.key(), key) && group.has(start_of(blocks.key()));
         there = blocks.move(MDB_NEXT))
      sum_block(blocks.key(), blocks.value(), sums);
    ++facet;
  }
  combine(sums);
  return sums;
}

void LevelCounts::sum_block(std::string_view key, std::string_view row,
                            std::vector<Grown>& sums) const {
  auto facet = facet_of(key);
  if (ignores(facet)) return;
  auto value = lmdb::unsealed(db_.blocks.seed, key, row);
  if (!value) throw lmdb::Damaged("a row of index_blocks is damaged: run quire verify");
  BlockRow block(*value);
  for (std::size_t i = 0; i < block.entries(); ++i)
    sums.push_back({{facet, block.code(i)}, static_cast<std::int64_t>(block.count(i))});
}

std::uint64_t LevelCounts::sum_rows(const Value& value, int level, const Group& group) {
  auto key = count_key(product_, value.facet, value.code, level, group.start);
  std::uint64_t sum = 0;
  bool there = cursor_.seek(key, MDB_SET_RANGE);
  for (; there && same_level(cursor_.key(), key) && group.has(start_of(cursor_.key()));
       there = cursor_.move(MDB_NEXT))
    sum += count_at(db_, cursor_);
  return sum;
}

// Makes the row of the group the only one within it.
void LevelCounts::put(const Value& value, int level, const Group& group, std::uint64_t ids) {
  auto key = count_key(product_, value.facet, value.code, level, group.start);
  bool there = cursor_.seek(key, MDB_SET_RANGE);
  for (; there && same_level(cursor_.key(), key) && group.has(start_of(cursor_.key()));
       there = cursor_.move(MDB_NEXT)) {
    if (ids == 0 || start_of(cursor_.key()) != group.start) cursor_.remove();
  }
  if (ids > 0) put_count(db_, cursor_, key, ids, false);
}

// All values that have counts in the product.
std::vector<LevelCounts::Value> LevelCounts::values() {
  constexpr int behind_all = 0xFF;
  std::vector<Value> values;
  auto key = count_key(product_, 0, 0, 0, Ulid{});
  bool there = cursor_.seek(key, MDB_SET_RANGE);
  while (there && same_product(cursor_.key(), key)) {
    Value value{facet_of(cursor_.key()), code_of(cursor_.key())};
    if (!ignores(value.facet)) values.push_back(value);
    auto behind = count_key(product_, value.facet, value.code, behind_all, Ulid{});
    there = cursor_.seek(behind, MDB_SET_RANGE);
  }
  return values;
}

void LevelCounts::remove(int level) {
  for (const auto& value : values()) put(value, level, {}, 0);
}

}  // namespace quire::bitmap_index
