#include "bitmap_index/level_counts.h"

#include <algorithm>
#include <set>
#include <utility>

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
  if (contains(ignored_, facet)) return;
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
    if (!contains(ignored_, value.facet)) values.push_back(value);
    auto behind = count_key(product_, value.facet, value.code, behind_all, Ulid{});
    there = cursor_.seek(behind, MDB_SET_RANGE);
  }
  return values;
}

void LevelCounts::remove(int level) {
  for (const auto& value : values()) put(value, level, {}, 0);
}

void put_count(const Databases& databases, lmdb::Cursor& cursor, const Key<31>& key,
               std::uint64_t count, bool at_key) {
  if (count == 0) {
    if (at_key || cursor.seek(key, MDB_SET)) cursor.remove();
    return;
  }
  char number[8], row[8 + lmdb::seal_size];
  lmdb::put_u64(number, count);
  lmdb::write_sealed(row, databases.counts.seed, key, {number, sizeof number});
  cursor.put(key, {row, sizeof row}, at_key ? MDB_CURRENT : 0);
}

LevelCounts::LevelCounts(const Databases& databases, lmdb::WriteTransaction& txn,
                         lmdb::Cursor& counts, Product product,
                         std::span<const FacetNumber> ignored, std::vector<Moved> moved)
    : db_(databases),
      txn_(txn),
      cursor_(counts),
      product_(product),
      ignored_(ignored),
      moved_(std::move(moved)),
      top_(old_top()),
      levels_(static_cast<std::size_t>(top_) + 2) {}

// The counts of all ids are the last rows of the product, and those of the top level come last.
int LevelCounts::old_top() {
  bool there = product_ != ~Product{0} && cursor_.seek(ids_key(product_ + 1), MDB_SET_RANGE);
  if (!cursor_.move(there ? MDB_PREV : MDB_LAST)) return 0;
  auto key = cursor_.key();
  bool of_ids = same_product(key, count_key(product_, 0, 0, 0, {})) && facet_of(key) == every_id;
  return of_ids ? level_in(key) : 0;
}

LevelCounts::Group LevelCounts::old_group(int level, const Ulid& id) {
  auto key = count_key(product_, every_id, 0, level, id);
  Group group{};
  bool there = cursor_.seek(key, MDB_SET_RANGE), same = there && same_level(cursor_.key(), key);
  if (same && start_of(cursor_.key()) == id) {
    group.start = id;
    if (cursor_.move(MDB_NEXT) && same_level(cursor_.key(), key))
      group.end = start_of(cursor_.key());
    return group;
  }
  if (same) group.end = start_of(cursor_.key());
  if (cursor_.move(there ? MDB_PREV : MDB_LAST) && same_level(cursor_.key(), key))
    group.start = start_of(cursor_.key());
  return group;
}

void LevelCounts::enter(const Ulid& start) {
  for (int level = 1; level <= top_; ++level) {
    auto& at_hand = levels_[static_cast<std::size_t>(level)];
    if (at_hand.group && at_hand.group->has(start)) continue;
    write(level);
    at_hand.group = old_group(level, start);
    const auto& group = *at_hand.group;
    at_hand.moves = std::any_of(moved_.begin(), moved_.end(), [&](const Moved& moved) {
      return moved.level > level && (group.has(moved.id) || moved.id == group.end);
    });
  }
}

void LevelCounts::add(FacetNumber facet, Code code, std::int64_t ids) {
  if (top_ > 0) levels_[1].grown.push_back({{facet, code}, ids});
}

void LevelCounts::combine(std::vector<Grown>& grown) {
  std::sort(grown.begin(), grown.end(),
            [](const Grown& a, const Grown& b) { return a.value < b.value; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < grown.size();) {
    Grown sum = grown[i];
    for (++i; i < grown.size() && grown[i].value == sum.value; ++i) sum.ids += grown[i].ids;
    grown[kept++] = sum;
  }
  grown.resize(kept);
}

// Writes what the group at hand grew by, and hands it to the level above.
void LevelCounts::write(int level) {
  auto& [group, moves, grown] = levels_[static_cast<std::size_t>(level)];
  if (grown.empty()) return;
  combine(grown);
  for (const auto& [value, ids] : grown) {
    if (level == 1) changed_.push_back(value);
    if (!moves && ids != 0) change(value, level, group->start, ids);
  }
  auto& above = levels_[static_cast<std::size_t>(level) + 1].grown;
  above.insert(above.end(), grown.begin(), grown.end());
  grown.clear();
}

void LevelCounts::change(const Value& value, int level, const Ulid& start, std::int64_t ids) {
  auto key = count_key(product_, value.facet, value.code, level, start);
  bool there = cursor_.seek(key, MDB_SET_KEY);
  auto before = there ? static_cast<std::int64_t>(count_at(db_, cursor_)) : 0;
  if (before + ids < 0) throw lmdb::Damaged("a row of index_counts is too small: run quire verify");
  put_count(db_, cursor_, key, static_cast<std::uint64_t>(before + ids), there);
}

// Writes what the groups at hand of all levels grew by. The counts of a value lie together, so all
// levels of one value are written before the next value.
void LevelCounts::write_all() {
  for (int level = 1; level <= top_; ++level) {
    auto& grown = levels_[static_cast<std::size_t>(level)].grown;
    combine(grown);
    if (level == top_) break;
    auto& above = levels_[static_cast<std::size_t>(level) + 1].grown;
    above.insert(above.end(), grown.begin(), grown.end());
  }
  std::vector<std::size_t> next(levels_.size(), 0);
  for (const auto& [value, sum] : levels_[static_cast<std::size_t>(top_)].grown) {
    for (int level = 1; level <= top_; ++level) {
      const auto& [group, moves, grown] = levels_[static_cast<std::size_t>(level)];
      auto& at = next[static_cast<std::size_t>(level)];
      if (at == grown.size() || grown[at].value != value) continue;
      auto ids = grown[at++].ids;
      if (!moves && ids != 0) change(value, level, group->start, ids);
    }
  }
}

void LevelCounts::finish() {
  if (top_ > 0) {
    for (const auto& grown : levels_[1].grown) changed_.push_back(grown.value);
    write_all();
  }
  if (moved_.empty()) return;
  std::sort(changed_.begin(), changed_.end());
  changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
  int top = new_top();
  for (int level = 1; level <= top; ++level) settle(level);
  for (int level = top + 1; level <= top_; ++level) remove(level);
}

}  // namespace quire::bitmap_index
