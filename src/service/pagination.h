// Between pages and positions: a cursor or a page number becomes a position in a listing, and a
// rank becomes a page number.
#pragma once

#include <memory>

#include "cursor/cursor.h"
#include "service/comments.h"

namespace quire {

// What a query asks for, in the terms of its store.
struct BoundQuery {
  std::shared_ptr<const Schema> schema;
  Filter filter;
  SortBy sort;
  std::uint32_t fingerprint;  // of filter and sort
};

// invalid_parameter, facet_building: see make_filter() and sort_facet(). Where the facets of the
// store cannot be read, a query that needs language and rating alone goes on with these.
Awaitable<Result<BoundQuery>> bound_query(View& view, const Query& query);

// A cursor that a client sends, and what it must have been made for.
struct SentCursor {
  const std::optional<std::string>& after;
  const std::optional<std::string>& before;  // at most one of them
  Sort sort;
  std::uint32_t fingerprint;
};
// Absent: none is sent. invalid_cursor; cursor_mismatch, as below.
Result<std::optional<PageCursor>> opened_cursor(const Seal& seal, const SentCursor& sent);

// The query's cursor, if it has one. invalid_cursor; cursor_mismatch: the cursor was made for
// another product, filter, sort or direction.
Result<std::optional<PageCursor>> cursor_of(const Query& query, const BoundQuery& question,
                                            const Seal& seal);

// The position at which the page begins that the query asks for by number or by skip. Errors:
// page_out_of_range; unavailable, the listing has no numbers.
Awaitable<Result<Position>> position_of(const Query& query, Listing& listing);

// Gives `page` its total, and the number that the rank of its first comment tells. `page` has its
// cursors already.
Awaitable<Status> add_number(FoundPage& page, Listing& listing, const Rows& rows, std::size_t limit,
                             Links links);

// Gives `page` the counts of the facets that are ready.
Awaitable<Status> add_counts(FoundPage& page, Listing& listing, const Schema& schema);

// The number of the page on which the comment with this rank stands.
PageNumber number_at(std::uint64_t rank, std::uint64_t total, std::size_t limit);

// The answer where a number is asked for, and there are none.
Error unnumbered(const Numbers& numbers);

}  // namespace quire
