// What is kept of customers and by moderators: the ports of the store that not every store has.
#include <algorithm>

#include "base/limits.h"
#include "base/try.h"
#include "model/validate.h"
#include "service/comments.h"
#include "service/pagination.h"

namespace quire {

Awaitable<Result<Kept>> Comments::kept_of(CustomerHash customer) const {
  auto view = store_.view();
  auto* customers = view->customers();
  if (!customers) co_return no_customers();
  Kept kept;
  std::optional<Ulid> after;
  do {
    CO_TRY(auto found, co_await customers->written_by(customer, after, limits::page_max));
    for (auto& comment : found.comments) kept.comments.push_back(std::move(comment));
    after = found.next;
  } while (after);
  CO_TRY(kept.reports, co_await customers->reports_by(customer));
  CO_TRY(kept.votes, co_await customers->votes_by(customer));
  kept.missing = view->left_out();
  co_return kept;
}

Awaitable<Result<bool>> Comments::sweep() {
  auto* votes = store_.votes();
  if (!votes) co_return false;
  co_return co_await votes->sweep();
}

Awaitable<Result<Voted>> Comments::vote(Ulid id, CustomerHash customer, std::optional<Vote> vote) {
  auto* votes = store_.votes();
  if (!votes) co_return no_customers();
  co_return co_await votes->vote(id, customer, vote);
}

Awaitable<Erasure> Comments::erase(CustomerHash customer, bool keep_ratings) {
  auto* customers = store_.customers();
  if (!customers) co_return Erasure{{}, no_customers()};
  co_return co_await customers->erase(customer, keep_ratings);
}

std::optional<std::string> Comments::successor(std::string_view product) const {
  auto* successors = store_.successors();
  return successors ? successors->successor(product) : std::nullopt;
}

Awaitable<Result<Moved>> Comments::move(std::string from, std::string to) {
  CO_TRY_DONE(check_product(from));
  CO_TRY_DONE(check_product(to));
  if (from == to)
    co_return Error{ErrorCode::invalid_parameter, "A product moves to another one.", "to"};
  auto* successors = store_.successors();
  if (!successors) co_return no_successors();
  co_return co_await successors->move(std::move(from), std::move(to));
}

Awaitable<Status> Comments::declare(Facet facet) {
  auto* facets = store_.facets();
  if (!facets) co_return no_facets();
  co_return co_await facets->declare(std::move(facet));
}

Awaitable<Status> Comments::drop(std::string name) {
  auto* facets = store_.facets();
  if (!facets) co_return no_facets();
  co_return co_await facets->drop(std::move(name));
}

Awaitable<Result<QueuePage>> Comments::queue(QueueQuestion question) const {
  auto view = store_.view();
  auto* moderation = view->moderation();
  if (!moderation) co_return no_moderation();
  co_return co_await moderation->queue(std::move(question));
}

Awaitable<Result<ListedPage>> Comments::list(QueueQuestion question, PageEdge edge) const {
  if (edge.after && edge.before)
    co_return Error{ErrorCode::invalid_parameter,
                    "after and before exclude each other. Leave one of them out.", "before"};
  auto sort = question.order == Order::newest_first ? Sort::newest : Sort::oldest;
  auto name = fingerprint(question);
  CO_TRY(auto cursor, opened_cursor(seal_, {edge.after, edge.before, sort, name}));
  if (cursor) (edge.before ? question.before : question.after) = cursor->position.id;
  ListedPage listed;
  CO_TRY(listed.page, co_await queue(std::move(question)));
  auto sealed = [&](const std::optional<Ulid>& id, bool backward) {
    if (!id) return std::optional<std::string>();
    return std::optional(seal_.seal({backward, sort, {*id}, name}));
  };
  listed.next = sealed(listed.page.next, false);
  listed.previous = sealed(listed.page.previous, true);
  co_return listed;
}

Awaitable<Result<std::optional<StatusTotals>>> Comments::status_totals() const {
  auto view = store_.view();
  auto* moderation = view->moderation();
  if (!moderation) co_return std::optional<StatusTotals>();
  co_return co_await moderation->status_totals();
}

Awaitable<Result<std::optional<Edited>>> Comments::report(Ulid id, Report report,
                                                          std::uint64_t hold_at) {
  auto* moderation = store_.moderation();
  if (!moderation) co_return no_moderation();
  co_return co_await moderation->report(id, std::move(report), hold_at);
}

Awaitable<Result<Edited>> Comments::undo(Ulid id, Undo undo, Condition condition) {
  auto* moderation = store_.moderation();
  if (!moderation) co_return no_moderation();
  co_return co_await moderation->undo(id, std::move(undo), std::move(condition));
}

Awaitable<Result<std::size_t>> Comments::forget_contacts(std::uint64_t now_ms) {
  auto* moderation = store_.moderation();
  if (!moderation) co_return std::size_t{0};
  co_return co_await moderation->forget_contacts(now_ms - std::min(now_ms, contact_kept_ms));
}

}  // namespace quire
