// The facade: everything Quire can be asked, over whichever store it was given.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cursor/cursor.h"
#include "model/entry.h"
#include "quire/comment.h"
#include "quire/page.h"
#include "quire/result.h"
#include "service/page_numbers.h"
#include "store/store.h"

namespace quire {

// How a page was found, as the interface names it.
struct Explanation {
  struct Start {
    std::string list;
    std::string key;  // JSON; empty: from the list's beginning
  };
  struct Alternative {
    std::string summary;
    double cost;
  };

  std::string index;
  std::vector<std::string> lists;
  std::vector<std::string> skipped;
  std::optional<std::string> residual;  // "rating 1 4 5"
  std::string summary;
  std::vector<Start> start;
  double estimated_cost = 0;
  std::size_t read = 0;
  std::size_t discarded = 0;
  std::size_t requests = 0;
  double consumed_capacity = 0;
  std::vector<Alternative> alternatives;
};

struct FacetCount {
  std::string value;
  std::uint64_t comments;
};

// The place of a page among all of its filter, counted at its limit.
struct PageNumber {
  std::uint64_t number;  // of the page on which the first comment stands
  std::uint64_t count;   // an empty list has one page
  bool whole = true;     // whether the page begins where that one does; by cursor it need not
  // Whether the page of the next number begins where this one ends. Not where the index has not
  // heard of all of its comments: that page begins so many further on.
  bool joins = true;
};

// How a page is gone on from.
enum class Links {
  by_cursor,
  by_number,  // where numbers lead there: an index beside the store is asked once more for that
};

// A page as it leaves the service. Its entries' documents live as long as its view does.
struct FoundPage {
  std::vector<Entry> rows;
  std::uint64_t total = 0;
  std::optional<PageNumber> number;  // where there is a page index
  std::string numbers_missing;       // why not, where there should be one, as a sentence
  std::optional<std::string> next;
  std::optional<std::string> previous;
  std::size_t read = 0;             // entries of lists
  std::size_t discarded = 0;        // read, but not shown
  std::size_t requests = 0;         // reads of lists
  std::optional<Explanation> plan;  // when asked for
  Counts counts;                    // of the whole product
  std::unique_ptr<View> view;
};

// What was written before then is in counts, in ms since 1970; nothing: everything is.
using AsOf = std::optional<std::uint64_t>;

struct Statistics {
  RatingCounts ratings{};                                        // in the languages asked for
  std::vector<std::pair<std::string, std::uint64_t>> languages;  // of these, those with comments
  std::string_view latest, latest_positive, latest_critical;     // documents; empty: there is none
  AsOf as_of_ms;                                                 // of the numbers
  std::unique_ptr<View> view;                                    // which holds the documents
};

struct Leaderboard {
  std::vector<Leader> leaders;
  AsOf as_of_ms;
};

struct FoundPlace {
  std::string product;
  std::uint64_t number;
};

struct FoundComment {
  std::string_view document;
  std::unique_ptr<View> view;
};

// Thread-safe; the store must outlive it.
class Comments {
 public:
  Comments(Store& store, Seal seal, NumbersFrom numbers = {}, Clock clock = system_ms,
           Entropy entropy = system_entropy);

  // `query` must live until the page is there. Without the page index beside the store it has no
  // number; unavailable, if it was asked for by one beyond the first.
  Awaitable<Result<FoundPage>> page(const Query& query, Links links = Links::by_cursor) const;
  // Of the page's counts.
  Awaitable<Result<AsOf>> as_of(const FoundPage& page) const;
  Awaitable<Result<FoundComment>> get(Ulid id) const;
  Awaitable<Result<std::vector<ProductTotal>>> products(std::string after, std::size_t limit) const;
  Awaitable<Result<std::vector<std::string>>> product_names(std::string after,
                                                            std::size_t limit) const;

  // On which page of `query`, of the comment's own product, it stands; cursors and page are left
  // aside. not_found: there is no such comment, or the filter excludes it. unavailable: pages have
  // no numbers now.
  Awaitable<Result<FoundPlace>> place(Ulid id, Query query) const;
  // Positive comments have 4 or 5 stars, critical ones 1 or 2.
  Awaitable<Result<Statistics>> statistics(std::string product,
                                           std::vector<std::string> languages) const;
  // `language` empty: any.
  Awaitable<Result<Leaderboard>> leaderboard(Leaders by, std::string language,
                                             std::size_t limit) const;

  // The document stored. `key`: an idempotency key; the caller makes it differ between senders.
  Awaitable<Result<std::string>> post(Draft draft, std::optional<std::string> key = {});
  // Nothing changes where `condition` refuses it: precondition_failed, forbidden.
  Awaitable<Result<Edited>> patch(Ulid id, Patch patch, Condition condition = {});
  // The document removed.
  Awaitable<Result<std::string>> remove(Ulid id, Condition condition = {});

  Awaitable<Status> ready() const;
  // How the page index beside the store stands; nothing: there is none.
  Awaitable<std::optional<Standing>> standing() const;
  // What the store counts.
  std::vector<Figure> figures() const { return store_.figures(); }

 private:
  // Nobody, where an index beside the store is to be asked.
  Numberer own(View& view) const { return {own_ranks_ ? view.ranks() : nullptr}; }

  Store& store_;
  Seal seal_;
  const bool own_ranks_;
  std::unique_ptr<PageNumbers> numbers_;  // of the index beside the store, if there is one
  Clock clock_;
  Entropy entropy_;
};

}  // namespace quire
