// The port to a store: the database that keeps the comments.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/backend.h"
#include "base/try.h"
#include "loop/awaitable.h"
#include "model/counts.h"
#include "model/entry.h"
#include "model/generation.h"
#include "model/moderation.h"
#include "model/schema.h"
#include "model/vote.h"
#include "product/facts.h"
#include "quire/comment.h"
#include "quire/facet.h"
#include "quire/result.h"
#include "store/condition.h"
#include "store/import.h"

namespace quire {

struct ProductTotal {
  std::string product;
  std::uint64_t comments;
  RatingCounts ratings;
};

struct Leader {
  std::string product;
  RatingCounts ratings;                    // in the language asked for
  std::optional<ProductFacts> facts = {};  // a store leaves them out
};

// Makes an insert safe to repeat: the same key with the same body is the same request.
struct RequestKey {
  std::array<std::uint8_t, 16> key;
  std::array<std::uint8_t, 16> body;
  std::uint64_t now_ms;
};

// An invitation, which makes one comment. A store remembers until its end that it is used.
struct Ticket {
  std::array<std::uint8_t, 16> id;
  std::uint64_t ends_ms;  // since 1970

  // Why it makes no comment at this time, to which its request may have come late.
  Status check_at(std::uint64_t now_ms) const {
    if (now_ms < ends_ms) return Done{};
    return Error{ErrorCode::forbidden, "This invitation has ended. Ask the shop for another one."};
  }
};

// What binds the customer who writes a comment.
struct CustomerTerms {
  bool once = false;  // a customer writes one comment of a product, whatever its status
  std::optional<Ticket> ticket = {};
  std::uint64_t now_ms = 0;  // the present time, which tells whether the ticket has ended
};

// The documents of a comment before and after an update.
struct Edited {
  std::string before;
  std::string after;
  Moderation moderation = {};  // afterwards
  Moderation former = {};      // before
  bool reported = false;       // whether its reports waited for a moderator, before a decision
};

// A counter of a backend, for operators. It counts from the start of the process.
struct Metric {
  const char* name;  // the name of the Prometheus counter
  const char* help;
  double value;
};

class BitmapView;
class CustomerView;
class EventView;
class ListView;
class ModerationView;

class CustomerPort;
class EventPort;
class FacetPort;
class WordPort;
class FactsPort;
class ModerationPort;
class SuccessorPort;
class VotePort;

// What the shop tells of some products, in their order. Absent: there are no facts of that product.
using FoundFacts = std::vector<std::optional<ProductFacts>>;

// What one request sees of the store: one consistent state where the backend offers that. Returned
// views of bytes live as long as the View, or until release(). Serves one task at a time.
class View {
 public:
  virtual ~View() = default;

  // Frees the documents that were returned, and what moderated() has not been asked for. Who reads
  // a whole store calls it after each part.
  virtual void release() {}

  virtual Awaitable<Result<Counts>> counts(std::string_view product) = 0;
  // Of several products, in their order.
  virtual Awaitable<Result<std::vector<Counts>>> counts_of(std::span<const std::string> products) {
    std::vector<Counts> out;
    for (const auto& product : products) {
      CO_TRY(auto found, co_await counts(product));
      out.push_back(std::move(found));
    }
    co_return out;
  }

  // The facets of the store: of this view's state, or a little older. unavailable. Shared, because
  // each page asks for them.
  virtual Awaitable<Result<std::shared_ptr<const Schema>>> schema() {
    static const auto undeclared = std::make_shared<const Schema>();
    co_return undeclared;
  }

  // Comments of a product with their documents, strictly after `after` in `order`.
  virtual Awaitable<Result<Slice>> comments(std::string_view product, Order order,
                                            std::optional<Ulid> after, std::size_t limit) = 0;
  // Fetches the document of every entry that has none. An entry whose comment was deleted meanwhile
  // stays without a document.
  virtual Awaitable<Status> documents(std::string_view product, std::span<Entry> entries) = 0;

  // The id of the comment that a client calls so: an id, or what the owner of an adopted table
  // calls the comment. not_found: nothing is called so.
  virtual Awaitable<Result<Ulid>> named(std::string_view name);
  // The document of a published comment. not_found: there is no such comment.
  virtual Awaitable<Result<std::string_view>> get(const Ulid& id) = 0;

