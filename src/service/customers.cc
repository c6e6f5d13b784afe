// What is kept of customers.
#include "base/limits.h"
#include "service/comments.h"

namespace quire {

Awaitable<Result<Kept>> Comments::kept_of(CustomerHash customer) const {
  auto view = store_.view();
  Kept kept;
  std::optional<Ulid> after;
  do {
    auto found = co_await view->written_by(customer, after, limits::page_max);
    if (!found) co_return found.error();
    for (auto& comment : found->comments) kept.comments.push_back(std::move(comment));
    after = found->next;
  } while (after);
  auto reports = co_await view->reports_by(customer);
  if (!reports) co_return reports.error();
  kept.reports = std::move(*reports);
  auto votes = co_await view->votes_by(customer);
  if (!votes) co_return votes.error();
  kept.votes = std::move(*votes);
  kept.missing = view->left_out();
  co_return kept;
}

Awaitable<Result<Traces>> Comments::traces(CustomerHash customer,
                                           std::vector<Ulid> comments) const {
  auto view = store_.view();
  auto* customers = dynamic_cast<CustomerView*>(view.get());
  if (!customers) co_return no_customers();
  co_return co_await customers->traces(customer, std::move(comments));
}

}  // namespace quire
