// Changes comments within one write transaction: comment, index and counts change together.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bitmap_index/edit.h"
#include "bitmap_index/reading/kept_totals.h"
#include "bitmap_index/reading/reader.h"
#include "quire/comment.h"
#include "quire/result.h"
#include "store/embedded/databases.h"
#include "store/embedded/documents.h"
#include "store/embedded/event_log.h"
#include "store/embedded/format/rows.h"
#include "store/event_log.h"
#include "store/ports.h"
#include "store/store.h"
#include "store/successors.h"
#include "store/undo.h"
#include "word_index/edit.h"
#include "word_index/rewrite.h"
#include "word_index/state.h"

namespace quire::embedded {

// Whether anything is kept of customers, so that their key must not change.
bool has_customers(const Databases& databases, const lmdb::Transaction& txn);

// The product to which this one has moved. Absent: it has not. Throws lmdb::Damaged.
std::optional<std::string> successor_of(const Databases& databases, const lmdb::Transaction& txn,
                                        std::string_view product);
// The products that have moved to it, which may have comments still. Throws lmdb::Damaged.
std::vector<std::string> former_products(const Databases& databases, const lmdb::Transaction& txn,
                                         std::string_view product);
// The first comment that a customer wrote for a product, or for one that has moved to it. Throws
// lmdb::Damaged.
std::optional<Ulid> first_comment(const Databases& databases, const lmdb::Transaction& txn,
                                  const CustomerHash& customer, std::string_view product);

// What is left to be done between writes: votes to be swept; facets, and words, to be built or
// dropped.
using UpkeepLeft = std::array<bool, 3>;

// Each function either succeeds, or returns an error and changes nothing. After an exception the
// caller must abort the transaction: lmdb::Failure, or another std::exception where the store is
// damaged. What changes in the index and in the rows of products is written by finish(), once for
// all changes of the transaction.
class Edit {
 public:
  Edit(const Databases& databases, lmdb::WriteTransaction& txn) : db_(databases), txn_(txn) {}

  Result<std::string> insert(const Comment& comment, const std::optional<RequestKey>& once,
                             const CustomerTerms& terms, const word_index::Terms& words = {});
  Result<Edited> update(const Ulid& id, const Patch& patch, const Condition& condition,
                        const Moderate& moderate);
  Result<std::string> remove(const Ulid& id, const Condition& condition);
  // See Store. In moderation.cc.
  Result<std::optional<Edited>> report(const Ulid& id, const Report& report, std::uint64_t hold_at);
  Result<Edited> undo(const Ulid& id, const Undo& undo, const Condition& condition);
  Status keep_report(const Ulid& id, const Report& report);
  // Of the reports with these keys, which may have changed since. Returns how many it forgot.
  Result<std::size_t> forget_contacts(const std::vector<std::string>& keys,
                                      std::uint64_t decided_before_ms);
  // See Store. In votes.cc, as are those below.
  Result<Voted> vote(const Ulid& id, const CustomerHash& customer, std::optional<Vote> vote);
  // Removes votes of comments that were removed, until `enough()`.
  void sweep(const std::function<bool()>& enough);
  // A part of an erasure, see Store.
  struct ErasedPart {
    Erased erased = {};
    std::optional<Error> damage = {};  // of a comment that stays until a repair, or its count
  };
  // The customer's votes with these keys in `voters`.
  Result<ErasedPart> erase_votes(const CustomerHash& customer,
                                 const std::vector<std::string>& keys);
  // The customer's comments with these keys in `customers`. In customers.cc, as are those below.
  Result<ErasedPart> erase_comments(const CustomerHash& customer, bool keep_ratings,
                                    const std::vector<std::string>& keys);
  // Erases the reports with these keys that are still there.
  Result<ErasedPart> erase_reports(const std::vector<std::string>& keys);
  // Used tickets, rows that a repair set aside, and rows that name a comment which is gone, or is
  // another customer's.
  Result<ErasedPart> erase_rest(const CustomerHash& customer);
  // See Store. In documents.cc.
  Result<Imported> import_rows(const std::vector<ImportRow>& rows, const ImportTerms& terms);
  Status keep_removed(const std::vector<Ulid>& ids);

  struct Rebuilt {
    std::size_t comments = 0;
    // The comments that cannot be read, or share their id with another comment. They moved to the
    // database `damaged`.
    std::vector<std::string> set_aside;
    std::vector<std::string> facts_aside;  // products whose facts moved there: they are damaged
    std::size_t lost_facets = 0;           // declared ones whose rows could not be read
    std::size_t removed = 0;               // damaged rows of reports, votes, decisions and tickets
  };
  // Rebuilds everything but the comments and the facets from the comments. In repair.cc.
  Rebuilt rebuild();

