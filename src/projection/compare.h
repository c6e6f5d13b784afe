// Compares a page index with another that is known to be right.
#pragma once

#include <string>
#include <vector>

#include "page_index/page_index.h"

namespace quire::projection {

struct Differences {
  std::vector<std::string> sentences;  // a list each
  std::vector<change::Change> repair;  // for PageIndex::put
};

// Of one product: all lists of language and rating, and holds a thousand ids of each of a hundred
// lists at a time. Where both hold facets: all facets, see compare_facets().
Awaitable<Result<Differences>> compare(PageIndex& truth, PageIndex& index, std::string product);

// Merges two sorted lists of at most `limit` names each. A full list may go on, so the result ends
// at the smaller last name of the full lists.
std::vector<std::string> both(const std::vector<std::string>& a, const std::vector<std::string>& b,
                              std::size_t limit);

}  // namespace quire::projection
