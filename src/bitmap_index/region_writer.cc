#include "bitmap_index/region_writer.h"

#include <algorithm>
#include <tuple>

namespace quire::bitmap_index {

void RegionWriter::write(const Region& region) {
  if (region.placed.empty() && region.dropped.empty()) return;
  levels_.enter(region.before.front().start);
  if (!region.same_ids()) {
    write_ids(region);
    write_sizes(region);
  }
  write_facets(region);
}

void RegionWriter::write_ids(const Region& region) {
  auto key = ids_key(to_.product);
  for (const Ulid* id : region.erased) {
    if (to_.ids.seek(key, id->view(), MDB_GET_BOTH)) to_.ids.remove();
  }
  for (std::size_t i = 0; i < region.inserted.size(); ++i) {
    bool newest = i + region.newest >= region.inserted.size();
    to_.ids.put(key, region.inserted[i]->view(), newest ? MDB_APPENDDUP : 0);
  }
}

void RegionWriter::write_sizes(const Region& region) {
  auto put = [&](const Ulid& start, std::uint32_t ids) {
    put_count(to_.db, to_.counts, count_key(to_.product, every_id, 0, 0, start), ids, false);
  };
  for (std::size_t i = 1; i < region.before.size(); ++i) put(region.before[i].start, 0);
  for (const auto& block : region.after) {
    bool same = block.start == region.before[0].start && block.ids == region.before[0].ids;
    if (!same) put(block.start, block.ids);
  }
  auto inserted = static_cast<std::int64_t>(region.inserted.size());
  levels_.add(every_id, 0, inserted - static_cast<std::int64_t>(region.erased.size()));
}

// Goes through the facets that have rows in the region or values of changed ids.
void RegionWriter::write_facets(const Region& region) {
  scratch_.next.assign(region.placed.size(), 0);
  appends_ = false;
  if (find_different(region)) {
    for (auto facet : scratch_.different)
      write_facet(region, facet, stored_facet(region.before.front().start, facet) == facet);
    return;
  }
  const auto& start = region.before.front().start;
  appends_ = region.before.size() == 1 && region.before[0].ids == 0 &&
             (!to_.blocks.move(MDB_LAST) ||
              to_.blocks.key() < std::string_view(block_key(to_.product, 0, {})));
  for (std::uint32_t from = 0; from < every_id;) {
    auto stored = appends_ ? std::nullopt : stored_facet(start, from);
    auto given = given_facet(region);
    if (!stored && !given) break;
    auto facet = std::min(stored.value_or(every_id), given.value_or(every_id));
    write_facet(region, facet, facet == stored);
    from = facet + 1u;
  }
}

// The facets that differ, if all changes name them. Ids that come or go move those of all facets.
bool RegionWriter::find_different(const Region& region) {
  auto& different = scratch_.different;
  different.clear();
  if (!region.same_ids()) return false;
  for (const auto& placed : region.placed) {
    if (placed.change->differs.empty()) return false;
    different.insert(different.end(), placed.change->differs.begin(), placed.change->differs.end());
  }
  std::sort(different.begin(), different.end());
  different.erase(std::unique(different.begin(), different.end()), different.end());
  return true;
}

// The first facet from `from` on that has a row in or behind the region. It leaves the cursor at
// such a row: at that of the first block, if there is one.
std::optional<FacetNumber> RegionWriter::stored_facet(const Ulid& start, std::uint32_t from) {
  auto key = block_key(to_.product, static_cast<FacetNumber>(from), start);
  bool there = to_.blocks.seek(key, MDB_SET_RANGE);
  if (!there || !same_product(to_.blocks.key(), key)) return {};
  return facet_of(to_.blocks.key());
}

std::optional<FacetNumber> RegionWriter::given_facet(const Region& region) const {
  std::optional<FacetNumber> least;
  for (std::size_t i = 0; i < region.placed.size(); ++i) {
    const auto& values = *region.placed[i].change->values;
    if (scratch_.next[i] == values.size()) continue;
    auto facet = values[scratch_.next[i]].facet;
    if (!least || facet < *least) least = facet;
  }
  return least;
}

void RegionWriter::write_facet(const Region& region, FacetNumber facet, bool stored) {
  scratch_.before.assign(region.before.size(), std::nullopt);
  if (stored && !contains(to_.ignored, facet)) read_rows(region, facet);
  find_dropped(region);
  auto& builder = scratch_.builder;
  std::size_t runs = 0, placed = 0;
  if (region.after.size() > 1) copy_rows();
  for (std::size_t i = 0; i < region.after.size(); ++i) {
    const auto& block = region.after[i];
    find_adds(region, facet, placed, block.placed_end);
    placed = block.placed_end;
    if (contains(to_.ignored, facet)) continue;
    if (region.same_ids() && is_unchanged(region)) return;
    auto row = builder.build(block.ids, std::span(region.runs).subspan(runs, block.runs_end - runs),
                             scratch_.before, scratch_.adds);
    runs = block.runs_end;
    put_row(region, facet, i, row);
    count(facet);
  }
  for (std::size_t i = 1; i < region.before.size(); ++i) {
    if (scratch_.before[i])
      to_.txn.remove(to_.db.blocks, block_key(to_.product, facet, region.before[i].start));
  }
}

void RegionWriter::read_rows(const Region& region, FacetNumber facet) {
  for (std::size_t i = 0; i < region.before.size(); ++i) {
    auto key = block_key(to_.product, facet, region.before[i].start);
    bool at_row = i == 0 && to_.blocks.key() == std::string_view(key);
    if (!at_row && !to_.blocks.seek(key, MDB_SET_KEY)) continue;
    auto bytes = lmdb::unsealed(to_.db.blocks.seed, key, to_.blocks.value());
    if (!bytes) throw lmdb::Damaged("a row of index_blocks is damaged: run quire verify");
    scratch_.before[i].emplace(*bytes);
    if (scratch_.before[i]->ids() != region.before[i].ids)
      throw lmdb::Damaged("index_blocks and index_counts contradict each other: run quire verify");
  }
}

// LMDB may change the pages in which the rows lie when the first new row is written.
void RegionWriter::copy_rows() {
  scratch_.copies.clear();
  scratch_.copies.reserve(scratch_.before.size());
  for (auto& row : scratch_.before) {
    if (row) row.emplace(scratch_.copies.emplace_back(row->bytes()));
  }
}

void RegionWriter::find_dropped(const Region& region) {
  scratch_.dropped.clear();
  for (const auto& [block, position] : region.dropped) {
    const auto& row = scratch_.before[block];
    for (std::size_t entry = 0; row && entry < row->entries(); ++entry) {
      if (!row->has(entry, position)) continue;
      std::uint64_t rest = 0;
      if (row->rest_bytes(entry) > 0) rest = row->rest(entry, row->rank(entry, position));
      scratch_.dropped.push_back({row->code(entry), position, rest});
    }
  }
}

// The values of the facet that the placed ids from `begin` to `end` have.
void RegionWriter::find_adds(const Region& region, FacetNumber facet, std::size_t begin,
                             std::size_t end) {
  scratch_.adds.clear();
  for (auto i = begin; i < end; ++i) {
    const auto& values = *region.placed[i].change->values;
    auto& next = scratch_.next[i];
    while (next < values.size() && values[next].facet < facet) ++next;
    for (; next < values.size() && values[next].facet == facet; ++next)
      scratch_.adds.push_back({values[next].code, region.placed[i].position, &values[next]});
  }
  std::sort(scratch_.adds.begin(), scratch_.adds.end(), [](const Add& a, const Add& b) {
    return std::tie(a.code, a.position) < std::tie(b.code, b.position);
  });
}

// Whether the changed ids of the only block have the values that they had.
bool RegionWriter::is_unchanged(const Region& region) const {
  if (region.dropped.empty()) return true;
  auto& dropped = scratch_.dropped;
  std::sort(dropped.begin(), dropped.end(), [](const OldValue& a, const OldValue& b) {
    return std::tie(a.code, a.position) < std::tie(b.code, b.position);
  });
  return std::equal(dropped.begin(), dropped.end(), scratch_.adds.begin(), scratch_.adds.end(),
                    [](const OldValue& old, const Add& add) {
                      return old.code == add.code && old.position == add.position &&
                             old.rest == add.value->rest;
                    });
}

void RegionWriter::count(FacetNumber facet) {
  const auto& adds = scratch_.adds;
  for (std::size_t i = 0; i < adds.size();) {
    auto first = i;
    while (i < adds.size() && adds[i].code == adds[first].code) ++i;
    levels_.add(facet, adds[first].code, static_cast<std::int64_t>(i - first));
  }
  for (const auto& dropped : scratch_.dropped) levels_.add(facet, dropped.code, -1);
  scratch_.dropped.clear();
}

void RegionWriter::put_row(const Region& region, FacetNumber facet, std::size_t block,
                           std::span<char> row) {
  const auto& before = scratch_.before.front();
  const auto& start = region.after[block].start;
  auto key = block_key(to_.product, facet, start);
  bool there = block == 0 && before,
       at_row = there && region.before.size() == 1 && region.after.size() == 1;
  if (row.empty()) {
    if (there) to_.txn.remove(to_.db.blocks, key);
    return;
  }
  std::string_view value(row.data(), row.size() - lmdb::seal_size);
  if (there && value == before->bytes()) return;
  for (const Add* add : scratch_.builder.fresh()) scratch_.texts.keep(to_.db, to_.txn, *add->value);
  lmdb::write_seal(row.data(), value.size(), to_.db.blocks.seed, key);
  unsigned flags = at_row ? MDB_CURRENT : appends_ ? MDB_APPEND : 0;
  to_.blocks.put(key, {row.data(), row.size()}, flags);
}

}  // namespace quire::bitmap_index
