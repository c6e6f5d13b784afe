// The library's front door: open a store, ask for pages, write comments.
//
//   auto quire = quire::Quire::open("lmdb:./quire-data").value();
//   auto page = quire.page({.product = "42", .ratings = {4, 5}}).value();
//   for (const auto& comment : page.comments) std::cout << comment.title << '\n';
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quire/comment.h"
#include "quire/page.h"
#include "quire/result.h"
#include "quire/statistics.h"

namespace quire {

// Every function blocks until it has its answer, and may be called from any thread at once. Errors
// are values; exceptions mean a damaged store or a broken machine. Results own what they hold.
class Quire {
 public:
  // Opens "lmdb:DIR" to read and write; the directory is made if it is missing. Cursors are sealed
  // with the keys in DIR/cursor-keys, made if missing, so they are good for `quire serve` on the
  // same directory, and the other way round. unavailable: another process writes there, no
  // permission, a foreign or newer format. invalid_parameter: no such kind of store.
  // Or a table, "dynamodb:TABLE?region=R"; then `pages` names the page index that numbers its
  // pages: "redis://HOST", "lmdb:DIR", ... as `quire serve --pages` takes it. Empty: an embedded
  // store numbers its own pages, on a table they have no numbers; "none": they have none.
  static Result<Quire> open(const std::string& store, const std::string& pages = {});
  // The same, to read only: beside a process that writes. unavailable if there is no store.
  static Result<Quire> open_to_read(const std::string& store, const std::string& pages = {});

  Quire(Quire&&) noexcept;
  ~Quire();  // waits for writes under way

  // The page that `query` asks for, in its order, at most `query.limit` comments. A product without
  // comments has one empty page. invalid_parameter, invalid_cursor, cursor_mismatch: the error's
  // `parameter` says which. page_out_of_range: `query.page` is beyond the last. Where a page index
  // beside the store gives no numbers, the page has none and says why; unavailable, if it was asked
  // for by a number beyond 1.
  Result<Page> page(const Query& query) const;

  // The number of the page of `query` on which a comment stands, from 1; of the query only
  // languages, ratings, limit and sort count. not_found: there is no such comment, or the filter
  // excludes it. invalid_parameter. unavailable: pages have no numbers now.
  Result<std::uint64_t> page_of(const Ulid& id, const Query& query = {}) const;

  // What the comments of a product say together, in these languages; none: in any. A product
  // without comments has zeros. invalid_parameter.
  Result<ProductStatistics> statistics(const std::string& product,
                                       const std::vector<std::string>& languages = {}) const;

  // The best products, at most `limit`, best first, equals in byte order; in one language, or with
  // an empty one in any. By five_star those with the most 5-rated comments; by average those with
  // the highest adjusted average. invalid_parameter.
  Result<std::vector<ProductRating>> leaderboard(Leaders by, const std::string& language = {},
                                                 std::size_t limit = 10) const;

  // Writes a consistent copy of the store into `directory`, which is made, or empty. Others may
  // read and write meanwhile. unavailable: the directory is not empty, or cannot be written; then
  // nothing of the copy is left.
  Status backup(const std::string& directory) const;

  // not_found if there is none.
  Result<Comment> get(const Ulid& id) const;

  // Adds a comment; it is on disk when this returns. With a `key`, the same draft under the same
  // key within 24 hours gives the first comment again, and another draft idempotency_conflict.
  // invalid_comment names every field at fault; a time later than five minutes from now is one.
  // unavailable: the disk is full or too many writes are waiting; nothing was added.
  Result<Comment> post(const Draft& draft, const std::optional<std::string>& key = {});

  // Changes the fields the patch has; the comment keeps its id and time. On disk when this returns.
  // not_found, invalid_comment, unavailable.
  Result<Comment> patch(const Ulid& id, const Patch& patch);

  // Removes the comment. On disk when this returns. not_found, unavailable.
  Status remove(const Ulid& id);

 private:
  struct Parts;
  explicit Quire(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace quire