  // A comment of any status. not_found: as above; so is one that is not published, where the store
  // does not keep such comments.
  virtual Awaitable<Result<Comment>> find(const Ulid& id);
  // Some of the ids that the store keeps of comments which were removed or emptied here, see
  // Store::import_rows(), each once; empty: there are no more. A store of items gives those that
  // scan() has come by, so call it after all were scanned. unavailable.
  virtual Awaitable<Result<std::vector<Ulid>>> removed() { co_return std::vector<Ulid>(); }
  virtual Awaitable<Result<FoundFacts>> facts(std::vector<std::string> products) {
    co_return FoundFacts(products.size());
  }
  // Products that have comments or facts, in byte order, strictly after `after`.
  virtual Awaitable<Result<std::vector<ProductTotal>>> products(std::string_view after,
                                                                std::size_t limit) = 0;
  // The names of the same products, which may be cheaper to read. A name that is none is left out.
  virtual Awaitable<Result<std::vector<std::string>>> names(std::string_view after,
                                                            std::size_t limit) {
    CO_TRY(auto found, co_await products(after, limit));
    std::vector<std::string> out;
    for (auto& each : found) out.push_back(std::move(each.product));
    co_return out;
  }
  // The times of the newest comments of these products, in ms since 1970, in their order; 0: a
  // product has none. Empty: the store would need a request to its backend for each product.
  virtual Awaitable<Result<std::vector<std::uint64_t>>> newest(std::span<const std::string>) {
    co_return std::vector<std::uint64_t>();
  }
  // The best products, at most `limit`, in one language or `any`: by the number of 5-rated
  // comments, which leaves out products without any, or by adjusted average. Equal products come in
  // byte order.
  virtual Awaitable<Result<std::vector<Leader>>> leaders(Leaders by, FacetValue language,
                                                         std::size_t limit) = 0;
  // Comments of all products, each once, strictly after `after` in the order of the store, which is
  // oldest first where the store keeps such an order.
  virtual Awaitable<Result<Slice>> scan(std::optional<Ulid> after, std::size_t limit) = 0;

  // How many comments the store has by its own counts, of all products (an empty name) or of one.
  // Absent: its counts may be a little behind.
  virtual Awaitable<Result<std::optional<std::uint64_t>>> counted(std::string_view) {
    co_return std::optional<std::uint64_t>();
  }

  // The time in ms since 1970 up to which counts and leaders include all writes; 0: the time is not
  // known. Absent: each write of Quire changes counts and leaders at once. Writes of other
  // programs are not counted then, so no time is promised. Call it after counts() and before
  // leaders().
  virtual Awaitable<Result<std::optional<std::uint64_t>>> as_of() {
    co_return std::optional<std::uint64_t>();
  }

  // The bitmap index of the store, of the same state as this view; nullptr: it keeps none.
  virtual BitmapView* bitmap_view() { return nullptr; }
  // The lists of the store; nullptr: it keeps none.
  virtual ListView* lists() { return nullptr; }
  // What the store keeps of customers; nullptr: it knows none.
  virtual CustomerView* customers() { return nullptr; }
  // What moderators see; nullptr: the store keeps published comments alone.
  virtual ModerationView* moderation() { return nullptr; }
  // The log of events; nullptr: the store can keep none.
  virtual EventView* event_log() { return nullptr; }

  // The capacity units billed for the reads so far; 0 where reads are not billed.
  virtual double consumed() const { return 0; }

  // How many damaged rows of any kind the reads so far left out; a damaged page counts as one. A
  // comment that a slice has, with the document of a damaged one, is not left out.
  std::uint64_t left_out() const { return left_out_; }

 protected:
  std::uint64_t left_out_ = 0;
};

// Thread-safe. A write is acknowledged when it is durable.
class Store {
 public:
  virtual ~Store() = default;

  // The costs of reading lists; zeros where the store keeps no lists.
  virtual CostModel costs() const { return {}; }
  // Whether its lists answer any filter of language and rating at their cost. Otherwise, where it
  // has lists at all, a page index is asked first.
  virtual bool lists_first() const { return true; }
  virtual std::unique_ptr<View> view() = 0;

