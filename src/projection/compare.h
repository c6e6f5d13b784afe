// Compares a page index with another that is known to be right.
#pragma once

#include <string>
#include <vector>

#include "page_index/page_index.h"

namespace quire::projection {

enum class Repairing : bool { no, yes };

// Puts an index right, some comments at a time.
class Repair {
 public:
  static constexpr std::size_t put_at_once = 500;

  // The index must outlive it. Repairing::no: nothing is put.
  Repair(PageIndex& index, Repairing repairing) : index_(index), repairing_(repairing) {}

  bool wanted() const { return repairing_ == Repairing::yes; }
  Awaitable<Status> add(change::Change change);
  Awaitable<Status> end();  // puts the rest

 private:
  PageIndex& index_;
  const Repairing repairing_;
  std::vector<change::Change> changes_ = {};
};

// Compares one product, and gives a sentence for each list that differs: in all lists of language
// and rating, where it holds a thousand ids of each of a hundred lists at a time. Where both hold
// facets: in all facets, see compare_facets(). Repairs what differs while it compares. Repairs
// flaws of the index first; unless it repairs them, it leaves out the lists that they spoil.
Awaitable<Result<std::vector<std::string>>> compare(PageIndex& truth, PageIndex& index,
                                                    std::string product,
                                                    Repairing repairing = Repairing::no);

// Merges two sorted lists of at most `limit` names each. A full list may go on, so the result ends
// at the smaller last name of the full lists.
std::vector<std::string> both(const std::vector<std::string>& a, const std::vector<std::string>& b,
                              std::size_t limit);

// Compares one product: each comment with its values, in the facets that both hold. Repairs what
// differs while it compares. Where both have words, compares those, too, and checks the rows of
// `index` against each other; neither is repaired. Holds a thousand comments of each at a time.
// Both hold facets.
Awaitable<Result<std::vector<std::string>>> compare_facets(PageIndex& truth, PageIndex& index,
                                                           std::string product,
                                                           Repairing repairing);

}  // namespace quire::projection
