// Compares a page index with another that is known to be right.
#pragma once

#include <string>
#include <vector>

#include "page_index/page_index.h"

namespace quire::projection {

struct Differences {
  std::vector<std::string> sentences;  // a list each
  std::vector<change::Change> mend;    // for PageIndex::put
};

// Of one product. Holds a thousand ids of each of a hundred lists at a time.
Awaitable<Result<Differences>> compare(PageIndex& truth, PageIndex& index, std::string product);

// Two pieces of the same order, of at most `limit` names each, as one: as far as both reach.
std::vector<std::string> both(const std::vector<std::string>& a, const std::vector<std::string>& b,
                              std::size_t limit);

}  // namespace quire::projection
