// The port to the facets that a page index holds of comments.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bitmap_index/reading/reader.h"
#include "change/target.h"
#include "loop/awaitable.h"
#include "model/schema.h"
#include "quire/result.h"
#include "quire/ulid.h"
#include "word_index/state.h"

namespace quire {

// The values that an index holds of a comment, by facet. A facet without a value is not there.
struct IndexedComment {
  Ulid id;
  std::map<FacetNumber, AttributeValue> values;
  std::string key = {};  // see change::Change::key

  friend bool operator==(const IndexedComment&, const IndexedComment&) = default;
};

// The comment as far as an index of these facets holds it: id, language, rating and attributes.
Comment comment_of(const IndexedComment& indexed, const Schema& schema);

// Which item of a table that others made is a comment.
struct IndexedItem {
  std::string product;
  std::string key;  // see change::Change::key
};

// One state of an index that holds facets, to be asked for any of them. Serves one task at a time.
// Let it go before waiting for other servers: LMDB cannot reuse old pages while it lives.
class FacetView {
 public:
  virtual ~FacetView() = default;

  virtual change::Phase phase() const = 0;
  virtual const Schema& schema() const = 0;  // the facets that the index holds
  // As BitmapView::words(). `building`: there is to be one, and the next build makes it.
  virtual Result<word_index::State> words() { return word_index::State::absent; }
  // The bitmap index of a product, as BitmapView::bitmaps() gives it; here it is never absent. It
  // lives as long as the view.
  virtual Result<std::optional<bitmap_index::Source>> bitmaps(std::string_view product) = 0;
  // The comments of a product, oldest first, strictly after `after`. Fewer than `limit`: no more
  // follow.
  virtual Awaitable<Result<std::vector<IndexedComment>>> comments(std::string_view product,
                                                                  std::optional<Ulid> after,
                                                                  std::size_t limit) = 0;
  // The item of a comment; absent: the index has no such comment, or keeps no keys.
  virtual Result<std::optional<IndexedItem>> item(const Ulid&) {
    return std::optional<IndexedItem>();
  }
  // A hash of the terms of each of these comments of a product, which ascend; 0: the index has none
  // of it. The index keeps what it read for that: see WordSums.
  virtual Awaitable<Result<std::vector<std::uint64_t>>> word_sums(std::string_view,
                                                                  std::span<const Ulid> ids) {
    co_return std::vector<std::uint64_t>(ids.size());
  }
  // How the rows of a product contradict each other, such as a count and the comments that it
  // counts: a sentence each, the first hundred.
  virtual Awaitable<Result<std::vector<std::string>>> flaws(std::string_view product) = 0;
};

}  // namespace quire
