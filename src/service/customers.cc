// What customers have: their comments, votes and reports; and the shop's reply to them.
#include "model/validate.h"
#include "service/comments.h"

namespace quire {

Awaitable<Result<Edited>> Comments::reply(Ulid id, std::optional<Reply> reply, Condition condition,
                                          bool unpublished) {
  Patch patch;
  patch.reply = std::move(reply);
  if (auto error = quire::check(patch)) co_return std::move(*error);
  Judge judge = [now = clock_(), unpublished](const Comment& before,
                                              Comment& after) -> std::optional<Error> {
    if (!before.published() && !unpublished) return no_such_comment();
    if (!before.reply && !after.reply)
      return Error{ErrorCode::not_found, "This comment has no reply."};
    if (!after.reply) return {};
    bool same = before.reply && before.reply->author == after.reply->author &&
                before.reply->text == after.reply->text;
    after.reply->created_ms = same ? before.reply->created_ms : now;
    return {};
  };
  co_return co_await store_.update(id, std::move(patch), std::move(condition), std::move(judge));
}

Awaitable<Result<OwnComments>> Comments::written_by(CustomerHash customer,
                                                    std::optional<Ulid> after,
                                                    std::size_t limit) const {
  auto view = store_.view();
  co_return co_await view->written_by(customer, after, limit);
}

Awaitable<Result<bool>> Comments::has_published(CustomerHash customer) const {
  auto view = store_.view();
  co_return co_await view->has_published(customer);
}

Awaitable<Result<std::vector<ReportRow>>> Comments::reports_by(CustomerHash customer) const {
  auto view = store_.view();
  co_return co_await view->reports_by(customer);
}

Awaitable<Result<std::vector<VoteRow>>> Comments::votes_by(CustomerHash customer) const {
  auto view = store_.view();
  co_return co_await view->votes_by(customer);
}

Awaitable<Result<Voted>> Comments::vote(Ulid id, CustomerHash customer, std::optional<Vote> vote) {
  co_return co_await store_.vote(id, customer, vote);
}

Awaitable<Result<bool>> Comments::sweep() {
  co_return co_await store_.sweep();
}

Awaitable<Result<Erased>> Comments::erase(CustomerHash customer, bool keep_ratings) {
  co_return co_await store_.erase(customer, keep_ratings);
}

}  // namespace quire
