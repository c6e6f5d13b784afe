// The way of a request is page(), below. It calls, in this order: position_of (cursor),
// View::counts, sections_of (plans), find_start (page index), gather (lists and merge), offset_of
// (page index), edges (cursors). A page index beside the store is asked once more, by
// PageNumbers::numberer after the plans, and for links by number by has_all; where it fails, the
// page goes on without numbers.
#include "service/comments.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "base/limits.h"
#include "model/document.h"
#include "model/filter.h"
#include "model/patch.h"
#include "model/validate.h"
#include "service/edges.h"
#include "service/explain.h"
#include "service/numbering.h"
#include "service/start.h"

namespace quire {
namespace {

Error bad_parameter(std::string parameter, std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), std::move(parameter)};
}

std::optional<Error> check(const Query& query) {
  if (query.limit < 1 || query.limit > limits::page_max) {
    return bad_parameter("limit", "limit is a whole number from 1 to 100.");
  }
  if (query.after.has_value() + query.before.has_value() + query.page.has_value() > 1) {
    return bad_parameter(query.page ? "page" : "before",
                         "after, before and page exclude each other; send one of them.");
  }
  if (query.page == 0) return bad_parameter("page", "Pages are counted from 1.");
  return {};
}

// Only a damaged store lists what it does not have.
std::optional<Error> check_documents(const std::vector<Entry>& rows) {
  for (const auto& row : rows) {
    if (!row.document.empty()) continue;
    return Error{ErrorCode::unavailable, "Comment " + row.id.text() +
                                             " is listed, but not in the store: run quire verify."};
  }
  return {};
}

// An index beside the store may be a little behind the lists: then there are as many comments, at
// least, as the page shows that there are.
void number(FoundPage& page, std::uint64_t offset, std::size_t limit) {
  offset = std::max<std::uint64_t>(offset, page.previous.has_value());
  page.total = std::max(page.total, offset + page.rows.size() + page.next.has_value());
  page.number = number_at(offset, page.total, limit);
}

}  // namespace

Comments::Comments(Store& store, Seal seal, NumbersFrom numbers, Clock clock, Entropy entropy)
    : store_(store),
      seal_(std::move(seal)),
      own_ranks_(numbers.store && !numbers.index),
      numbers_(numbers.index
                   ? std::make_unique<PageNumbers>(*numbers.index, numbers.most_behind, clock)
                   : nullptr),
      clock_(std::move(clock)),
      entropy_(std::move(entropy)) {}

Awaitable<Result<FoundPage>> Comments::page(const Query& query, Links links) const {
  if (auto error = check(query)) co_return std::move(*error);
  auto filter = make_filter(query);
  if (!filter) co_return filter.error();
  std::uint32_t name = fingerprint(*filter);
  auto position = position_of(query, name, seal_);
  if (!position) co_return position.error();

  auto view = store_.view();
  auto counts = co_await view->counts(filter->product);
  if (!counts) co_return counts.error();
  auto sections = sections_of(*filter, *counts, query.sort, query.limit + 1, store_.costs());
  Numberer numberer = own(*view);
  if (numbers_) numberer = co_await numbers_->numberer(sections, query.page > 1u);
  auto start = co_await find_start(numberer, sections, query, *position);
  if (!start) co_return start.error();

  Order order = order_of(query.sort);
  auto found = co_await gather(*view, sections, order, start->backward, start->place, query.limit);
  if (!found) co_return found.error();
  if (start->backward) std::reverse(found->rows.begin(), found->rows.end());
  auto complete = co_await view->documents(filter->product, found->rows);
  if (!complete) co_return complete.error();
  if (auto error = check_documents(found->rows)) co_return std::move(*error);

  std::optional<std::uint64_t> offset = start->offset;
  if (numberer.ranks && !offset) {
    auto asked = co_await offset_of(numberer, sections, query.sort, *start, found->rows);
    if (!asked) co_return asked.error();
    offset = *asked;
    if (numberer.exact()) start->offset = offset;
  }
  auto around = co_await edges(*view, sections, query.sort, *start, *found);
  if (!around) co_return around.error();
  bool joins = true;
  if (links == Links::by_number && numberer.beside && around->next && !found->rows.empty())
    joins = co_await has_all(numberer, sections, query.sort, *offset, found->rows);
  auto cursor = [&](bool backward, const std::optional<Edge>& edge) -> std::optional<std::string> {
    if (!edge) return {};
    return seal_.seal({backward, query.sort, edge->id, edge->rating, name});
  };
  // Now that they have kept the places of their neighbours.
  std::erase_if(found->rows, [](const Entry& row) { return is_damaged(row.document); });
  FoundPage page;
  page.next = cursor(false, around->next);
  page.previous = cursor(true, around->previous);
  page.total = total(sections);
  if (query.explain) page.plan = explain(*view, sections, *start, *found);
  page.read = found->read;
  page.discarded = found->read - found->rows.size();
  page.requests = found->requests;
  page.rows = std::move(found->rows);
  if (numberer.ranks) {
    number(page, *offset, query.limit);
    page.number->joins = joins;
  }
  page.numbers_missing = std::move(numberer.missing);
  page.counts = std::move(*counts);
  page.view = std::move(view);
  co_return page;
}

