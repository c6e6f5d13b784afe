// The store's writes, carried out as writes of items. Used on one loop; not thread-safe. The
// contracts are Store's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/dynamodb/comments/commits.h"
#include "store/dynamodb/parts/known_parts.h"
#include "store/ports.h"
#include "store/store.h"

namespace quire::dynamodb {

// The insert of a comment with the items of its customer.
CommentWrite insertion_of(Comment comment, const CustomerTerms& terms = {});

class Writes {
 public:
  static constexpr std::size_t lanes = 8;  // batches of an import under way at once

  Writes(TableClient& client, Commits& commits, KnownParts& parts, TotalsCache& totals)
      : client_(client), commits_(commits), parts_(parts), totals_(totals) {}

  Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey> once,
                                        CustomerTerms terms = {});
  Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition condition = {},
                                   Moderate moderate = {});
  Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {});
  Awaitable<Result<Voted>> vote(Ulid id, CustomerHash customer, std::optional<Vote> vote);
  Awaitable<Result<std::optional<Edited>>> report(Ulid id, Report report, std::uint64_t hold_at);
  Awaitable<Result<Edited>> undo(Ulid id, Undo undo, Condition condition);
  Awaitable<Status> keep_report(Ulid id, Report report);
  Awaitable<Result<std::size_t>> forget_contacts(std::uint64_t decided_before_ms);
  Awaitable<Result<Imported>> import_rows(std::vector<ImportRow> rows, ImportTerms terms = {});
  Awaitable<Status> keep_removed(std::vector<Ulid> ids);
  Awaitable<Erasure> erase(CustomerHash customer, bool keep_ratings);
  // `changed` is told of each product whose facts have changed, or may have.
  using Changed = std::function<void(std::string_view product)>;
  Awaitable<Result<std::size_t>> put_facts(std::vector<NamedFacts> facts, FactsCondition condition,
                                           Changed changed);
  Awaitable<Status> remove_facts(std::string product, FactsCondition condition);
  Awaitable<Result<std::string>> keys(std::string name, std::string fresh);

 private:
  struct Batches;

  // See Commits. Finds the parts of the lists into which the comments go.
  Awaitable<Result<Outcome>> commit(std::vector<CommentWrite> writes, std::optional<Item> key = {},
                                    std::uint64_t now_s = 0);
  Awaitable<Result<Item>> read(const Ulid& id);
  // The error of a comment whose product has no room for its language, as far as the statistics
  // tell, which are some seconds old. Where they do not answer, there is room.
  Awaitable<Status> check_language(const Comment& comment);
  Awaitable<Result<std::string>> insert_once(Comment comment, RequestKey once, CustomerTerms terms);
  Awaitable<Result<bool>> take(Item key, std::uint64_t now_s);
  Awaitable<Result<std::string>> settle(Item key, Comment comment, CustomerTerms terms);
  Awaitable<std::optional<Result<std::string>>> first_answer(const Item& key, std::uint64_t now_s,
                                                             CustomerTerms terms);
  // Commits an insert that the terms allow. `key`: its idempotency key, put with it; `once`: the
  // PK of that key, which may be there already.
  Awaitable<Result<Outcome>> add(Comment comment, CustomerTerms terms, std::string once = {},
                                 std::optional<Item> key = {}, std::uint64_t now_s = 0);
  Awaitable<Result<std::optional<Item>>> forget_key(const Item& item, const Ulid& id);
  Awaitable<void> remember_key(const std::optional<Item>& key);
  Awaitable<Result<std::optional<Item>>> open_reports(const Ulid& id);
  // `decision`: the status that a moderator gave; absent: none did.
  Awaitable<void> close_reports(const std::optional<Item>& open,
                                std::optional<CommentStatus> decision);
  Awaitable<Status> reopen_reports(const Ulid& id, const Undo& undo);
  Awaitable<Status> forget_reports(const Ulid& id);
  Awaitable<Result<std::size_t>> forget_contacts_in(const Item& item,
                                                    std::uint64_t decided_before_ms);
  // Whether the reports wait for a moderator from then on: where the report is kept, and where
  // there is no room for another one.
  struct Listed {
    bool by_report;
    bool by_those_kept = false;
  };
  // Whether the report is kept, or there is no room for it. False: others came between, so it must
  // be tried again.
  Awaitable<Result<bool>> keep(const Ulid& id, const Report& report, Listed listed,
                               std::size_t& kept);
  // In imports.cc, as are those below.
  Awaitable<Status> lane(Batches& batches);
  // Treats rows whose comments are there, or were, by the terms.
  Awaitable<Status> meet_all(std::vector<const ImportRow*> rows, Batches& batches);
  Awaitable<Status> meet(const ImportRow& row, Batches& batches);
  Awaitable<Status> keep_id(Ulid id);
  // In facts.cc, as is the next. Puts what is left, beside others that do.
  Awaitable<Result<std::size_t>> put_left(std::map<std::string, ProductFacts>& left,
                                          const FactsCondition& condition, const Changed& changed);
  // Returns whether there were none.
  Awaitable<Result<bool>> put_facts_of(const NamedFacts& named, const FactsCondition& condition,
                                       const Changed& changed);

  // In votes.cc, as are those below. `erases`: whatever the comment's status, and whoever wrote it.
  Awaitable<Result<Voted>> cast(Ulid id, CustomerHash customer, std::optional<Vote> vote,
                                bool erases);
  // `damage`: of what stays until a repair.
  Awaitable<Status> erase_votes(CustomerHash customer, Erased& erased,
                                std::optional<Error>& damage);
  // Some of the votes on a removed comment, and of those that another removal left.
  Awaitable<Status> sweep_after(const Ulid& id);
  Awaitable<Result<bool>> sweep_before(const Ulid& id);

  // In customers.cc, as are those below. Why the terms refuse the comment.
  Awaitable<Status> check_terms(const Comment& comment, const CustomerTerms& terms);
  Awaitable<Result<std::optional<Ulid>>> first_of(const CustomerHash& customer,
                                                  const std::string& product);
  Awaitable<Result<bool>> is_by(const CustomerHash& customer, const Ulid& id);
  // The removals of what belongs to a comment of a customer.
  Awaitable<Result<std::vector<Action>>> rows_to_forget(const Comment& comment);
  Awaitable<Status> erase_row(const CustomerHash& customer, const Item& row, bool keep_ratings,
                              Erased& erased);
  Awaitable<Status> erase_comment(const CustomerHash& customer, const Ulid& id, bool keep_ratings,
                                  Erased& erased);
  Awaitable<Status> empty(Ulid id);
  Awaitable<Status> erase_reports(std::array<std::uint8_t, 16> person, Erased& erased,
                                  std::optional<Error>& damage);
  // Whether the item had a report of the person.
  Awaitable<Result<bool>> forget_report(const Item& item,
                                        const std::array<std::uint8_t, 16>& person);

  TableClient& client_;
  Commits& commits_;
  KnownParts& parts_;
  TotalsCache& totals_;
};

}  // namespace quire::dynamodb
