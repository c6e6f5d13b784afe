// The library: open a store, ask for pages, write comments.
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
#include "quire/facet.h"
#include "quire/page.h"
#include "quire/result.h"
#include "quire/statistics.h"

namespace quire {

// Every function blocks until it has its answer. All may be called from several threads at once.
// Errors are values; an exception means a damaged store or a broken machine. Results own their
// data.
class Quire {
 public:
  // Opens "lmdb:DIR" to read and write, and makes the directory if it is missing. Cursors are
  // sealed with the keys in DIR/cursor-keys, which is made if it is missing: `quire serve` on the
  // same directory takes these cursors, and gives cursors that this takes. Opens a table by
  // "dynamodb:TABLE?region=R". `pages` then names the page index that numbers its pages, as `quire
  // serve --pages` does: "redis://HOST", "lmdb:DIR", ... Empty: an embedded store numbers its pages
  // itself, and pages of a table have no numbers. "none": pages have no numbers. unavailable:
  // another process writes there, permission is missing, the format is foreign or newer.
  // invalid_parameter: there is no such kind of store.
  //
  // A line of each change and removal, and of each post with a status, is appended to the file
  // `audit_log`, which is made if it is missing; see docs/formats/audit.md. Empty: nothing is
  // recorded. unavailable: the file cannot be opened. While it cannot be written, nothing that has
  // a line is changed: unavailable.
  static Result<Quire> open(const std::string& store, const std::string& pages = {},
                            const std::string& audit_log = {});
  // The same, to read only, beside a process that may write. unavailable: there is no store.
  static Result<Quire> open_to_read(const std::string& store, const std::string& pages = {});

  Quire(Quire&&) noexcept;
  ~Quire();  // waits for writes under way

  // The page that `query` asks for, in its order, at most `query.limit` comments. A product without
  // comments has one empty page. Where a page index beside the store gives no numbers, the page has
  // none and says why. invalid_parameter, invalid_cursor, cursor_mismatch: the error's `parameter`
  // says which. page_out_of_range: `query.page` is beyond the last page, or `query.skip` beyond the
  // last comment. facet_building: a facet that is asked for is not ready. unavailable: a page
  // beyond the first was asked for by number, and there are no numbers.
  Result<Page> page(const Query& query) const;

  // The number of the page of `query` that a comment is on, from 1. Of the query its filter,
  // limit and sort count. not_found: there is no such comment, or the filter
  // excludes it. invalid_parameter. unavailable: pages have no numbers now.
  Result<std::uint64_t> page_of(const Ulid& id, const Query& query = {}) const;

  // The statistics of the comments that the query's filter selects: of the query its product and
  // filter count. A product without comments has zeros. invalid_parameter, facet_building.
  // unavailable: this store does not count comments under this filter.
  Result<ProductStatistics> statistics(const Query& query) const;

  // The ratings of 1 to 100 products, in the order asked for. A product without comments has zeros.
  // invalid_parameter.
  Result<std::vector<ProductRating>> ratings(const std::vector<std::string>& products) const;

  // The best products, at most `limit`, best first, equals in byte order; in one language, or if
  // that is empty, in any. By five_star: the most comments rated 5. By average: the highest
  // adjusted average. invalid_parameter.
  Result<std::vector<ProductRating>> leaderboard(Leaders by, const std::string& language = {},
                                                 std::size_t limit = 10) const;

  // The facets of the store: language and rating first, then the declared ones, oldest first.
  Result<std::vector<FacetStatus>> facets() const;

  // Declares a facet: an attribute to filter, count or, if it is a number, sort by. Where there are
  // comments it is built from then on, and facets() tells how far. invalid_parameter: its name is
  // taken or reserved, or the store has 32 already. unavailable: this store keeps no more facets.
  Status declare(const Facet& facet);
  // Drops a declared facet. The attributes of comments stay. not_found, unavailable.
  Status drop(const std::string& name);

  // Writes a consistent copy of the store into `directory`, which is empty or made. Reading and
  // writing go on meanwhile. unavailable: the directory is not empty, or cannot be written; then
  // nothing of the copy is left. damaged: pages of the store are; the copy is there, and the
  // message says what it lacks.
  Status backup(const std::string& directory) const;

  // not_found: there is no such comment.
  Result<Comment> get(const Ulid& id) const;

  // Adds a comment; it is on disk when this returns. With a `key`, the same draft under the same
  // key within 24 hours gives the first comment again, and another draft idempotency_conflict.
  // invalid_comment: names every field at fault, among them a time more than five minutes from now.
  // unavailable: the disk is full, or too many writes are waiting; nothing was added.
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
