// The service: everything that Quire can be asked, over any store.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/hash.h"
#include "cursor/cursor.h"
#include "listing/listing.h"
#include "model/entry.h"
#include "product/facts.h"
#include "quire/comment.h"
#include "quire/facet.h"
#include "quire/page.h"
#include "quire/result.h"
#include "service/changes.h"
#include "service/ids.h"
#include "store/customer_view.h"
#include "store/moderation_view.h"
#include "store/ports.h"
#include "store/store.h"
#include "store/successors.h"

namespace quire {

// What the shop tells of one product. Absent: nothing.
Awaitable<Result<std::optional<ProductFacts>>> facts_of(View& view, std::string product);

// The number of a page, counted at its limit.
struct PageNumber {
  std::uint64_t number;  // of the page that holds the first comment
  std::uint64_t count;   // a listing without comments has one page
  bool whole = true;     // whether the first comment is the first of that page, too
  // Whether the page of the next number begins where this page ends. It begins further on if the
  // index does not have all comments of this page yet.
  bool joins = true;
};

// How the links to the neighbouring pages lead there.
enum class Links {
  by_cursor,
  by_number,  // then an index beside the store is asked once more, for PageNumber::joins
};

// A page as it leaves the service. Its rows' documents live as long as its view does.
struct FoundPage {
  std::vector<Entry> rows;
  std::optional<std::uint64_t> total;  // absent: comments under this filter are not counted
  std::optional<PageNumber> number;    // absent: the listing has no numbers
  std::string numbers_missing;      // why a number is missing, as a sentence; empty: none is kept
  std::optional<std::string> next;  // cursors
  std::optional<std::string> previous;
  std::size_t read = 0;                    // entries of lists, or ids of bitmaps
  std::size_t discarded = 0;               // of these, those that are not shown
  std::size_t requests = 0;                // reads of lists, or of bitmaps
  std::optional<Explanation> explanation;  // when asked for
  std::vector<FacetCounts> facets;         // when asked for: each under the others
  std::string facets_missing;              // why facets are left out there, as a sentence
  std::shared_ptr<const Schema> schema;
  Counts counts;  // of the whole product
  std::unique_ptr<View> view;
};

// The numbers of comments by rating.
RatingCounts ratings_of(const Counts& counts);

// Everything that was written before this time is in the counts, in ms since 1970; absent: all is.
using AsOf = std::optional<std::uint64_t>;

struct Statistics {
  RatingCounts ratings{};  // under the filter
  // The languages of comments under the filter, by text.
  std::vector<std::pair<std::string, std::uint64_t>> languages;
  std::string_view latest, latest_positive, latest_critical;  // documents; empty: there is none
  std::optional<std::uint64_t> latest_ms;                     // the time of the latest
  AsOf as_of_ms;                                              // of the numbers
  std::unique_ptr<View> view;                                 // which holds the documents
};

struct ProductTotals {
  std::vector<ProductTotal> products;
  AsOf as_of_ms;
};

struct Leaderboard {
  std::vector<Leader> leaders;
  AsOf as_of_ms;
  std::string language = {};  // in its canonical form; empty: any
};

// Where a page of the list of all begins or ends: a cursor of an earlier answer, or neither.
struct PageEdge {
  std::optional<std::string> after = {};
  std::optional<std::string> before = {};
};

// A page of the list of all, and the cursors of its neighbours.
struct ListedPage {
  QueuePage page = {};
  std::optional<std::string> next = {};
  std::optional<std::string> previous = {};
};

// When comments were published, edited or replied to last, in ms since 1970.
using ChangeTimes = std::map<Ulid, std::uint64_t>;

// The newest comments of all products, and those that were changed last.
struct Latest {
  std::vector<Comment> comments = {};
  ChangeTimes changed = {};  // of some of them
};

// The page that a comment is on.
struct CommentPage {
  Ulid id;
  std::string product;
  std::uint64_t number;
};

// What a client calls a comment: its id, or the id that it has in a table that others made.
struct CommentName {
  std::string text;

  CommentName(std::string text) : text(std::move(text)) {}
  CommentName(const Ulid& id) : text(id.text()) {}
};

struct FoundComment {
  std::string_view document;
  std::unique_ptr<View> view;
};

// A post, as its first answer has it.
struct Posted {
  Comment comment;
  std::string document;   // as its writer may see it
  bool repeated = false;  // by its key: the comment was posted before
};

// What is kept of a customer.
struct Kept {
  std::vector<Comment> comments;  // of any status, newest first
  std::vector<ReportRow> reports;
  std::vector<VoteRow> votes;
  std::uint64_t missing = 0;  // damaged rows, which are left out
};

// What a client sends so that a repeated post makes no second comment: its key, and of what.
struct SentKey {
  std::string key;
  std::optional<Digest> content = {};  // absent: that of the draft
  std::string product = {};            // that the client names; empty: that of the draft

