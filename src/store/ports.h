// The narrow ports of a store: what some stores keep besides comments. Store::customers() and the
// others give a port, or null. They live as long as the store, and are as thread-safe as it is; a
// write is acknowledged when it is durable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loop/awaitable.h"
#include "model/moderation.h"
#include "model/vote.h"
#include "product/facts.h"
#include "quire/facet.h"
#include "quire/result.h"
#include "store/condition.h"
#include "store/store.h"
#include "store/undo.h"

namespace quire {

// What an erasure removed.
struct Erased {
  std::uint64_t comments = 0;  // removed, with their reports
  std::uint64_t emptied = 0;   // comments that keep their rating, without writer and text
  std::uint64_t reports = 0;   // that the customer made
  std::uint64_t votes = 0;     // the same
  std::uint64_t answers = 0;   // that were stored for repeated requests
  std::uint64_t tickets = 0;   // notes that a ticket was used
  std::uint64_t told = 0;      // of the comments, those whose removal the log of events tells

  friend bool operator==(const Erased&, const Erased&) = default;
};

// What became of an erasure. Where it failed, something may be removed all the same.
struct Erasure {
  Erased removed = {};
  std::optional<Error> failed = {};
};

class CustomerPort {
 public:
  virtual ~CustomerPort() = default;

  // Removes all that the store keeps of a customer: comments of any status, votes and reports that
  // the customer made, answers that were stored for repeated requests, and used tickets.
  // `keep_ratings`: a published comment stays, of nobody, without author, title, text, note and
  // reports. An erasure that was cut off goes on when it is asked for again, and tells what was
  // left to remove. A comment that is written meanwhile may stay. It fails by unavailable; damaged:
  // damaged rows stay, and what could be removed is.
  virtual Awaitable<Erasure> erase(CustomerHash customer, bool keep_ratings) = 0;
};

class VotePort {
 public:
  virtual ~VotePort() = default;

  // Makes this the customer's vote on a published comment, in place of an earlier one; nothing:
  // takes the vote back. The attributes `helpful` and `unhelpful` of the comment change in the same
  // transaction, and have what they had without votes once no vote is left. not_found, forbidden:
  // the comment is the customer's own. invalid_comment: the attributes have no room, or one of the
  // two is no number. unavailable.
  virtual Awaitable<Result<Voted>> vote(Ulid id, CustomerHash customer,
                                        std::optional<Vote> vote) = 0;
  // Removes votes and reports of comments that were removed, some at a time. False: none is left.
  // A store that does so by itself has none. unavailable.
  virtual Awaitable<Result<bool>> sweep() { co_return false; }
};

class FactsPort {
 public:
  virtual ~FactsPort() = default;

  // Keeps what the shop tells of products, in place of what it told before. Returns of how many it
  // told nothing. All are kept or none; a store of items works one by one. Facts that are as they
  // were end no generation. precondition_failed, unavailable.
  virtual Awaitable<Result<std::size_t>> put_facts(std::vector<NamedFacts> all,
                                                   FactsCondition of_each = {}) = 0;
  // not_found: the shop tells nothing of this product. precondition_failed, unavailable.
  virtual Awaitable<Status> remove_facts(std::string product, FactsCondition condition = {}) = 0;
};

class FacetPort {
 public:
  virtual ~FacetPort() = default;

  // Declares a facet. Where there are comments, it is built from then on, while the store serves;
  // View::schema() tells how far. invalid_parameter: see check_declaration(). unavailable.
  virtual Awaitable<Status> declare(Facet facet) = 0;
  // Drops a declared facet: at once it is no facet any more, and its rows go bit by bit. One that
  // is being dropped already is no error. not_found, unavailable.
  virtual Awaitable<Status> drop(std::string name) = 0;
  // Why this process does not go on with building and dropping. Absent: it goes on.
  virtual std::optional<Error> hindrance() const { return {}; }
};

// The index of words of a store that has one.
struct WordStatus {
  FacetStatus::State state;
  double progress = 1;      // of building: from 0 to 1, and 1 only when it is ready
  std::uint64_t bytes = 0;  // of its pages
};

class WordPort {
 public:
  virtual ~WordPort() = default;

  // Has the store keep which words its comments have. Where there are comments, the index is built
  // from then on, while the store serves. One that is kept already is no error. unavailable.
  virtual Awaitable<Status> add_words() = 0;
  // At once the store has no index of words any more, and its rows go bit by bit. One that is being
  // dropped already is no error. not_found, unavailable.
  virtual Awaitable<Status> drop_words() = 0;
  // Absent: the store is to have none. damaged, unavailable.
  virtual Awaitable<Result<std::optional<WordStatus>>> word_status() = 0;
  // As FacetPort::hindrance().
  virtual std::optional<Error> hindrance() const { return {}; }
};

class ModerationPort {
 public:
  virtual ~ModerationPort() = default;

  // Keeps a person's report of a published comment; the first one of a person counts, and at most
  // limits::reports are kept. From `hold_at` reports on (0: never) the comment becomes pending,
  // unless a moderator decided that it is published. Returns what that changed; absent: the
  // comment stays as it was. not_found, unavailable.
  virtual Awaitable<Result<std::optional<Edited>>> report(Ulid id, Report report,
                                                          std::uint64_t hold_at) = 0;
  // Takes a decision back: the comment has the moderation before it again, and its reports wait as
  // they did. Nothing changes where `condition` or Undo::moderate() refuses it. not_found,
  // unavailable; then a store of items may have left the reports as they are.
  virtual Awaitable<Result<Edited>> undo(Ulid id, Undo undo, Condition condition) = 0;
  // Keeps a report that an import brings, of a comment of any status. not_found, unavailable.
  virtual Awaitable<Status> keep_report(Ulid id, Report report) = 0;
  // Forgets the contacts in reports on which a moderator decided before this time, in ms since
  // 1970. Returns how many. One that was cut off goes on when it is asked for again. unavailable;
  // damaged: reports that cannot be read keep theirs, and the others do not.
  virtual Awaitable<Result<std::size_t>> forget_contacts(std::uint64_t decided_before_ms) = 0;
};

// The answers where a port is null. Another try does not help.
inline Error no_customers() {
  return {ErrorCode::forbidden,
          "This store knows no customers. A table that others made has none."};
}
inline Error no_moderation() {
  return {ErrorCode::forbidden, "This store keeps published comments alone."};
}
inline Error no_facts() {
  return {ErrorCode::forbidden, "This store keeps nothing of products but their comments."};
}
inline Error no_events() {
  return {ErrorCode::forbidden,
          "This store keeps no log of changes: the embedded store has one. A table's own stream "
          "tells its changes."};
}
inline Error no_facets() {
  return {ErrorCode::forbidden,
          "This store keeps no facets but language and rating. Use --pages lmdb:DIR, which does."};
}

}  // namespace quire
