// The port to a page index that is kept beside the store, and follows the stream of the store.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "change/target.h"
#include "page_index/ranks.h"

namespace quire {

// Thread-safe. A comment is in all four lists of its cell, or in no list. A change removes the
// comment from the lists of `from`, and adds it to the lists of `to`.
class PageIndex : public change::Target {
 public:
  // Answers questions by rank for one request. The index must outlive it.
  virtual std::unique_ptr<Ranks> ranks() = 0;

  // The products that have comments in the index, in byte order, strictly after `after`.
  virtual Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                               std::size_t limit) = 0;
  // The languages of the comments that the index has of a product.
  virtual Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) = 0;

  // Applies changes that belong to no shard, all or nothing: for repairs, and for a caller that
  // keeps the marks of the stream itself. Applying the same changes again is harmless.
  virtual Awaitable<Status> put(std::vector<change::Change> changes) = 0;
};

}  // namespace quire