  SentKey(std::string key, std::optional<Digest> content = {}, std::string product = {})
      : key(std::move(key)), content(content), product(std::move(product)) {}
};
// A digest of all that a client may send.
Digest content_of(const Draft& draft);

// The name of the rule that holds a comment back; absent: it is published. Thread-safe.
using Rules = std::function<std::optional<std::string_view>(const Comment&)>;

// Thread-safe; the store must outlive it.
class Comments {
 public:
  // `listings` opens listings of the store.
  Comments(Store& store, std::unique_ptr<ListingMaker> listings, Seal seal, Clock clock = system_ms,
           Entropy entropy = system_entropy);

  // `query` must live until the page is there. Where the listing has no numbers, the page has none;
  // unavailable, if it was asked for by a number beyond 1. invalid_parameter, page_out_of_range.
  // invalid_cursor, cursor_mismatch: the cursor is none, or is of another query. facet_building.
  Awaitable<Result<FoundPage>> page(const Query& query, Links links = Links::by_cursor) const;
  // The time up to which the page's counts are complete.
  Awaitable<Result<AsOf>> as_of(const FoundPage& page) const { return page.view->as_of(); }
  Awaitable<Result<FoundComment>> get(CommentName name) const;
  Awaitable<Result<std::vector<ProductTotal>>> products(std::string after,
                                                        std::size_t limit) const {
    return ask(&View::products, std::move(after), limit);
  }
  Awaitable<Result<std::vector<std::string>>> product_names(std::string after,
                                                            std::size_t limit) const {
    return ask(&View::names, std::move(after), limit);
  }
  // What the shop tells of these products, in their order.
  Awaitable<Result<FoundFacts>> facts(std::vector<std::string> products) const {
    return ask(&View::facts, std::move(products));
  }
  Awaitable<Result<std::optional<ProductFacts>>> facts_of(std::string product) const;
  // See Store.
  Awaitable<Result<std::size_t>> put_facts(std::vector<NamedFacts> all,
                                           FactsCondition condition = {});
  Awaitable<Status> remove_facts(std::string product, FactsCondition condition = {});
  // See SuccessorPort. A store without the port has none.
  std::optional<std::string> successor(std::string_view product) const;
  // forbidden: the store cannot. invalid_parameter: both are one product, or one is no name.
  Awaitable<Result<Moved>> move(std::string from, std::string to);
  // See View::newest().
  Awaitable<Result<std::vector<std::uint64_t>>> newest(std::vector<std::string> products) const {
    return ask(&View::newest, std::move(products));
  }

  // The languages of a product's comments, as of its counts, in the order of their texts.
  // invalid_parameter: there is no such product.
  Awaitable<Result<std::vector<std::string>>> languages(std::string product) const;

  // The page of `query`, of the comment's own product, that the comment is on. Cursors, page and
  // skip of the query do not count. not_found: there is no such comment, or the filter excludes it.
  // unavailable: pages have no numbers now.
  Awaitable<Result<CommentPage>> page_of(CommentName name, Query query) const;
  // Counts the comments that the query's filter selects; sort, page and limit do not count.
  // Positive comments have 4 or 5 stars, critical ones 1 or 2. unavailable: this store does not
  // count comments under this filter.
  Awaitable<Result<Statistics>> statistics(Query query) const;
  // The totals of 1 to 100 products, in the order asked for. A product without comments has zeros,
  // and a product that has moved those of its successor.
  Awaitable<Result<ProductTotals>> totals_of(std::vector<std::string> products) const;
  // `language` empty: any.
  Awaitable<Result<Leaderboard>> leaderboard(Leaders by, std::string language,
                                             std::size_t limit) const;

  // `key`: an idempotency key; the caller makes it differ between senders. `rules`: that bind the
  // writer; null: none does, and the draft's own status counts. `terms`: see Store::insert(), with
  // its errors; the time of a ticket's use is now. invalid_comment: names every field at fault.
  Awaitable<Result<Posted>> post(Draft draft, std::optional<SentKey> key = {}, Rules rules = {},
                                 CustomerTerms terms = {});
  // Nothing changes where `condition` refuses it: precondition_failed, forbidden. An edit of
  // author, title, text, the texts of attributes or an attribute of `fields` by a writer whom
  // `rules` bind is judged again, and publishes nothing. A status in the patch is a moderator's
  // decision.
  Awaitable<Result<Edited>> patch(Ulid id, Patch patch, Condition condition = {}, Rules rules = {},
                                  std::vector<std::string> fields = {});
  // Sets the shop's reply, of now, or removes it. A reply of the same author and text keeps its
  // time. `unpublished`: whether the comment may have any status. not_found, precondition_failed,
  // forbidden.
  Awaitable<Result<Edited>> reply(Ulid id, std::optional<Reply> reply, Condition condition,
                                  bool unpublished);
  // The document removed.
  Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {}) {
    return store_.remove(id, std::move(condition));
  }

