// The port of a page index that is kept beside the store, and follows it by its stream.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "change/target.h"
#include "page_index/ranks.h"

namespace quire {

// Thread-safe. A comment is in the four lists of its cell, or in none; the lists a change takes it
// out of are those of `from`, those it puts it in are those of `to`.
class PageIndex : public change::Target {
 public:
  // For one request; the index must outlive it.
  virtual std::unique_ptr<Ranks> ranks() = 0;

  // Products that have comments in it, in byte order, strictly after `after`.
  virtual Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                               std::size_t limit) = 0;
  // The languages it has comments of a product in.
  virtual Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) = 0;

  // Applies changes outside of any shard, all or nothing: to mend what was found wrong, or where
  // someone else keeps the place in the stream. The same changes may come again.
  virtual Awaitable<Status> put(std::vector<change::Change> changes) = 0;
};

}  // namespace quire
