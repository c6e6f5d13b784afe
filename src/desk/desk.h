// The desk: who may do what. A door makes a writer of the proofs that it was given, and asks for a
// deed in two steps, since a limit must bite before a body is read:
//   - admit() judges the writer, the deed and the product, and counts the request. It gives a
//     permit, or a refusal.
//   - The deed itself takes the permit and the content. In this order it judges what the content
//     has that this writer may not send, asks the shop's rules, looks whether the change can be
//     recorded, makes the change, and records it.
// The desk knows no HTTP, and renders nothing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "desk/audit_log.h"
#include "desk/customers.h"
#include "desk/deeds.h"
#include "desk/demo_moderator.h"
#include "desk/last_decisions.h"
#include "desk/limits.h"
#include "desk/permit.h"
#include "desk/tokens.h"
#include "desk/writer.h"
#include "loop/awaitable.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "service/comments.h"
#include "shop/shop_file.h"

namespace quire::desk {

struct DeskOptions {
  // The present tokens; null: there are none. Thread-safe.
  std::function<std::shared_ptr<const Tokens>()> tokens = {};
  const shop::ShopFile* shop = nullptr;  // null: nothing is held back; must outlive the desk
  std::optional<identity::CustomerKey> customer_key = {};  // absent: there are no customers
  AuditLog* audit = nullptr;           // null: changes are not recorded; must outlive the desk
  bool demo = false;                   // anyone on this machine may post
  DemoModerator* moderator = nullptr;  // of a demo; null: there is none; must outlive the desk
  WriteRates rates = {};
  // Hears of the status that each decision gave; null: nobody does. Thread-safe.
  std::function<void(CommentStatus)> decided = {};
};

// What a request shows of its sender. The texts must live as long as the call.
struct Proofs {
  bool authorized = false;       // there is an authorization of any kind
  std::string_view bearer = {};  // a token; empty: none is shown
  std::optional<std::string_view> invitation = {};
  std::string_view product = {};  // that the request names; the invitation must be for it
};

using Admission = std::variant<Permit, Refusal>;

// A decision on a comment.
struct Decision {
  Ulid id;
  Patch patch;                         // has a status
  std::vector<std::string> tags = {};  // as If-Match has them; empty: any state
};
// What became of decisions.
struct Decided {
  std::vector<Result<Edited>> made = {};  // of each, in their order
  std::vector<Ulid> ids = {};             // of their comments; zeros: the decision names none
  std::string undo = {};                  // see Desk::undo(); empty: none was made
};

// A page of the list of all.
struct Listed {
  ListedPage found = {};
  bool moderated = false;  // it has decisions and reports, which moderators alone see
};

// The newest published comments, and those that were changed last.
struct Newest {
  Latest found = {};
  bool open = false;  // to anyone
};

// What a customer has written of a product.
struct Written {
  std::optional<Comment> comment = {};  // absent: none, or nothing that may be seen here
  std::string tag = {};                 // of the comment, as If-Match has it
  bool editable = false;                // by the shop's edit_days
  bool removed = false;                 // the invitation has made a comment, which was removed
  bool elsewhere = false;               // `once` counts a comment that this invitation has not made
};

// An invitation that a shop asks for.
struct Wish {
  static constexpr std::size_t max_products = 20, max_product_bytes = 500;

  std::vector<std::string> products;
  std::string customer;  // as the shop has it
  std::string name = {};
  std::int64_t days = 60;
};
struct Invited {
  std::string ticket;
  std::uint64_t ends_ms;
};

// Thread-safe. Each deed takes a permit for that deed; with another it throws std::logic_error.
class Desk {
 public:
  static constexpr std::size_t max_decisions = 100;  // of one call

  // `comments` must outlive this.
  Desk(Comments& comments, DeskOptions options);

  // Who shows these proofs.
  Writer writer_of(const Proofs& proofs) const;
  // Counts the request of a network whose writer the body names. Later the writer is `counted`.
  std::optional<Refusal> knock(const boost::asio::ip::address& client);
  // Whom an invitation names, who writes of this product, or of one that has moved to it.
  Writer invited(std::string_view ticket, std::string_view product) const;
  // The sealed field of a form for this writer, made now. There must be a key.
  std::string sealed_form(const Writer& writer, const std::string& product) const;
  // The moderator of a demo, for whoever shows the secret that its start printed, which is spent
  // then. `local`: see Writer. Absent: it is another secret, or spent, or of no demo.
  std::optional<Writer> moderator_by(std::string_view secret, bool local) const;
  // `product`: that the request names; empty: none.
  Admission admit(std::shared_ptr<const Writer> writer, Deed deed, std::string product = {});
  // Whether this writer would be admitted. Counts nothing.
  bool would_admit(const Writer& writer, Deed deed, std::string_view product = {}) const;
  // Counts a proof that is none.
  Refusal refuse(const boost::asio::ip::address& client, Refusal refusal);