  // A comment of any status, for those who may see it.
  Awaitable<Result<Comment>> find(CommentName name) const;
  // See CustomerView. forbidden, as below: the store knows no customers.
  Awaitable<Result<OwnComments>> written_by(CustomerHash customer, std::optional<Ulid> after,
                                            std::size_t limit) const {
    return ask_customers(&CustomerView::written_by, customer, after, limit);
  }
  Awaitable<Result<std::optional<Ulid>>> first_of(CustomerHash customer,
                                                  std::string product) const {
    return ask_customers(&CustomerView::first_of, customer, std::move(product));
  }
  Awaitable<Result<std::optional<Ulid>>> made_by(CustomerHash customer, TicketId ticket) const {
    return ask_customers(&CustomerView::made_by, customer, ticket);
  }
  Awaitable<Result<bool>> has_published(CustomerHash customer) const {
    return ask_customers(&CustomerView::has_published, customer);
  }
  Awaitable<Result<Traces>> traces(CustomerHash customer, std::vector<Ulid> comments) const {
    return ask_customers(&CustomerView::traces, customer, std::move(comments));
  }
  // All that is kept of a customer, of one state of the store where it has such. Errors as of
  // CustomerView.
  Awaitable<Result<Kept>> kept_of(CustomerHash customer) const;
  // See VotePort. vote(): forbidden where the store knows no customers.
  Awaitable<Result<bool>> sweep();
  Awaitable<Result<Voted>> vote(Ulid id, CustomerHash customer, std::optional<Vote> vote);
  // See CustomerPort. forbidden, as above.
  Awaitable<Erasure> erase(CustomerHash customer, bool keep_ratings);
  // See ModerationView and ModerationPort. forbidden: the store keeps published comments alone.
  Awaitable<Result<QueuePage>> queue(QueueQuestion question) const;
  // Whether the store keeps comments of any status, and reports.
  bool moderates() const { return store_.moderation() != nullptr; }
  // A page of the queue, and those of its filter that were changed last, where the store keeps
  // that. Errors as of queue().
  Awaitable<Result<Latest>> latest(QueueQuestion question) const;
  // A page of the queue by sealed cursors. invalid_cursor, cursor_mismatch; invalid_parameter: both
  // are sent.
  Awaitable<Result<ListedPage>> list(QueueQuestion question, PageEdge edge) const;
  // Absent also where the store keeps published comments alone.
  Awaitable<Result<std::optional<StatusTotals>>> status_totals() const;
  Awaitable<Result<std::optional<Edited>>> report(Ulid id, Report report, std::uint64_t hold_at);
  Awaitable<Result<Edited>> undo(Ulid id, Undo undo, Condition condition);
  // Forgets the contacts that were kept long enough at `now_ms`. Returns how many.
  Awaitable<Result<std::size_t>> forget_contacts(std::uint64_t now_ms);
  // A key of another use, made of the key that seals cursors.
  Seal::Key derived_key(std::string_view use) const { return seal_.derive(use); }

  // Language and rating first, then the declared ones, oldest first.
  Awaitable<Result<std::vector<FacetStatus>>> facets() const;
  // See FacetPort. forbidden: the store keeps no facets.
  Awaitable<Status> declare(Facet facet);
  Awaitable<Status> drop(std::string name);

  Changes& changes() { return changes_; }

  // Into which an import writes.
  Store& store() { return store_; }

  Awaitable<Status> ready() const { return store_.ready(); }
  // Whether words can be asked for in this state of the store.
  bool has_words(View& view) const { return listings_->words_ready(view).ok(); }
  // Absent: there is no page index beside the store.
  Awaitable<std::optional<IndexStatus>> index_status() const { return listings_->index_status(); }
  // See Store.
  std::optional<Generation> generation(std::string_view product) const {
    return store_.generation(product);
  }
  std::optional<std::uint64_t> newest_commit() const { return store_.newest_commit(); }
  // The counters of the store.
  std::vector<Metric> metrics() const { return store_.metrics(); }

 private:
  struct Opened;

  // Asks a new view, which lives until it has answered.
  template <class Found, class... Parameters, class... Arguments>
  Awaitable<Found> ask(Awaitable<Found> (View::*question)(Parameters...),
                       Arguments... arguments) const {
    auto view = store_.view();
    co_return co_await (*view.*question)(std::move(arguments)...);
  }
  template <class Found, class... Parameters, class... Arguments>
  Awaitable<Found> ask_customers(Awaitable<Found> (CustomerView::*question)(Parameters...),
                                 Arguments... arguments) const {
    auto view = store_.view();
    auto* customers = view->customers();
    if (!customers) co_return no_customers();
    co_return co_await (*customers.*question)(std::move(arguments)...);
  }

  // invalid_comment: an attribute is a facet, and does not fit its type.
  Awaitable<Status> check_facets(const Attributes& attributes) const;

  Awaitable<Result<Opened>> open(std::unique_ptr<View> view, const Filter& filter, SortBy sort,
                                 Opening opening) const;

  Store& store_;
  const std::unique_ptr<ListingMaker> listings_;
  Seal seal_;
  Clock clock_;
  Entropy entropy_;
  Ids ids_;
  Changes changes_{store_};
};

}  // namespace quire
