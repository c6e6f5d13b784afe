#include "service/start.h"

#include <algorithm>

#include "service/numbering.h"

namespace quire {

namespace {

Error mismatch(const Query& query) {
  return {ErrorCode::cursor_mismatch,
          "This cursor belongs to another product, filter or sort. Start that one from its first "
          "page; only limit may change between pages.",
          query.before ? "before" : "after"};
}

Error by_cursor(Error error) {
  error.message += " Use after and before.";
  error.parameter = "page";
  return error;
}

// No comments have one page.
std::uint64_t pages(std::uint64_t total, std::size_t limit) {
  return std::max<std::uint64_t>(1, (total + limit - 1) / limit);
}

}  // namespace

// The position a cursor of the query holds, if it has one.
Result<std::optional<Position>> position_of(const Query& query, std::uint32_t fingerprint,
                                            const Seal& seal) {
  if (!query.after && !query.before) return std::optional<Position>();
  auto position = seal.open(query.before ? *query.before : *query.after);
  std::string parameter = query.before ? "before" : "after";
  if (!position) {
    return Error{ErrorCode::invalid_cursor, position.error().message, parameter};
  }
  if (position->fingerprint != fingerprint || position->sort != query.sort) {
    return mismatch(query);
  }
  bool by_rating = query.sort == Sort::highest || query.sort == Sort::lowest;
  if (by_rating != (position->rating != any)) {
    return Error{ErrorCode::invalid_cursor, "This cursor holds no place in this sort.", parameter};
  }
  if (position->backward != query.before.has_value()) {
    return Error{ErrorCode::cursor_mismatch,
                 "Pass page.next as after, and page.previous as before.", parameter};
  }
  return std::optional<Position>(*position);
}

PageNumber number_at(std::uint64_t offset, std::uint64_t total, std::size_t limit) {
  auto count = pages(total, limit);
  return {std::min(count, offset / limit + 1), count, offset % limit == 0};
}

Error unnumbered(const Numberer& numberer) {
  if (numberer.missing.empty()) {
    return {ErrorCode::unavailable, "Pages have no numbers here: there is no page index."};
  }
  return {ErrorCode::unavailable, "Page numbers are missing. " + numberer.missing};
}

Awaitable<Result<Start>> find_start(Numberer& numberer, const std::vector<Section>& sections,
                                    const Query& query, const std::optional<Position>& position) {
  Start start;
  if (position) {
    start.backward = position->backward;
    auto section = section_of(sections, position->rating);
    if (!section) co_return mismatch(query);  // a fingerprint of 32 bits can be forged
    // Ranks of the same state tell what lies behind.
    start.place = {*section, position->id, !numberer.exact()};
    co_return start;
  }
  std::uint64_t number = query.page.value_or(1);
  if (number > 1 && !numberer.ranks) co_return by_cursor(unnumbered(numberer));
  std::uint64_t all = total(sections);
  auto count = pages(all, query.limit);
  // An index that was lost a moment ago is no reason for "there is no such page".
  if (number > count && !numberer.exact() && numberer.ranks) {
    auto standing = co_await numberer.from->standing_anew();
    numberer.missing = std::move(standing.missing);
    if (!numberer.missing.empty()) co_return by_cursor(unnumbered(numberer));
  }
  if (number > count) {
    co_return Error{ErrorCode::page_out_of_range,
                    (count == 1 ? std::string("There is 1 page")
                                : "There are " + std::to_string(count) + " pages") +
                        " of " + std::to_string(query.limit) + " under this filter.",
                    "page"};
  }
  start.offset = (number - 1) * query.limit;
  if (number == 1) co_return start;
  auto found = co_await place_at(*numberer.ranks, sections, order_of(query.sort), *start.offset);
  if (!found && numberer.exact()) co_return found.error();
  if (!found) {
    numberer.fail(found.error());
    co_return by_cursor(unnumbered(numberer));
  }
  start.place = found->place;
  start.rounds = found->rounds;
  co_return start;
}

}  // namespace quire
