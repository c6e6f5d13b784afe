// What is done to comments. Each deed can be read from top to bottom: what this writer may not
// send, the shop's rules, whether the change can be recorded, the change, its record.
#include <set>

#include "base/clock.h"
#include "base/try.h"
#include "desk/desk.h"
#include "desk/expect.h"
#include "desk/fields.h"
#include "loop/loop.h"
#include "model/document.h"
#include "model/moderation.h"
#include "model/validate.h"
#include "store/condition.h"

namespace quire::desk {
namespace {

// The owner of an idempotency key: the token, the customer, or the client's network. Those who are
// trusted share one.
std::string sender_of(const Writer& writer) {
  if (writer.is_trusted()) return "";
  if (writer.token) return writer.token->hash;
  if (writer.customer) return "customer " + writer.customer->hash.text();
  return limit_name(writer.client);
}

// What binds the customer who writes, if a customer does.
CustomerTerms terms_of(const Writer& writer, const shop::Shop* shop) {
  CustomerTerms terms;
  if (!writer.customer) return terms;
  terms.once = shop && shop->once;
  if (const auto& invitation = writer.customer->invitation)
    terms.ticket = Ticket{invitation->ticket, invitation->ends_ms};
  return terms;
}

Condition condition_of(const Writer& writer, std::vector<std::string> tags) {
  Condition condition{std::move(tags), std::string(writer.products())};
  if (writer.customer) condition.customer = writer.customer->hash;
  return condition;
}

// All decisions of a call are made at once, so there is no later one that counts.
Error decided_twice() {
  return invalid_comment({{"id", "is in this request already: send one decision on a comment"}});
}

}  // namespace

// A stranger is bound only where the shop lets anyone write: else it is a demo.
std::shared_ptr<const shop::Shop> Desk::binding(const Writer& writer) const {
  bool anyone =
      writer.kind == Writer::Kind::stranger && customers_.writers() == shop::Writers::anyone;
  return writer.customer || anyone ? shop() : nullptr;
}

// Whether a published comment of the writer is known matters to one rule alone. Programs of the
// shop, which have tokens, are known; whoever writes without a name is not.
Awaitable<Result<Rules>> Desk::rules_for(const Writer& writer) const {
  if (writer.may(Scope::moderate)) co_return Rules();
  auto shop = this->shop();
  bool known = writer.token != nullptr;
  if (writer.customer && shop && shop->hold == shop::Hold::rules && shop->first) {
    CO_TRY(known, co_await comments_.has_published(writer.customer->hash));
  }
  co_return Rules([shop = std::move(shop), known](const Comment& comment) {
    return shop ? shop->holds(comment, known) : std::nullopt;
  });
}

Awaitable<Result<Posted>> Desk::post(const Permit& permit, Draft draft,
                                     std::optional<std::string> key) {
  const auto& writer = expect(permit, Deed::post);
  draft.product = permit.product();
  std::optional<SentKey> sent;
  // The claims of a later token may differ, so the content is as it was sent.
  if (key) sent.emplace(*key + "\n" + sender_of(writer), content_of(draft), permit.named());
  auto shop = this->shop();
  auto binding = this->binding(writer);
  if (binding) CO_TRY_DONE(make_theirs(writer, *binding, presence(), draft));
  if (!writer.is_trusted()) CO_TRY_DONE(check_content(shop.get(), draft));
  CO_TRY_DONE(check_scopes(writer, draft));
  CO_TRY(auto rules, co_await rules_for(writer));
  bool decides = draft.decides;
  CO_TRY_DONE(decides ? audit_.ready() : Status(Done{}));
  auto posted = co_await comments_.post(std::move(draft), std::move(sent), std::move(rules),
                                        terms_of(writer, shop.get()));
  if (!posted) co_return posted.error();
  if (!decides || posted->repeated) co_return posted;
  if (options_.decided) options_.decided(posted->comment.moderation.status);
  audit_.post(writer, posted->comment);
  co_return posted;
}

Awaitable<Result<Edited>> Desk::edit(const Permit& permit, Ulid id, Patch patch,
                                     std::vector<std::string> tags) {
  const auto& writer = expect(permit, Deed::edit);
  auto shop = this->shop();
  CO_TRY_DONE(co_await check_invited(writer, id));
  if (writer.customer && shop) {
    CO_TRY_DONE(co_await check_own(writer, id));
    CO_TRY_DONE(make_theirs(writer, *shop, patch));
  }
  if (!writer.is_trusted()) CO_TRY_DONE(check_content(shop.get(), patch));
  CO_TRY_DONE(check_scopes(writer, patch));
  CO_TRY(auto rules, co_await rules_for(writer));
  CO_TRY_DONE(audit_.ready());
  std::vector<std::string> fields;
  if (shop) fields = shop->fields;
  auto edited = co_await comments_.patch(id, patch, condition_of(writer, std::move(tags)),
                                         std::move(rules), std::move(fields));
  if (!edited) co_return co_await shown(writer, id, edited.error());
  record(writer, id, patch, *edited);
  co_return edited;
}

Awaitable<Status> Desk::check_own(const Writer& writer, Ulid id) const {
  CO_TRY(auto found, co_await comments_.find(id));
  CO_TRY_DONE(check_edit(*writer.customer, *shop(), found));
  co_return Done{};
}

// Whoever has the link of an invitation sees the comment that it made, and none that the customer
// wrote otherwise.
Awaitable<Status> Desk::check_invited(const Writer& writer, Ulid id) const {
  auto invitation = writer.customer ? writer.customer->invitation : std::nullopt;
  if (!invitation) co_return Done{};
  Ticket ticket{invitation->ticket, invitation->ends_ms};
  CO_TRY_DONE(ticket.check_at(system_ms()));
  CO_TRY(auto made, co_await comments_.made_by(writer.customer->hash, ticket.id));
  if (made == id) co_return Done{};
  co_return no_such_comment();
}

// Nobody learns by an error that there is a comment that they may not see. A customer learns that a
// comment on the page is another's.
Awaitable<Error> Desk::shown(const Writer& writer, Ulid id, Error error) const {
  bool tells = error.code == ErrorCode::forbidden || error.code == ErrorCode::precondition_failed;
  bool hides = writer.customer && error.code == ErrorCode::not_found;
  if (!(tells || hides) || writer.is_trusted()) co_return error;
  CO_TRY(auto found, co_await comments_.find(id));
  if (writer.customer) {
    CO_TRY_DONE(check_author(*writer.customer, found));
    co_return error;
  }
  bool sees = found.published() || ((writer.may(Scope::edit) || writer.may(Scope::moderate)) &&
                                    found.product.starts_with(writer.products()));
  co_return sees ? error : no_such_comment();
}

// An edit that changed nothing and decides nothing leaves no line.
void Desk::record(const Writer& writer, const Ulid& id, const Patch& patch,
                  const Edited& edited) const {
  if (patch.status && options_.decided) options_.decided(edited.moderation.status);
  if (edited.before == edited.after && !patch.decides()) return;
  audit_.change(writer, id, edited.before, edited.after,
                patch.status ? status_name(*patch.status) : "");
}

Awaitable<Result<std::string>> Desk::remove(const Permit& permit, Ulid id,
                                            std::vector<std::string> tags) {
  const auto& writer = expect(permit, Deed::remove);
  CO_TRY_DONE(co_await check_invited(writer, id));
  CO_TRY_DONE(audit_.ready());
  auto removed = co_await comments_.remove(id, condition_of(writer, std::move(tags)));
  if (!removed) co_return co_await shown(writer, id, removed.error());
  audit_.change(writer, id, *removed, {});
  co_return removed;
}

Awaitable<Result<Decided>> Desk::decide(const Permit& permit,
                                        std::vector<Result<Decision>> decisions) {
  const auto& writer = expect(permit, Deed::decide);
  CO_TRY_DONE(audit_.ready());
  auto at_ms = system_ms();
  std::vector<Awaitable<Result<Edited>>> works;
  Decided decided;
  std::set<Ulid> ids;
  for (auto& decision : decisions) {
    if (decision && !ids.insert(decision->id).second) decision = decided_twice();
    decided.ids.push_back(decision ? decision->id : Ulid());
    works.push_back(decide_one(writer, std::move(decision)));
  }
  decided.made = co_await all(std::move(works));
  decided.undo = keep(writer, decided, at_ms);
  co_return decided;
}

// The tag has what the comment says and its status; Undo has the rest.
std::string Desk::keep(const Writer& writer, const Decided& decided, std::uint64_t at_ms) {
  std::vector<MadeDecision> kept;
  for (std::size_t i = 0; i < decided.made.size(); ++i) {
    if (!decided.made[i]) continue;
    const auto& [before, after, moderation, former, reported] = *decided.made[i];
    auto comment = decode_document(after);
    if (!comment) continue;
    kept.push_back({decided.ids[i],
                    tag_without_votes(std::move(*comment)),
                    {former, moderation, reported, at_ms}});
  }
  if (kept.empty()) return {};
  return last_decisions_.keep(writer.audit_name(), std::move(kept), system_ms());
}

Awaitable<Result<Decided>> Desk::undo(const Permit& permit, std::string name) {
  const auto& writer = expect(permit, Deed::undo);
  CO_TRY_DONE(audit_.ready());
  auto taken = last_decisions_.take(writer.audit_name(), name, system_ms());
  if (taken.empty())
    co_return Error{ErrorCode::not_found,
                    "These decisions cannot be taken back any more: that goes for half a minute, "
                    "once, and with the same token. Decide anew."};
  std::vector<Awaitable<Result<Edited>>> works;
  Decided undone;
  for (auto& each : taken) {
    undone.ids.push_back(each.id);
    works.push_back(undo_one(writer, std::move(each)));
  }
  undone.made = co_await all(std::move(works));
  co_return undone;
}

Awaitable<Result<Edited>> Desk::undo_one(const Writer& writer, MadeDecision decision) {
  auto [id, tag, undo] = std::move(decision);
  auto condition = condition_of(writer, {std::move(tag)});
  auto undone = co_await comments_.undo(id, std::move(undo), std::move(condition));
  if (!undone) co_return co_await shown(writer, id, undone.error());
  audit_.undo(writer, *undone);
  co_return undone;
}

Awaitable<Result<Edited>> Desk::decide_one(const Writer& writer, Result<Decision> decision) {
  if (!decision) co_return decision.error();
  auto& [id, patch, tags] = *decision;
  auto edited = co_await comments_.patch(id, patch, condition_of(writer, std::move(tags)));
  if (!edited) co_return co_await shown(writer, id, edited.error());
  record(writer, id, patch, *edited);
  co_return edited;
}

Awaitable<Result<Edited>> Desk::reply(const Permit& permit, Ulid id, std::optional<Reply> reply,
                                      std::vector<std::string> tags) {
  const auto& writer = expect(permit, Deed::reply);
  CO_TRY_DONE(audit_.ready());
  auto edited = co_await comments_.reply(id, reply, condition_of(writer, std::move(tags)),
                                         writer.may(Scope::moderate));
  if (!edited) co_return co_await shown(writer, id, edited.error());
  record(writer, id, {.reply = std::move(reply)}, *edited);
  co_return edited;
}

}  // namespace quire::desk
