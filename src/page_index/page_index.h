// The ports to a page index, which is kept beside the store and follows the store's stream, and to
// the ranks that it tells.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "change/target.h"
#include "loop/awaitable.h"
#include "model/entry.h"
#include "model/facets.h"
#include "quire/result.h"
#include "quire/ulid.h"
#include "word_index/state.h"

namespace quire {

// At most `count` ids of a list, beginning at rank `from`.
struct RankRange {
  Cell list;
  std::uint64_t from;
  std::size_t count;
};

// The port for questions by rank: each list is an ordered set of ids. Ranks count from 0, oldest
// first, whatever the order of the page. The lists of a product that the index does not know are
// empty. Each function takes one round to the index, however much it asks for. Serves one task at a
// time. Error: unavailable, the index does not answer now.
class Ranks {
 public:
  virtual ~Ranks() = default;

  // Per list, how many ids it has.
  virtual Awaitable<Result<std::vector<std::uint64_t>>> lengths(std::string_view product,
                                                                std::span<const Cell> lists) = 0;
  // Per range, its ids, oldest first: fewer or none where it goes past the end of its list.
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

class FacetView;  // see facet_view.h

// How the index of words stands. `building`: there is to be one, and a build has not made it yet.
struct IndexedWords {
  word_index::State state = word_index::State::absent;
  std::uint64_t bytes = 0;  // of its pages
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
  virtual Result<std::unique_ptr<FacetView>> facet_view();

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
    co_return Error{ErrorCode::unavailable,
                    "This page index keeps no facets. Use --pages lmdb:DIR."};
  }
  // The words of comments, which an index keeps if it was told to before its build began. The
  // default keeps none.
  virtual Awaitable<Result<IndexedWords>> words() { co_return IndexedWords(); }
  // From the next build on it keeps them.
  virtual Awaitable<Status> want_words() { co_return keeps_no_words(); }
  // At once it has none any more. not_found: it was told to keep none.
  virtual Awaitable<Status> drop_words() { co_return keeps_no_words(); }

  // How what the index counts ahead of a product contradicts its lists: a sentence each, the first
  // few. put() with a change of the product puts that right. The default keeps nothing ahead.
  virtual Awaitable<Result<std::vector<std::string>>> flaws(std::string product);

  // Applies changes that belong to no shard, of each product all or nothing: for repairs, and for a
  // caller that keeps the marks of the stream itself. Applying them again is harmless.
  virtual Awaitable<Status> put(std::vector<change::Change> changes) = 0;

 private:
  static Error keeps_no_words() {
    return {ErrorCode::unavailable, "This page index keeps no words. Use --pages lmdb:DIR."};
  }
};

}  // namespace quire
