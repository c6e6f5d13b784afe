// The way of a request is page(), below. It calls, in this order: starting_point (cursor),
// View::counts, make_plan, gather (lists and merge), edges (cursors).
#include "service/comments.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"
#include "base/limits.h"
#include "model/document.h"
#include "model/filter.h"
#include "model/validate.h"
#include "service/explain.h"
#include "service/gather.h"

namespace quire {
namespace {

Error bad_parameter(std::string parameter, std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message), std::move(parameter)};
}

std::optional<Error> check(const Query& query) {
  if (query.limit < 1 || query.limit > limits::page_max) {
    return bad_parameter("limit", "limit is a whole number from 1 to 100.");
  }
  if (query.after && query.before) {
    return bad_parameter("before", "after and before exclude each other; send one of them.");
  }
  return {};
}

Order order_of(Sort sort) {
  return sort == Sort::newest ? Order::newest_first : Order::oldest_first;
}

// Where the page begins: at an edge of the list, or beside a position.
struct Start {
  bool backward = false;
  std::optional<Ulid> edge;
};

Result<Start> starting_point(const Query& query, std::uint32_t fingerprint, const Seal& seal) {
  if (!query.after && !query.before) return Start{};
  auto position = seal.open(query.before ? *query.before : *query.after);
  std::string parameter = query.before ? "before" : "after";
  if (!position) {
    return Error{ErrorCode::invalid_cursor, position.error().message, parameter};
  }
  if (position->fingerprint != fingerprint || position->sort != query.sort) {
    return Error{
        ErrorCode::cursor_mismatch,
        "This cursor belongs to another product, filter or sort. Start that one from its first "
        "page; only limit may change between pages.",
        parameter};
  }
  if (position->backward != query.before.has_value()) {
    return Error{ErrorCode::cursor_mismatch,
                 "Pass page.next as after, and page.previous as before.", parameter};
  }
  return Start{position->backward, position->id};
}

// The ids beside which the neighbouring pages begin; absent where there is no such page.
struct Edges {
  std::optional<Ulid> next;
  std::optional<Ulid> previous;
};

// Whether there is a row on the other side of `from`. Nearly always the comment at the edge itself
// is one.
Awaitable<Result<bool>> any_behind(View& view, const Plan& plan, Order order, const Ulid& edge,
                                   const Ulid& from) {
  Entry at_edge{edge, {}};
  auto looked = co_await view.documents(plan.filter.product, {&at_edge, 1});
  if (!looked) co_return looked.error();
  if (!at_edge.document.empty() && plan.filter.matches(document_cell(at_edge.document)))
    co_return true;
  auto probed = co_await gather(view, plan, {order, from, 1});
  if (!probed) co_return probed.error();
  co_return !probed->rows.empty();
}

// `more`: the rows were cut because there are more in the direction read. In the other direction
// somebody must look.
Awaitable<Result<Edges>> edges(View& view, const Plan& plan, Order order, const Start& start,
                               const std::vector<Entry>& rows, bool more) {
  Order read_order = start.backward ? opposite(order) : order;
  std::optional<Ulid> ahead, behind;
  if (more) ahead = start.backward ? rows.front().id : rows.back().id;
  if (start.edge) {
    // Of an empty page, the edge's own comment belongs to the page behind.
    Ulid from = rows.empty()     ? just_before(*start.edge, opposite(read_order))
                : start.backward ? rows.back().id
                                 : rows.front().id;
    auto any = co_await any_behind(view, plan, opposite(read_order), *start.edge, from);
    if (!any) co_return any.error();
    if (*any) behind = from;
  }
  if (start.backward) co_return Edges{behind, ahead};
  co_return Edges{ahead, behind};
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

}  // namespace

Comments::Comments(Store& store, Seal seal, Clock clock, Entropy entropy)
    : store_(store),
      seal_(std::move(seal)),
      clock_(std::move(clock)),
      entropy_(std::move(entropy)) {}

Awaitable<Result<FoundPage>> Comments::page(const Query& query) const {
  if (auto error = check(query)) co_return std::move(*error);
  auto filter = make_filter(query);
  if (!filter) co_return filter.error();
  std::uint32_t name = fingerprint(*filter);
  auto start = starting_point(query, name, seal_);
  if (!start) co_return start.error();

  auto view = store_.view();
  auto counts = co_await view->counts(filter->product);
  if (!counts) co_return counts.error();
  Plan plan = make_plan(*filter, *counts, query.limit + 1, store_.costs());

  Order order = order_of(query.sort);
  Order read_order = start->backward ? opposite(order) : order;
  auto found = co_await gather(*view, plan, {read_order, start->edge, query.limit + 1});
  if (!found) co_return found.error();
  bool more = found->rows.size() > query.limit;
  if (more) found->rows.pop_back();
  if (start->backward) std::reverse(found->rows.begin(), found->rows.end());
  auto complete = co_await view->documents(filter->product, found->rows);
  if (!complete) co_return complete.error();
  if (auto error = check_documents(found->rows)) co_return std::move(*error);

  auto around = co_await edges(*view, plan, order, *start, found->rows, more);
  if (!around) co_return around.error();
  auto cursor = [&](bool backward, const std::optional<Ulid>& edge) -> std::optional<std::string> {
    if (!edge) return {};
    return seal_.seal({backward, query.sort, *edge, name});
  };
  FoundPage page;
  page.next = cursor(false, around->next);
  page.previous = cursor(true, around->previous);
  page.total = plan.matches;
  if (query.explain) page.plan = explain(*view, plan, start->edge, *found);
  page.read = found->read;
  page.discarded = found->read - found->rows.size();
  page.requests = found->requests;
  page.rows = std::move(found->rows);
  page.counts = std::move(*counts);
  page.view = std::move(view);
  co_return page;
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

Awaitable<Result<std::string>> Comments::post(Draft draft, std::optional<std::string> key) {
  if (auto error = quire::check(draft)) co_return std::move(*error);
  std::uint64_t now = clock_();
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
  Comment comment{Ulid::make(draft.created_ms.value_or(now), entropy_()),
                  std::move(draft.product),
                  std::move(draft.language),
                  draft.rating,
                  std::move(draft.author),
                  std::move(draft.title),
                  std::move(draft.text)};
  co_return co_await store_.insert(std::move(comment), once);
}

Awaitable<Result<std::string>> Comments::patch(Ulid id, Patch patch) {
  if (auto error = quire::check(patch)) co_return std::move(*error);
  co_return co_await store_.update(id, std::move(patch));
}

Awaitable<Status> Comments::remove(Ulid id) {
  co_return co_await store_.remove(id);
}

Awaitable<Status> Comments::ready() const {
  co_return co_await store_.ready();
}

}  // namespace quire