  // See Store. In facts.cc.
  Result<std::size_t> put_facts(const std::vector<NamedFacts>& all,
                                const FactsCondition& condition);
  Status remove_facts(const std::string& product, const FactsCondition& condition);
  // Marks a product as moved, see SuccessorPort::move(). In successors.cc, as are those below.
  Moved mark_moved(const std::string& from, const std::string& to);
  // Moves those of these comments whose product has moved. Returns how many.
  std::size_t bring(const std::vector<Ulid>& ids);
  // See Store. In facets.cc.
  Status declare(const Facet& facet);
  Status drop(std::string_view name);
  // See Store. In words.cc.
  Status add_words();
  Status drop_words();
  // Builds or drops the index of words further, as work_on_facets().
  void work_on_words(const std::function<bool()>& enough);
  // Removes some of the rows of an index of words that is dropped, or was made by other rules.
  // Whether any may be left. In words.cc.
  bool remove_old_words();
  // Puts segments of words that were written anew, if they are still as they were before.
  bool rewrite_words(const word_index::Rewrite& rewrite);
  // Takes a renumbering of segments of words a step further.
  void renumber_words(const word_index::Renumbering& plan, word_index::RenumberingState& state);
  UpkeepLeft upkeep_left();
  // Why the words are built anew from this change on; empty: they are not.
  const std::string& words_damage() const { return words_damage_; }
  // Builds or drops a facet further, until `enough()`, which is asked every few milliseconds.
  // Returns whether any work is left.
  bool work_on_facets(const std::function<bool()>& enough);

  // What changed in the index of a product.
  struct Reindexed {
    ProductNumber product;
    std::uint64_t before, after;  // its generations
    // Sorted by id; absent: too many to tell. Without the texts of values.
    std::optional<std::vector<bitmap_index::IdChange>> ids;
  };
  // Writes everything. Call it before committing. Returns what changed in the index.
  std::vector<Reindexed> finish();
  // See LmdbStore::keep_customer_check().
  std::string customer_check(const std::string& fresh);
  // See EventPort.
  void keep_events(bool kept) { events_.keep(kept); }
  // Of a log that follows a table's stream, see Outbox: the row that says how far, until the next
  // write, and an event with its time.
  std::optional<std::string_view> followed() const { return txn_.find(db_.meta, followed_row); }
  void put_followed(std::string_view row) { txn_.put(db_.meta, followed_row, row); }
  void tell(Event event) { events_.add(std::move(event)); }
  // Whether finish() wrote events.
  bool has_told() const { return told_; }

 private:
  struct FoundComment {
    ProductNumber product;  // of a published comment
    std::string document;
    Comment comment;
  };
  // A comment as the index had it and must have it; nullptr: not at all.
  struct Indexed {
    Ulid id;
    const Comment* before;
    const Comment* after;
  };
  // A product that this transaction changes.
  struct Touched {
    ProductRow before, row;
    std::vector<Indexed> index;  // a comment that changed twice is there twice
  };
  using Products = std::map<std::string, Touched, std::less<>>;

  Result<FoundComment> find(const Ulid& id, const Condition& condition) const;
  Result<FoundComment> find(const Ulid& id) const;
  // A comment that is not published. In moderation.cc, as are those below.
  std::optional<Result<FoundComment>> find_held(const Ulid& id) const;
  const lmdb::Sealed& held(CommentStatus status) const;
  // Puts a new comment where its status says.
  void put(const Comment& comment, const std::string& document);
  void replace(FoundComment& found, Comment changed, const std::string& document);
  void put_on_lists(const Comment& comment, const std::string& document);
  // Takes a comment from there.
  void take(FoundComment& found);
  void put_decision(const Comment& comment);
  // The rows of a comment that a customer wrote. In customers.cc, as are those below.
  void put_customer(const Comment& comment);
  void put_customers(std::span<const Comment* const> comments);
  void forget_customer(const Comment& comment);
  bool is_of(const CustomerHash& customer, const Ulid& id);
  Status check_terms(const CustomerTerms& terms, const Comment& comment) const;
  void use_ticket(const Ticket& ticket, const Comment& comment, std::uint64_t now_ms);
  void forget_tickets(std::uint64_t now_ms);
  void repair_tickets(Rebuilt& rebuilt);
  void empty(FoundComment& found);
  // Of a comment that has votes: what it would have without them. In votes.cc, as are those below.
  std::optional<Tally> unvoted(const Ulid& id) const;
  bool is_readable_vote(const Ulid& id, std::string_view key) const;
  Result<Voted> cast(FoundComment& found, const CustomerHash& customer, std::optional<Vote> vote);
  Status put_votes(FoundComment& found, const std::optional<Tally>& row, const Tally& before,
                   const VoteCounts& votes);
  void forget_votes(const Ulid& id);
  bool sweep_one();
  void repair_votes(Rebuilt& rebuilt);
  void recount(const Ulid& id, const VoteCounts& votes);
  void rewrite(FoundComment& found, Comment changed);
  void forget_reports(const Ulid& id);
  // The revisions of a product, or of `all_products`, as this transaction leaves them. In
  // moderation.cc, as are those that change them.
  std::vector<Revision>& revisions(ProductNumber product);
  // Before a change: notes it if `after` is published, and readers see it.
  void note_revision(const Comment& before, const Comment& after);
  void forget_revision(ProductNumber product, const Ulid& id);
  std::optional<Revision> revision(ProductNumber product, const Ulid& id);
  void keep_revision(ProductNumber product, const Revision& revision);
  void write_revisions();
  // Sets when a moderator decided on the comment, in its reports with a contact that waits for it.
  void settle_contacts(const Ulid& id, std::uint64_t now_ms);
  void remove(FoundComment& found);
  std::optional<std::string> successor(std::string_view product) const {
    return successor_of(db_, txn_, product);
  }
  // Makes the comment one of another product. In successors.cc, as is the one below.
  void move(FoundComment& found, const std::string& to);
  void repair_successors(Rebuilt& rebuilt);
  Products::value_type& product(std::string_view name);
  bool has_room(const Comment& comment) const;
  ProductNumber next_product();
  const Comment* keep(Comment comment) { return &kept_.emplace_back(std::move(comment)); }
  void write_products();
  void put_product(const std::string& name, Touched& touched);
  void put_leaders(const std::string& name, FacetValue language, const RatingCounts& before,
                   const RatingCounts& after);
  void put_index(Touched& touched);
  void put_index(ProductNumber product, std::span<const Indexed> comments,
                 bitmap_index::IndexEdit& edit, Reindexed& told);
  using Values = std::vector<bitmap_index::Value>;
  std::optional<Values> values(ProductNumber product, const Comment* comment);

