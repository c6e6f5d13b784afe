#include "service/pagination.h"

#include <algorithm>

#include "base/text.h"
#include "base/try.h"

namespace quire {

namespace {

Error mismatch(std::string parameter) {
  return {ErrorCode::cursor_mismatch,
          "This cursor belongs to another product, filter or sort. Start that one from its first "
          "page; only limit may change between pages.",
          std::move(parameter)};
}

Error by_cursor(Error error, const Query& query) {
  error.message += " Use after and before.";
  error.parameter = query.skip ? "skip" : "page";
  return error;
}

// A listing without comments has one page.
std::uint64_t pages(std::uint64_t total, std::size_t limit) {
  return std::max<std::uint64_t>(1, (total + limit - 1) / limit);
}

Error out_of_range(const Query& query, std::uint64_t total) {
  auto there_are = [](std::uint64_t count, std::string_view noun) {
    return (count == 1 ? "There is " : "There are ") + counted(count, noun) + " under this filter";
  };
  if (query.skip) return {ErrorCode::page_out_of_range, there_are(total, "comment") + ".", "skip"};
  return {ErrorCode::page_out_of_range,
          there_are(pages(total, query.limit), "page") + ", at " + counted(query.limit, "comment") +
              " a page.",
          "page"};
}

// Whether a position with this value can lie in the listing. The filter need not be the cursor's:
// fingerprints of 32 bits can be forged.
bool holds(const BoundQuery& question, const std::optional<std::int64_t>& value) {
  if (!question.sort.by_value()) return !value;
  return question.sort.by != rating_number || value;
}

bool selects(const BoundQuery& question, const std::optional<std::int64_t>& value) {
  if (!question.sort.by_value() || question.sort.by != rating_number) return true;
  const auto& ratings = question.filter.values[rating_facet];
  auto rating = static_cast<FacetValue>(*value);
  if (ratings.empty()) return 1 <= *value && *value <= 5;
  return std::binary_search(ratings.begin(), ratings.end(), rating);
}

Result<BoundQuery> bound_query(const Query& query, std::shared_ptr<const Schema> schema) {
  TRY(auto filter, make_filter(query, *schema));
  TRY(auto by, sort_facet(query, *schema));
  SortBy sort{query.sort};
  if (sort.by_value()) sort.by = by;
  auto name = fingerprint(filter, sort.by);
  return BoundQuery{std::move(schema), std::move(filter), sort, name};
}

}  // namespace

Awaitable<Result<BoundQuery>> bound_query(View& view, const Query& query) {
  auto schema = co_await view.schema();
  if (schema) co_return bound_query(query, std::move(*schema));
  auto question = bound_query(query, std::make_shared<const Schema>());
  if (!question) co_return schema.error();
  co_return question;
}

Result<std::optional<PageCursor>> opened_cursor(const Seal& seal, const SentCursor& sent) {
  if (!sent.after && !sent.before) return std::optional<PageCursor>();
  auto cursor = seal.open(sent.before ? *sent.before : *sent.after);
  std::string parameter = sent.before ? "before" : "after";
  if (!cursor) return Error{ErrorCode::invalid_cursor, cursor.error().message, parameter};
  if (cursor->fingerprint != sent.fingerprint || cursor->sort != sent.sort)
    return mismatch(parameter);
  if (cursor->backward != sent.before.has_value()) {
    return Error{ErrorCode::cursor_mismatch,
                 "Pass page.next as after, and page.previous as before.", parameter};
  }
  return std::optional(*cursor);
}

Result<std::optional<PageCursor>> cursor_of(const Query& query, const BoundQuery& question,
                                            const Seal& seal) {
  TRY(auto cursor,
      opened_cursor(seal, {query.after, query.before, query.sort, question.fingerprint}));
  if (!cursor) return cursor;
  std::string parameter = query.before ? "before" : "after";
  const auto& value = cursor->position.value;
  if (!holds(question, value)) {
    return Error{ErrorCode::invalid_cursor, "This cursor holds no position in this sort.",
                 parameter};
  }
  if (!selects(question, value)) return mismatch(parameter);
  return cursor;
}

Awaitable<Result<Position>> position_of(const Query& query, Listing& listing) {
  auto total = listing.total().value_or(0);
  auto first = query.skip ? *query.skip : std::min(*query.page - 1, total) * query.limit;
  CO_TRY(auto position, co_await listing.at(first));
  if (position) co_return *position;
  const Numbers& numbers = listing.numbers();
  if (numbers.kind == Numbers::Kind::none) co_return by_cursor(unnumbered(numbers), query);
  co_return out_of_range(query, total);
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
  CO_TRY(auto rank, co_await listing.rank(rows.first));
  bool joins = true;
  if (rank && links == Links::by_number && rows.next && rows.comments() > 0) {
    auto last = co_await listing.rank(rows.next);
    joins = last && *last && **last + 1 == *rank + rows.comments();
  }
  const Numbers& numbers = listing.numbers();
  page.numbers_missing = numbers.missing;
  if (numbers.kind == Numbers::Kind::none) co_return Done{};
  // An index beside the store may be a little behind the comments: then there are as many, at
  // least, as the page shows that there are.
  auto before = std::max<std::uint64_t>(*rank, page.previous.has_value());
  auto seen = before + rows.entries.size() + page.next.has_value();
  page.total = std::max(listing.total().value_or(0), seen);
  page.number = number_at(before, *page.total, limit);
  page.number->joins = joins;
  co_return Done{};
}

Awaitable<Status> add_counts(FoundPage& page, Listing& listing, const Schema& schema) {
  std::vector<SchemaFacet> ready;
  for (const auto& facet : schema.facets())
    if (facet.status.state == FacetStatus::State::ready) ready.push_back(facet);
  CO_TRY(auto counted, co_await listing.counts(ready, Under::other_facets));
  page.facets = std::move(counted.facets);
  page.facets_missing = std::move(counted.missing);
  co_return Done{};
}

}  // namespace quire
