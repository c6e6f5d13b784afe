// The ids that match the terms of all facets but one, block by block: for counts of each facet
// under the others. Each row is read once for all of them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/selection.h"
#include "bitmap_index/reading/sieve.h"

namespace quire::bitmap_index {

// One task at a time. Throws as Reader, which must outlive it.
class Sweep {
 public:
  // `facets`: those that are counted.
  Sweep(Reader& reader, const Selection& selection, std::span<const FacetNumber> facets);

  // Moves to the next block; the first time, to the first one. False: there is none.
  bool next();

  struct Chosen {
    Words words;
    std::size_t count = 0;
  };
  // The ids of the present block that match the terms of all facets but the i-th.
  const Chosen& others(std::size_t i) const;
  // The row of the i-th facet. Absent: no id of the block has a value.
  const std::optional<BlockRow>& row(std::size_t i) const;

 private:
  struct FacetColumn {
    Column column;
    std::vector<Term> terms = {};      // of the facet
    std::optional<BlockRow> row = {};  // read already
    Words words = {};                  // of the ids that the terms select
    Chosen others = {};                // the ids that the terms of the other parts select
  };
  std::size_t column_of(FacetNumber facet);
  void fetch();
  void select(FacetColumn& facet);
  void combine();

  Reader& reader_;
  std::optional<WordColumn> words_;  // absent: the selection has no words
  Rows blocks_;
  std::vector<FacetColumn> columns_;  // one a facet
  std::vector<std::size_t> facets_;   // the columns of the counted facets
  Ulid start_;
  std::size_t ids_ = 0;
  std::optional<Ulid> next_;  // the start of the block after
  Words scratch_;
};

}  // namespace quire::bitmap_index