  // The facets as this transaction sees them.
  const StoredSchema& schema();
  void put_schema(SchemaRow row);
  void put_facet(const FacetRow& row);
  bool build(FacetRow facet, const std::function<bool()>& enough);
  bool drop_rows(FacetRow facet, const std::function<bool()>& enough);

  // The index of words as this transaction sees it. In words.cc, as are those below.
  word_index::IndexEdit& words();
  void put_words(ProductNumber product, std::span<const Indexed> comments);
  void build_or_begin_anew();
  bool build_words();
  void build_words_anew(const word_index::DamagedWords& damaged);
  // Removes the index. Whether it is to be built again.
  bool clear_words();
  void finish_words();

  // Writes ids, products and index of comments that have none yet, sorted by id within each
  // product, and counts them.
  void add(std::span<const Comment* const> comments);
  // Adds comments whose ids are new, sorted by id, with all that hangs on them. In documents.cc.
  void insert(SortedComments fresh);
  // Takes a row whose comment is there, or was, by the terms. Returns whether a comment changed. In
  // documents.cc, as are those below.
  bool meet(const ImportRow& row, const ImportTerms& terms, Imported& imported);
  bool is_removed(const Ulid& id) const;
  void keep_id(const Comment& comment);
  bool is_held(const Ulid& id) const;
  void repair_moderation(Rebuilt& rebuilt);
  void repair_reported(const std::set<std::string>& published_with_reports);
  void drop_from(
      const lmdb::Sealed& database, Rebuilt& rebuilt,
      const std::function<bool(std::string_view, std::optional<std::string_view>)>& is_bad);

  // Returns the others.
  SortedComments set_twins_aside(const std::vector<Comment>& comments, Rebuilt& rebuilt);
  void set_aside(const lmdb::Sealed& database, std::string_view key);
  void set_comment_aside(const lmdb::Sealed& database, std::string_view key, Rebuilt& rebuilt);
  void clear_index();
  void rebuild_facets(Rebuilt& rebuilt);
  void reindex(Rebuilt& rebuilt);
  void rebuild_requests();
  std::optional<ProductFacts> facts_of(const std::string& product) const;
  void repair_facts(Rebuilt& rebuilt);

  std::optional<Result<std::string>> first_answer(const RequestKey& once) const;
  void remember(const RequestKey& once, const Ulid& id, const std::string& document);
  void forget(std::string_view key);       // of a request; does nothing if the key is unknown
  bool forget_request_of(const Ulid& id);  // whether there was one
  void forget_expired(std::uint64_t now_ms);

  const Databases& db_;
  lmdb::WriteTransaction& txn_;
  bool keyless_ = db_.keyless;                  // the index takes no write
  std::shared_ptr<const StoredSchema> schema_;  // null: not read yet
  Products products_;
  std::deque<Comment> kept_;                    // to which products_ points
  std::optional<word_index::IndexEdit> words_;  // absent: not asked for yet
  std::string words_damage_;
  std::map<Ulid, word_index::Terms> made_terms_;  // of comments that came, made beforehand
  std::vector<Reindexed> reindexed_;
  EventLog events_{db_, txn_};
  std::map<ProductNumber, std::vector<Revision>> revisions_;  // that were looked at
  bool told_ = false;
};

}  // namespace quire::embedded
