// The ports to a page index, which is kept beside the store and follows the store's stream, and to
// the ranks that it tells.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bitmap_index/reading/reader.h"
#include "change/target.h"
#include "loop/awaitable.h"
#include "model/entry.h"
#include "model/facets.h"
#include "quire/result.h"
#include "quire/ulid.h"

namespace quire {

// At most `count` ids of a list, beginning at rank `from`.
struct RankRange {
  Cell list;
  std::uint64_t from;
  std::size_t count;
};

// The port for questions by rank: each list is an ordered set of ids. Ranks count from 0, oldest
// first, whatever the order of the page. Each function takes one round to the index, however much
// it asks for. Serves one task at a time. Error: unavailable, the index does not answer now.
class Ranks {
 public:
  virtual ~Ranks() = default;

  virtual Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                                std::span<const Cell> lists) = 0;
  virtual Awaitable<Result<std::vector<std::vector<Ulid>>>> slices(
      std::string_view product, std::span<const RankRange> ranges) = 0;
  // Per list, how many ids are older than `id`; no list needs to hold `id`.
  virtual Awaitable<Result<std::vector<std::uint64_t>>> ranks(std::string_view product,
                                                              std::span<const Cell> lists,
                                                              const Ulid& id) = 0;
  // The n-th id, oldest first, of the union of disjoint lists: all pairs of some languages and some
  // ratings, each of which may be `any`. `length`: of the union, as the index told just now; n is
  // less. unavailable: the lists change too fast to find the id.
  virtual Awaitable<Result<Ulid>> nth_of_union(std::string_view product,
                                               std::span<const Cell> lists, std::uint64_t length,
                                               std::uint64_t n) = 0;
};

// The error when the lists changed between two questions, so that the answers do not fit together.
Error changes_too_fast();

// What answers say of an index that fails. Its own words may name machines and directories.
inline constexpr const char* index_is_down = "The page index cannot be asked now.";
inline constexpr const char* index_fails_for_product =
    "The page index cannot answer for this product now.";

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
  // How the rows of a product contradict each other, such as a count and the comments that it
  // counts: a sentence each, the first hundred.
  virtual Awaitable<Result<std::vector<std::string>>> flaws(std::string_view product) = 0;
};

// Gives the facets to declare from those that are declared and those that the index holds. An error
// leaves all as it is.
using Redeclare = std::function<Result<Schema>(const Schema& declared, const Schema& held)>;

// Thread-safe. A comment is in all four lists of its cell, or in no list. A change removes the
// comment from the lists of `from`, and adds it to the lists of `to`.
class PageIndex : public change::Target {
 public:
  // Answers questions by rank for one request. The index must outlive it.
  virtual std::unique_ptr<Ranks> ranks() = 0;

  // A state of the index; the index must outlive it. Null: the index numbers lists of language and
  // rating alone, see Target::holds_facets(). unavailable.
  virtual Result<std::unique_ptr<FacetView>> facet_view() { return std::unique_ptr<FacetView>(); }

  // The products that have comments in the index, in byte order, strictly after `after`.
  virtual Awaitable<Result<std::vector<std::string>>> products(std::string after,
                                                               std::size_t limit) = 0;
  // The languages of the comments that the index has of a product.
  virtual Awaitable<Result<std::vector<FacetValue>>> languages(std::string product) = 0;

  // The facets declared for a table that others made, which cannot keep them itself. A build that
  // begins takes them over into the schema.
  virtual Awaitable<Result<Schema>> declared() { co_return Schema(); }
  // Nobody else declares between what `change` is given and what it gives. It may run on a thread
  // of the index.
  virtual Awaitable<Status> declare(Redeclare) {
    co_return Error{ErrorCode::unavailable, "This page index keeps no facets."};
  }
  // How what the index counts ahead of a product contradicts its lists: a sentence each, the first
  // few. put() with a change of the product puts that right. The default keeps nothing ahead.
  virtual Awaitable<Result<std::vector<std::string>>> flaws(std::string product);

  // Applies changes that belong to no shard, of each product all or nothing: for repairs, and for a
  // caller that keeps the marks of the stream itself. Applying them again is harmless.
  virtual Awaitable<Status> put(std::vector<change::Change> changes) = 0;
};

}  // namespace quire