  // Adds a comment. `key`: under which a repeated post makes no second one. Errors of
  // Comments::post(); forbidden: the draft has what needs another right.
  Awaitable<Result<Posted>> post(const Permit& permit, Draft draft, std::optional<std::string> key);
  // Changes a comment. `tags`: see Decision.
  Awaitable<Result<Edited>> edit(const Permit& permit, Ulid id, Patch patch,
                                 std::vector<std::string> tags);
  // The document that was removed.
  Awaitable<Result<std::string>> remove(const Permit& permit, Ulid id,
                                        std::vector<std::string> tags);
  // Makes at most max_decisions at once. An error: none was made.
  Awaitable<Result<Decided>> decide(const Permit& permit, std::vector<Result<Decision>> decisions);
  // Takes the decisions of one call back, within LastDecisions::kept_ms: Decided::undo named them.
  // Each comment has again what it had before, unless it has changed meanwhile. not_found: they are
  // not known here, or not any more, or they are another moderator's.
  Awaitable<Result<Decided>> undo(const Permit& permit, std::string name);
  // Sets the shop's reply, or removes it.
  Awaitable<Result<Edited>> reply(const Permit& permit, Ulid id, std::optional<Reply> reply,
                                  std::vector<std::string> tags);
  // Sets the customer's vote, or takes it back.
  Awaitable<Result<Voted>> vote(const Permit& permit, Ulid id, std::optional<Vote> vote);
  // Of the report reason and note count.
  Awaitable<Status> report(const Permit& permit, Ulid id, Report report);
  // The customer's comments behind this one, of any status.
  Awaitable<Result<OwnComments>> own(const Permit& permit, std::optional<Ulid> after,
                                     std::size_t limit) const;
  // The customer's comment of the product: by an invitation the one that it made; else the one that
  // `once` counts.
  Awaitable<Result<Written>> written(const Permit& permit) const;
  // The customer's votes on these comments, and which of them the customer wrote. See
  // Comments::traces().
  Awaitable<Result<Traces>> traces(const Permit& permit, std::vector<Ulid> comments) const;
  // Of the products that the writer may see.
  Awaitable<Result<QueuePage>> queue(const Permit& permit, QueueQuestion question) const;
  // The same of comments of any status. Those who may not moderate see published ones, without
  // what was said on them. forbidden: they ask for others.
  Awaitable<Result<Listed>> list(const Permit& permit, QueueQuestion question, PageEdge edge) const;
  // Of the products that the writer may see.
  Awaitable<Result<Newest>> newest(const Permit& permit, QueueQuestion question) const;

  // Events behind a mark, of the products that the writer may see. See Changes::after(). forbidden:
  // the shop file asks for no log.
  Awaitable<Result<std::optional<FoundChanges>>> changes(const Permit& permit,
                                                         ChangesQuestion question) const;
  // The newest mark, from which a reader that has a copy of all goes on.
  Awaitable<Result<EventMark>> newest_change(const Permit& permit) const;
  // From now on changes() waits for nothing.
  void end_waits() { comments_.changes().stop(); }

  // An invitation for a customer, which ends with a day (UTC). invalid_comment: names every member
  // at fault.
  Result<Invited> invite(const Permit& permit, const Wish& wish) const;
  // `customer`: as the shop has it, here and below.
  Awaitable<Result<Kept>> kept_of(const Permit& permit, std::string customer) const;
  Awaitable<Erasure> erase(const Permit& permit, std::string customer, bool keep_ratings);
  // See Store::put_facts() and remove_facts().
  Awaitable<Result<std::size_t>> put_facts(const Permit& permit, ProductFacts facts,
                                           FactsCondition condition);
  // Of several products, for writers whom no prefix binds. How many had no facts before. After an
  // error each is recorded, since a store of items may have put some.
  Awaitable<Result<std::size_t>> put_facts(const Permit& permit, std::vector<NamedFacts> facts);
  Awaitable<Status> remove_facts(const Permit& permit, FactsCondition condition);
  // Moves the comments of the permit's product to another one. See SuccessorPort and
  // Comments::move(). forbidden: the writer's token is not for both.
  Awaitable<Result<Moved>> move(const Permit& permit, std::string to);
  // A function that records the import when it has ended, perhaps after the request.
  Result<std::function<void(const ImportCounts&)>> import(const Permit& permit) const;

  const Customers& customers() const { return customers_; }
  std::shared_ptr<const shop::Shop> shop() const { return customers_.shop(); }
  // The present tokens; null: there are none.
  std::shared_ptr<const Tokens> tokens() const;
  Limits& limits() { return limits_; }

 private:
  // The product itself, or the one to which it has moved.
  std::string present(std::string product) const;
  std::optional<Refusal> refuses(const Writer& writer, const Rights& rights,
                                 std::string_view product) const;
  bool shows(const Rights& rights) const;
  std::optional<Refusal> refuses_customer(const Writer& writer, const Rights& rights) const;
  std::optional<Refusal> refuses_stranger(const Writer& writer, const Rights& rights) const;
  std::optional<Refusal> count(const Writer& writer, const Rights& rights,
                               const std::string& product);
  // The shop whose rules bind this writer's comments; null: none does.
  std::shared_ptr<const shop::Shop> binding(const Writer& writer) const;
  Awaitable<Result<Rules>> rules_for(const Writer& writer) const;
  Status has_changes() const;
  Awaitable<Status> check_own(const Writer& writer, Ulid id) const;
  Present presence() const;
  Awaitable<Status> check_invited(const Writer& writer, Ulid id) const;
  Awaitable<Error> shown(const Writer& writer, Ulid id, Error error) const;
  Awaitable<Result<Edited>> decide_one(const Writer& writer, Result<Decision> decision);
  std::string keep(const Writer& writer, const Decided& decided, std::uint64_t at_ms);
  Awaitable<Result<Edited>> undo_one(const Writer& writer, MadeDecision decision);
  std::array<std::uint8_t, 16> person_of(const Writer& writer) const;
  void record(const Writer& writer, const Ulid& id, const Patch& patch, const Edited& edited) const;

  Comments& comments_;
  const DeskOptions options_;
  const Customers customers_;
  const Audit audit_;
  const Seal::Key person_key_;
  Limits limits_;
  LastDecisions last_decisions_;
};

}  // namespace quire::desk
