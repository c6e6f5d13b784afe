#include "service/pagination.h"

#include <algorithm>

namespace quire {

namespace {

Error mismatch(std::string parameter) {
  return {ErrorCode::cursor_mismatch,
          "This cursor belongs to another product, filter or sort. Start that one from its first "
          "page; only limit may change between pages.",
          std::move(parameter)};
}

Error by_cursor(Error error) {
  error.message += " Use after and before.";
  error.parameter = "page";
  return error;
}

Error out_of_range(std::uint64_t count, std::size_t limit) {
  return {ErrorCode::page_out_of_range,
          (count == 1 ? std::string("There is 1 page")
                      : "There are " + std::to_string(count) + " pages") +
              " of " + std::to_string(limit) + " under this filter.",
          "page"};
}

// A listing without comments has one page.
std::uint64_t pages(std::uint64_t total, std::size_t limit) {
  return std::max<std::uint64_t>(1, (total + limit - 1) / limit);
}

// The filter need not be the cursor's: fingerprints of 32 bits can be forged.
bool selects(const Filter& filter, FacetValue rating) {
  const auto& ratings = filter.values[rating_facet];
  if (ratings.empty()) return rating <= facets[rating_facet].domain;
  return std::binary_search(ratings.begin(), ratings.end(), rating);
}

}  // namespace

bool by_rating(Sort sort) {
  return sort == Sort::highest || sort == Sort::lowest;
}

Result<std::optional<PageCursor>> cursor_of(const Query& query, const Filter& filter,
                                            std::uint32_t fingerprint, const Seal& seal) {
  if (!query.after && !query.before) return std::optional<PageCursor>();
  auto cursor = seal.open(query.before ? *query.before : *query.after);
  std::string parameter = query.before ? "before" : "after";
  if (!cursor) return Error{ErrorCode::invalid_cursor, cursor.error().message, parameter};
  if (cursor->fingerprint != fingerprint || cursor->sort != query.sort) return mismatch(parameter);
  if (by_rating(query.sort) != (cursor->position.value != any)) {
    return Error{ErrorCode::invalid_cursor, "This cursor holds no position in this sort.",
                 parameter};
  }
  if (cursor->backward != query.before.has_value()) {
    return Error{ErrorCode::cursor_mismatch,
                 "Pass page.next as after, and page.previous as before.", parameter};
  }
  if (by_rating(query.sort) && !selects(filter, cursor->position.value)) return mismatch(parameter);
  return std::optional(*cursor);
}

Awaitable<Result<Position>> position_of(std::uint64_t page, Listing& listing, std::size_t limit) {
  auto first = std::min(page - 1, listing.total()) * limit;
  auto position = co_await listing.at(first);
  if (!position) co_return position.error();
  if (*position) co_return **position;
  const Numbers& numbers = listing.numbers();
  if (numbers.kind == Numbers::Kind::none) co_return by_cursor(unnumbered(numbers));
  co_return out_of_range(pages(listing.total(), limit), limit);
}

PageNumber number_at(std::uint64_t rank, std::uint64_t total, std::size_t limit) {
  auto count = pages(total, limit);
  return {std::min(count, rank / limit + 1), count, rank % limit == 0};
}

Error unnumbered(const Numbers& numbers) {
  if (numbers.missing.empty()) {
    return {ErrorCode::unavailable, "Pages have no numbers here: there is no page index."};
  }
  return {ErrorCode::unavailable, "Page numbers are missing. " + numbers.missing};
}

Awaitable<Status> add_number(FoundPage& page, Listing& listing, const Rows& rows, std::size_t limit,
                             Links links) {
  page.total = listing.total();
  auto rank = co_await listing.rank(rows.first);
  if (!rank) co_return rank.error();
  bool joins = true;
  if (*rank && links == Links::by_number && rows.next && rows.comments() > 0) {
    auto last = co_await listing.rank(rows.next);
    joins = last && *last && **last + 1 == **rank + rows.comments();
  }
  const Numbers& numbers = listing.numbers();
  page.numbers_missing = numbers.missing;
  if (numbers.kind == Numbers::Kind::none) co_return Done{};
  // An index beside the store may be a little behind the comments: then there are as many, at
  // least, as the page shows that there are.
  auto before = std::max<std::uint64_t>(**rank, page.previous.has_value());
  page.total = std::max(page.total, before + rows.entries.size() + page.next.has_value());
  page.number = number_at(before, page.total, limit);
  page.number->joins = joins;
  co_return Done{};
}

}  // namespace quire
