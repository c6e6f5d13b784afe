#include "listing/bitmap/indexed.h"

#include <spdlog/spdlog.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/try.h"
#include "listing/bitmap/bitmap_listing.h"
#include "page_index/facet_view.h"
#include "plan/plan.h"
#include "store/views.h"

namespace quire::bitmap {

namespace {

Error unavailable(std::string why) {
  return {ErrorCode::unavailable, std::move(why)};
}

Error failed(const char* told, std::string_view why) {
  spdlog::warn("the page index failed: {}", why);
  return unavailable(told);
}

std::string lacking(const std::string& facet) {
  return "The page index does not hold the facet " + facet +
         " yet. Run quire backfill, which builds the index anew.";
}

// What a listing was opened with.
struct ListingRequest {
  View& view;
  const Filter& filter;
  SortBy sort;
  Counts counts;
  Opening opening;
  CostModel costs;
  bool lists;  // the store has lists

  // In this sort.
  bool listed() const {
    return lists && filter.words.empty() && (!sort.by_value() || sort.by == rating_number);
  }
};

// What to do where words cannot be asked for.
struct WordAdvice {
  std::string absent, building, other_rules;
};

// invalid_parameter, facet_building: words cannot be asked for in this state.
Status ask_words(word_index::State state, const WordAdvice& advice) {
  using word_index::State;
  switch (state) {
    case State::ready:
      return Done{};
    case State::absent:
    case State::dropping:
      return Error{ErrorCode::invalid_parameter, advice.absent, "q"};
    case State::building:
      return Error{ErrorCode::facet_building, advice.building, "q"};
    case State::other_rules:
      return Error{ErrorCode::facet_building, advice.other_rules, "q"};
  }
  return Done{};
}

// Why an index that holds these facets cannot answer, as a sentence; empty: it can. `declared`: the
// facets of the store.
std::string cannot_answer(const Schema& held, const Schema& declared, const ListingRequest& asked) {
  for (const auto& clause : asked.filter.clauses) {
    const auto* facet = declared.find(clause.number);
    if (!facet || !held.holds(*facet)) return lacking(clause.name);
  }
  if (!asked.sort.by_value()) return {};
  const auto* by = declared.find(asked.sort.by);
  return by && held.holds(*by) ? "" : lacking(by ? by->facet().name : "to sort by");
}

// A listing over the index, and the facets that the index holds.
struct OfIndex {
  std::unique_ptr<BitmapListing> listing;
  Schema held;
};

// Of the index in this state.
Status ask_words(FacetView& view) {
  auto state = view.words();
  if (!state) return failed(index_is_down, state.error().message);
  return ask_words(
      *state,
      {"The page index has no words. Run quire words add, then quire backfill.",
       "The page index has no words yet. Run quire backfill, which builds the index anew.",
       "The words of the page index were made by other rules than those of this program. Run quire "
       "backfill, which builds the index anew."});
}

// The index of the product, of a moment in which the index follows the table.
Result<IndexState> open_state(PageIndex& index, const Filter& filter, const Schema& held) {
  auto view = index.facet_view();
  if (!view) return failed(index_is_down, view.error().message);
  if ((*view)->phase() != change::Phase::following || (*view)->schema() != held)
    return unavailable("The page index does not follow the table now.");
  if (!filter.words.empty()) TRY_DONE(ask_words(**view));
  auto source = (*view)->bitmaps(filter.product);
  if (!source) return failed(index_fails_for_product, source.error().message);
  return IndexState{std::shared_ptr<const FacetView>(std::move(*view)), std::move(**source)};
}

// unavailable: says why the index cannot answer.
Awaitable<Result<OfIndex>> open_index(PageIndex& index, const ListingRequest& asked,
                                      bool numbered) {
  CO_TRY(auto declared, co_await asked.view.schema());
  auto view = index.facet_view();
  if (!view) co_return failed(index_is_down, view.error().message);
  Schema held = (*view)->schema();
  view->reset();
  auto lacks = cannot_answer(held, *declared, asked);
  if (!lacks.empty()) co_return unavailable(std::move(lacks));
  Numbers numbers{numbered ? Numbers::Kind::of_index : Numbers::Kind::none};
  auto open = [&index, &filter = asked.filter, held] { return open_state(index, filter, held); };
  OfIndex opened{std::make_unique<BitmapListing>(
                     ListingOptions{asked.view, asked.filter, asked.sort, asked.opening,
                                    std::move(numbers), open, asked.costs}),
                 std::move(held)};
  CO_TRY_DONE(co_await opened.listing->measure(asked.counts));
  co_return std::move(opened);
}

// Rows of lists or of the index. The index counts the facets that it holds; beside lists, it is
// opened when it is asked to.
class IndexedListing : public Listing {
 public:
  // One of `lists` and `opened` is there.
  IndexedListing(ListingMaker& maker, PageIndex& index, ListingRequest asked,
                 std::unique_ptr<Listing> lists, std::optional<OfIndex> opened)
      : maker_(maker),
        index_(index),
        asked_(std::move(asked)),
        lists_(std::move(lists)),
        opened_(std::move(opened)) {}

