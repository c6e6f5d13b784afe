// The ids of a product that match a selection, in the order of a sort.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "bitmap_index/reading/kept_totals.h"
#include "bitmap_index/reading/reader.h"
#include "bitmap_index/reading/selection.h"
#include "loop/awaitable.h"
#include "model/entry.h"
#include "quire/page.h"

namespace quire::bitmap_index {

// What is asked for: a selection and a sort.
struct Question {
  Selection selection;
  Sort sort = Sort::newest;
  FacetNumber sort_by = no_facet;           // with Sort::highest and lowest, a number facet
  std::optional<std::uint64_t> total = {};  // how many match, where that is known
};

// One task at a time. Long work gives the other coroutines of the loop their turn. Throws as
// Reader, which must outlive it.
class Matches {
 public:
  Matches(Reader& reader, Question question, Keeping keeping);
  ~Matches();

  Awaitable<std::uint64_t> total();
  // The n-th match in the order of the sort, counted from 0. Absent: there are fewer.
  Awaitable<std::optional<Position>> nth(std::uint64_t n);
  // How many matches come before the position in the order of the sort, which need not be one of a
  // match. A match at the position does not count.
  Awaitable<std::uint64_t> rank(const Position& position);
  // At most `limit` matches strictly beyond `from`, in the order of the sort, or with `backward`
  // against it. Absent: from the beginning, or backward from the end.
  Awaitable<std::vector<Position>> read(std::optional<Position> from, bool backward,
                                        std::size_t limit);
  // At most `limit` matches in the order of the sort; the n-th is the first of them.
  Awaitable<std::vector<Position>> read_from(std::uint64_t n, std::size_t limit);

  const Work& work() const;  // of all answers so far

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace quire::bitmap_index