  // The counters of the backend.
  virtual std::vector<Metric> metrics() const { return {}; }

  // For caches of answers: the present generation of a product, or of the whole store for an empty
  // name. An answer that is read from now on is of this generation or of a later one; a read after
  // an acknowledged write finds another one than before. Absent: it is not known. Waits for
  // nothing.
  virtual std::optional<Generation> generation(std::string_view) { return {}; }
  // The newest commit: the generations that were read at it are present. Cheaper than generation().
  // Absent: the store does not number its commits.
  virtual std::optional<std::uint64_t> newest_commit() { return {}; }

  // Fails when the backend does not answer, or takes no writes.
  virtual Awaitable<Status> ready() = 0;

  // Keeps the comment where its status says: published ones are on lists. Returns the stored
  // document, with the whole moderation. With a known request key that is the document which the
  // first request with this key stored. `terms` bind the customer of the comment, where it has one,
  // and are decided in the same transaction. Nothing is stored where this fails. already_written:
  // the terms refuse it. forbidden: the ticket has ended, or the store keeps no such comment.
  // idempotency_conflict: the key is known with another body. damaged: what the write has to read
  // is. unavailable; where only the answer is lost, the comment may be stored.
  virtual Awaitable<Result<std::string>> insert(Comment comment, std::optional<RequestKey> once,
                                                CustomerTerms terms = {}) = 0;
  // Changes a comment and moves it between lists. `condition` is decided in the same transaction;
  // if it refuses, nothing changes. invalid_comment: the patch would change `helpful` or
  // `unhelpful` of a comment that has votes. `moderate`: may change the comment's moderation
  // afterwards, or refuse the change; null: it stays. A comment of another status is then on lists,
  // or on none, in the same transaction. Called again where a transaction is tried again.
  virtual Awaitable<Result<Edited>> update(Ulid id, Patch patch, Condition condition = {},
                                           Moderate moderate = {}) = 0;
  // Returns the removed document. `condition`: see update(). A damaged comment that no condition
  // protects is removed by a store of items, and its document is empty. A store that needs the
  // comment's values to take it out of its index keeps it until a repair: damaged.
  virtual Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {}) = 0;
  // Why the store cannot keep the comment, whatever else it has: invalid_comment, it is too large.
  virtual Status check(const Comment&) const { return Done{}; }
  // Adds the comments of rows whose ids are new. Others are treated by the terms, see verdict(): of
  // several rows with one id each finds what those before it left. An id stays known when its
  // comment is removed or emptied, if that is_sourced(). None may be such that the store refuses
  // it. A store that can takes all rows or none; another works in pieces, and after an error may
  // have taken some of them: the same call again takes the rest. unavailable.
  virtual Awaitable<Result<Imported>> import_rows(std::vector<ImportRow> rows,
                                                  ImportTerms terms = {}) = 0;
  // The same of comments, without terms. Returns how many were added.
  Awaitable<Result<std::size_t>> insert_many(std::vector<Comment> comments);
  // Keeps the ids of comments that were removed or emptied where an import comes from, as if that
  // had been here. Comments that are here stay. unavailable; forbidden: the store takes no imports.
  virtual Awaitable<Status> keep_removed(std::vector<Ulid> ids) = 0;
  // The best number of rows for one call of import_rows().
  virtual std::size_t batch() const { return 200'000; }
  // A directory of the machine in which an import may sort many comments: batches in the order of
  // ids are much cheaper for the store. Empty: they are not.
  virtual std::string sorting_directory() const { return {}; }

  // What the store keeps besides comments, each a port or null; they live as long as the store.
  virtual CustomerPort* customers() { return nullptr; }
  virtual VotePort* votes() { return nullptr; }
  virtual FactsPort* facts() { return nullptr; }
  virtual FacetPort* facets() { return nullptr; }
  virtual WordPort* words() { return nullptr; }
  virtual ModerationPort* moderation() { return nullptr; }
  virtual EventPort* event_log() { return nullptr; }
  virtual SuccessorPort* successors() { return nullptr; }
};

}  // namespace quire
