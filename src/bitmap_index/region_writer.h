// Writes the rows of regions: ids, sizes of blocks, and the row of each facet in each block.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bitmap_index/edit.h"
#include "bitmap_index/level_counts.h"
#include "bitmap_index/region.h"
#include "bitmap_index/row_builder.h"

namespace quire::bitmap_index {

// A product within a write transaction, and a cursor of each database.
struct Target {
  const Databases& db;
  lmdb::WriteTransaction& txn;
  std::span<const FacetNumber> ignored;  // facets whose rows are left alone
  Product product;
  lmdb::Cursor &ids, &counts, &blocks;
};

// A value that a changed id had before.
struct OldValue {
  Code code;
  std::uint32_t position;
  std::uint64_t rest;
};

// Memory that is kept from one region to the next.
struct WriterScratch {
  RowBuilder builder;
  TextRows texts;
  std::vector<std::size_t> next;                // of each placed id, the value to go on with
  std::vector<std::optional<BlockRow>> before;  // rows of a facet, one an old block
  std::vector<std::string> copies;
  std::vector<FacetNumber> different;
  std::vector<OldValue> dropped;
  std::vector<Add> adds;
};

class RegionWriter {
 public:
  RegionWriter(const Target& target, LevelCounts& levels, WriterScratch& scratch)
      : to_(target), levels_(levels), scratch_(scratch) {}

  void write(const Region& region);

 private:
  void write_ids(const Region& region);
  void write_sizes(const Region& region);
  void write_facets(const Region& region);
  bool find_different(const Region& region);
  void write_facet(const Region& region, FacetNumber facet, bool stored);
  std::optional<FacetNumber> stored_facet(const Ulid& start, std::uint32_t from);
  std::optional<FacetNumber> given_facet(const Region& region) const;

  void read_rows(const Region& region, FacetNumber facet);
  void copy_rows();
  void find_dropped(const Region& region);
  void find_adds(const Region& region, FacetNumber facet, std::size_t begin, std::size_t end);
  bool is_unchanged(const Region& region) const;
  void count(FacetNumber facet);
  void put_row(const Region& region, FacetNumber facet, std::size_t block, std::span<char> row);

  Target to_;
  LevelCounts& levels_;
  WriterScratch& scratch_;
  bool appends_ = false;  // rows of the region come behind all others
};

}  // namespace quire::bitmap_index