  std::optional<std::uint64_t> total() const override { return rows().total(); }
  const Numbers& numbers() const override { return none_ ? *none_ : rows().numbers(); }
  // Says why lists are read though the index could answer.
  void set_missing(std::string why) { none_ = Numbers{Numbers::Kind::none, std::move(why)}; }

  // Where the index fails, lists give the page if they are sorted so.
  Awaitable<Result<Rows>> read(std::optional<Position> from, Direction direction) override {
    auto found = co_await rows().read(from, direction);
    if (found || lists_ || !opened_->listing->index_failed() || !asked_.listed()) co_return found;
    CO_TRY(lists_, co_await maker_.open(asked_.view, asked_.filter, asked_.sort, asked_.counts,
                                        asked_.opening));
    set_missing(found.error().message);
    opened_.reset();  // and with it a state of the index
    co_return co_await lists_->read(from, direction);
  }

  Awaitable<Result<std::optional<Position>>> at(std::uint64_t n) override { return rows().at(n); }
  Awaitable<Result<std::optional<std::uint64_t>>> rank(
      const std::optional<Position>& position) override {
    return rows().rank(position);
  }

  // Where the index cannot be asked, the counts of the lists are all there are.
  Awaitable<Result<CountedFacets>> counts(std::span<const SchemaFacet> facets,
                                          Under under) override {
    auto counted = co_await counts_of_index(facets, under);
    if (counted) co_return counted;
    auto missing = counted.error().message;
    if (!lists_) co_return CountedFacets{{}, std::move(missing)};
    counted = co_await lists_->counts(facets, under);
    if (counted && !counted->missing.empty()) counted->missing = std::move(missing);
    co_return counted;
  }

  Explanation explanation() const override { return rows().explanation(); }

 private:
  Listing& rows() const { return lists_ ? *lists_ : *opened_->listing; }

  Awaitable<Status> open_to_count() {
    if (none_) co_return unavailable(none_->missing);
    if (opened_) co_return Done{};
    auto status = co_await maker_.index_status();
    if (status && !status->missing.empty()) co_return unavailable(std::move(status->missing));
    CO_TRY(opened_, co_await open_index(index_, asked_, false));
    co_return Done{};
  }

  // unavailable: says why the index cannot count.
  Awaitable<Result<CountedFacets>> counts_of_index(std::span<const SchemaFacet> facets,
                                                   Under under) {
    CO_TRY_DONE(co_await open_to_count());
    std::vector<SchemaFacet> held;
    std::string missing;
    for (const auto& facet : facets) {
      if (opened_->held.holds(facet))
        held.push_back(facet);
      else
        missing = lacking(facet.facet().name);
    }
    auto counted = co_await opened_->listing->counts(held, under);
    if (counted) counted->missing = std::move(missing);
    co_return counted;
  }

  ListingMaker& maker_;
  PageIndex& index_;
  ListingRequest asked_;
  std::unique_ptr<Listing> lists_;  // null: the rows are of the index
  std::optional<OfIndex> opened_;
  std::optional<Numbers> none_;  // instead of those of the rows
};

class IndexedMaker : public ListingMaker {
 public:
  IndexedMaker(std::unique_ptr<ListingMaker> lists, PageIndex& index, Store& store)
      : lists_(std::move(lists)),
        index_(index),
        store_(store),
        has_lists_(store_.view()->lists() != nullptr) {}