Awaitable<Result<FoundPlace>> Comments::place(Ulid id, Query query) const {
  auto view = store_.view();
  auto document = co_await view->get(id);
  if (!document) co_return document.error();
  auto comment = decode_document(*document);
  if (!comment) {
    co_return Error{ErrorCode::unavailable,
                    "Comment " + id.text() + " in the store is damaged: run quire verify."};
  }
  query.product = comment->product;
  query.after = query.before = {};
  query.page = {};
  if (auto error = check(query)) co_return std::move(*error);
  auto filter = make_filter(query);
  if (!filter) co_return filter.error();
  if (!filter->matches(document_cell(*document))) {
    co_return Error{ErrorCode::not_found, "The comment exists, but this filter excludes it."};
  }
  Numberer numberer = own(*view);
  if (!numberer.ranks && !numbers_) co_return unnumbered(numberer);
  auto counts = co_await view->counts(filter->product);
  if (!counts) co_return counts.error();
  auto sections = sections_of(*filter, *counts, query.sort, query.limit + 1, store_.costs());
  if (numbers_) numberer = co_await numbers_->numberer(sections, true);
  if (!numberer.ranks) co_return unnumbered(numberer);
  auto section = section_of(sections, document_cell(*document)[rating_facet]);
  auto offset = co_await offset_of(*numberer.ranks, sections, order_of(query.sort), *section, id);
  if (!offset && numberer.exact()) co_return offset.error();
  if (!offset) {
    numberer.fail(offset.error());
    co_return unnumbered(numberer);
  }
  // One that the index beside the store does not have yet may come behind all that it has.
  auto place = number_at(*offset, total(sections), query.limit);
  co_return FoundPlace{std::move(comment->product), place.number};
}

Awaitable<Result<AsOf>> Comments::as_of(const FoundPage& page) const {
  co_return co_await page.view->as_of();
}

Awaitable<Result<FoundComment>> Comments::get(Ulid id) const {
  auto view = store_.view();
  auto document = co_await view->get(id);
  if (!document) co_return document.error();
  co_return FoundComment{*document, std::move(view)};
}

Awaitable<Result<std::vector<ProductTotal>>> Comments::products(std::string after,
                                                                std::size_t limit) const {
  auto view = store_.view();
  co_return co_await view->products(after, limit);
}

Awaitable<Result<std::vector<std::string>>> Comments::product_names(std::string after,
                                                                    std::size_t limit) const {
  auto view = store_.view();
  co_return co_await view->names(after, limit);
}

Awaitable<Result<std::string>> Comments::post(Draft draft, std::optional<std::string> key) {
  if (auto error = quire::check(draft)) co_return std::move(*error);
  std::uint64_t now = clock_();
  if (auto error = check_time(draft, now)) co_return std::move(*error);
  std::optional<RequestKey> once;
  if (key) {
    auto half = [](const Digest& digest) {
      std::array<std::uint8_t, 16> out;
      std::memcpy(out.data(), digest.data(), out.size());
      return out;
    };
    auto created = draft.created_ms ? std::to_string(*draft.created_ms) : "now";
    auto rating = std::to_string(draft.rating);
    once = RequestKey{
        half(sha256({draft.product, *key})),
        half(sha256({draft.language, rating, draft.author, draft.title, draft.text, created})),
        now};
  }
  Ulid id = Ulid::make(draft.created_ms.value_or(now), entropy_());
  Comment comment = comment_of(id, std::move(draft));
  co_return co_await store_.insert(std::move(comment), once);
}

Awaitable<Result<Edited>> Comments::patch(Ulid id, Patch patch, Condition condition) {
  if (auto error = quire::check(patch)) co_return std::move(*error);
  co_return co_await store_.update(id, std::move(patch), std::move(condition));
}

Awaitable<Result<std::string>> Comments::remove(Ulid id, Condition condition) {
  co_return co_await store_.remove(id, std::move(condition));
}

Awaitable<std::optional<Standing>> Comments::standing() const {
  if (!numbers_) co_return std::nullopt;
  co_return co_await numbers_->standing();
}

Awaitable<Status> Comments::ready() const {
  co_return co_await store_.ready();
}

}  // namespace quire
