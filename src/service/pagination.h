// Between pages and positions: a cursor or a page number becomes a position in a listing, and a
// rank becomes a page number.
#pragma once

#include "cursor/cursor.h"
#include "service/comments.h"

namespace quire {

bool by_rating(Sort sort);

// The query's cursor, if it has one. invalid_cursor; cursor_mismatch: the cursor was made for
// another product, filter, sort or direction.
Result<std::optional<PageCursor>> cursor_of(const Query& query, const Filter& filter,
                                            std::uint32_t fingerprint, const Seal& seal);

// The position at which the page of this number begins, from 2. Errors: page_out_of_range;
// unavailable, the listing has no numbers.
Awaitable<Result<Position>> position_of(std::uint64_t page, Listing& listing, std::size_t limit);

// Gives `page` its total, and the number that the rank of its first comment tells. `page` has its
// cursors already.
Awaitable<Status> add_number(FoundPage& page, Listing& listing, const Rows& rows, std::size_t limit,
                             Links links);

// Of the page on which the comment with this rank stands.
PageNumber number_at(std::uint64_t rank, std::uint64_t total, std::size_t limit);

// The answer where a number is asked for, and there are none.
Error unnumbered(const Numbers& numbers);

}  // namespace quire
