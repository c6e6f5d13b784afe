// What shoppers do besides writing, and what is read of comments that are not published.
#include <algorithm>

#include "base/clock.h"
#include "base/hash.h"
#include "base/try.h"
#include "desk/desk.h"
#include "desk/expect.h"
#include "desk/fields.h"
#include "store/condition.h"

namespace quire::desk {
namespace {

// As the public sees it.
Comment without_moderation(Comment comment) {
  comment.moderation = {};
  comment.customer.reset();
  return comment;
}

}  // namespace

Awaitable<Result<Voted>> Desk::vote(const Permit& permit, Ulid id, std::optional<Vote> vote) {
  const auto& writer = expect(permit, Deed::vote);
  co_return co_await comments_.vote(id, writer.customer->hash, vote);
}

// Who sends a report: a customer, or a network as far as it is known without an identity.
std::array<std::uint8_t, 16> Desk::person_of(const Writer& writer) const {
  if (writer.customer) return writer.customer->hash.person();
  auto mac = hmac_sha256({reinterpret_cast<const char*>(person_key_.data()), person_key_.size()},
                         limit_name(writer.client));
  std::array<std::uint8_t, 16> person;
  std::copy_n(mac.begin(), person.size(), person.begin());
  return person;
}

Awaitable<Status> Desk::report(const Permit& permit, Ulid id, Report report) {
  const auto& writer = expect(permit, Deed::report);
  report.at_ms = system_ms();
  report.person = person_of(writer);
  auto shop = this->shop();
  auto hold_at = shop ? static_cast<std::uint64_t>(shop->reports) : 0;
  auto ready = hold_at > 0 ? audit_.ready() : Status(Done{});
  if (!ready) co_return ready;
  CO_TRY(auto held, co_await comments_.report(id, std::move(report), hold_at));
  if (held) audit_.hold(writer, *held);
  co_return Done{};
}

Awaitable<Result<OwnComments>> Desk::own(const Permit& permit, std::optional<Ulid> after,
                                         std::size_t limit) const {
  const auto& writer = expect(permit, Deed::read_own);
  co_return co_await comments_.written_by(writer.customer->hash, after, limit);
}

Awaitable<Result<Written>> Desk::written(const Permit& permit) const {
  const auto& customer = *expect(permit, Deed::read_written).customer;
  const auto& invitation = customer.invitation;
  auto shop = this->shop();
  std::optional<Ulid> id;
  if (invitation) {
    CO_TRY(id, co_await comments_.made_by(customer.hash, invitation->ticket));
  }
  Written written;
  written.removed = id.has_value();
  if (!id && shop && shop->once) {
    CO_TRY(id, co_await comments_.first_of(customer.hash, permit.product()));
    written.elsewhere = id && invitation;
  }
  if (!id || written.elsewhere) co_return written;
  auto found = co_await comments_.find(*id);
  if (!found && found.error().code != ErrorCode::not_found) co_return found.error();
  if (!found || found->customer != customer.hash) co_return written;
  written.removed = false;
  written.tag = tag_without_votes(*found);
  written.editable = shop && check_edit(customer, *shop, *found).ok();
  written.comment = std::move(*found);
  co_return written;
}

Awaitable<Result<Traces>> Desk::traces(const Permit& permit, std::vector<Ulid> comments) const {
  const auto& writer = expect(permit, Deed::read_own);
  co_return co_await comments_.traces(writer.customer->hash, std::move(comments));
}

Awaitable<Result<QueuePage>> Desk::queue(const Permit& permit, QueueQuestion question) const {
  question.product_prefix = expect(permit, Deed::read_queue).products();
  co_return co_await comments_.queue(std::move(question));
}

Awaitable<Result<Listed>> Desk::list(const Permit& permit, QueueQuestion question,
                                     PageEdge edge) const {
  const auto& writer = expect(permit, Deed::read_all);
  Listed listed{.moderated = writer.may(Scope::moderate)};
  if (listed.moderated) question.product_prefix = writer.products();
  if (!listed.moderated && question.kind != QueueQuestion::Kind::published)
    co_return Error{ErrorCode::forbidden,
                    "Ask for status=published. Other comments are for tokens of the scope "
                    "\"moderate\": quire token new --scopes moderate",
                    "status"};
  CO_TRY(listed.found, co_await comments_.list(std::move(question), std::move(edge)));
  if (listed.moderated) co_return listed;
  for (auto& row : listed.found.page.rows)
    row = Queued{without_moderation(std::move(row.comment)), {}};
  co_return listed;
}

Awaitable<Result<Newest>> Desk::newest(const Permit& permit, QueueQuestion question) const {
  const auto& writer = expect(permit, Deed::read_feed);
  question.kind = QueueQuestion::Kind::published;
  question.order = Order::newest_first;
  question.product_prefix = writer.products();
  Newest newest{.open = !writer.may(Scope::atom)};
  CO_TRY(newest.found, co_await comments_.latest(std::move(question)));
  for (auto& comment : newest.found.comments) comment = without_moderation(std::move(comment));
  co_return newest;
}

}  // namespace quire::desk