  Awaitable<Result<std::unique_ptr<Listing>>> open(View& view, const Filter& filter, SortBy sort,
                                                   const Counts& counts, Opening opening) override {
    ListingRequest asked{view, filter, sort, counts, opening, costs_of(counts), has_lists_};
    if (!filter.words.empty()) CO_TRY_DONE(words_ready(view));
    bool lists_first = store_.lists_first() && filter.is_of_values();
    if (lists_first && asked.listed()) co_return co_await open_lists(std::move(asked), {});
    auto opened = co_await open_following(asked);
    if (opened) co_return make(std::move(asked), nullptr, std::move(*opened));
    if (!asked.listed()) co_return opened.error();
    co_return co_await open_lists(std::move(asked), opened.error().message);
  }

  Status words_ready(View& /*view*/) override {
    auto view = index_.facet_view();
    if (!view) return failed(index_is_down, view.error().message);
    return ask_words(**view);
  }

  Awaitable<std::optional<IndexStatus>> index_status() override {
    co_return co_await lists_->index_status();
  }

 private:
  // A list in parts does not give the documents of a page in one read.
  CostModel costs_of(const Counts& counts) const {
    auto costs = store_.costs();
    for (std::size_t i = 0; i < indexes.size(); ++i)
      if (counts.parts[i] > 1) costs.per_entry[i] = no_such_list;
    return costs;
  }
  Awaitable<Result<OfIndex>> open_following(const ListingRequest& asked) {
    auto status = co_await index_status();
    if (status && !status->missing.empty()) co_return unavailable(std::move(status->missing));
    co_return co_await open_index(index_, asked, asked.opening.numbered != Opening::Numbered::no);
  }

  // `missing`: why the index gives no numbers; empty: the lists know.
  Awaitable<Result<std::unique_ptr<Listing>>> open_lists(ListingRequest asked,
                                                         std::string missing) {
    CO_TRY(auto rows, co_await lists_->open(asked.view, asked.filter, asked.sort, asked.counts,
                                            asked.opening));
    co_return make(std::move(asked), std::move(rows), {}, std::move(missing));
  }

  std::unique_ptr<Listing> make(ListingRequest asked, std::unique_ptr<Listing> lists,
                                std::optional<OfIndex> opened, std::string missing = {}) {
    auto listing = std::make_unique<IndexedListing>(*lists_, index_, std::move(asked),
                                                    std::move(lists), std::move(opened));
    if (!missing.empty()) listing->set_missing(std::move(missing));
    return listing;
  }

  const std::unique_ptr<ListingMaker> lists_;
  PageIndex& index_;
  Store& store_;
  const bool has_lists_;
};

class BitmapMaker : public ListingMaker {
 public:
  explicit BitmapMaker(bool numbered) : numbered_(numbered) {}

  Awaitable<Result<std::unique_ptr<Listing>>> open(View& view, const Filter& filter, SortBy sort,
                                                   const Counts& counts, Opening opening) override {
    if (!filter.words.empty()) CO_TRY_DONE(words_ready(view));
    bool numbered = numbered_ && opening.numbered != Opening::Numbered::no;
    Numbers numbers{numbered ? Numbers::Kind::exact : Numbers::Kind::none};
    auto listing = std::make_unique<BitmapListing>(
        ListingOptions{view, filter, sort, opening, std::move(numbers)});
    CO_TRY_DONE(co_await listing->measure(counts));
    co_return std::unique_ptr<Listing>(std::move(listing));
  }

  Status words_ready(View& view) override {
    auto* bitmaps = view.bitmap_view();
    if (!bitmaps) return wordless_table();
    TRY(auto state, bitmaps->words());
    return ask_words(
        state,
        {"This store has no index of words. Run quire words add.",
         "The index of words is being built. Ask again later; quire words list shows how far "
         "it is.",
         "The index of words was made by other rules than those of this program. A server "
         "that writes the store builds it anew; quire words list shows how far it is."});
  }

  Awaitable<std::optional<IndexStatus>> index_status() override { co_return std::nullopt; }

 private:
  const bool numbered_;
};

}  // namespace

std::unique_ptr<ListingMaker> listings_with(std::unique_ptr<ListingMaker> lists, PageIndex& index,
                                            Store& store) {
  return std::make_unique<IndexedMaker>(std::move(lists), index, store);
}

std::unique_ptr<ListingMaker> listings(bool numbered) {
  return std::make_unique<BitmapMaker>(numbered);
}

}  // namespace quire::bitmap
