#include "listing/bitmap/bitmap_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/try.h"
#include "lmdb/environment.h"
#include "lmdb/sealed.h"
#include "model/document.h"
#include "page_index/page_index.h"
#include "store/views.h"

namespace quire::bitmap {

using bitmap_index::Matches;

namespace {

// An index beside the store is a little behind: a comment that it selects may be gone, or another.
bool still_matches(const Filter& filter, std::string_view document) {
  auto comment = decode_document(document);
  return comment && comment->product == filter.product && filter.matches(*comment);
}

Error damaged_index() {
  return {ErrorCode::damaged, "The bitmap index of this product is damaged: run quire verify."};
}

}  // namespace

BitmapListing::BitmapListing(ListingOptions options)
    : RunListing(options.sort.order(), options.opening), options_(std::move(options)) {}

Awaitable<Status> BitmapListing::measure(const Counts& counts) {
  const Filter& filter = options_.filter;
  if (own() && counts.exact && filter.is_of_values()) {
    auto all = counts.total();
    bool restricts =
        filter.nothing || filter.restricts(language_facet) || filter.restricts(rating_facet);
    total_ = restricts ? counts.total(filter) : all;
    walks_ = !options_.sort.by_value() && *total_ > 0 && *total_ == all;
    co_return Done{};
  }
  if (!numbered()) co_return Done{};
  CO_TRY(auto matches, this->matches());
  total_ = 0;
  if (!matches) co_return Done{};
  CO_TRY(total_, co_await checked(matches->total()));
  co_return Done{};
}

Status BitmapListing::open_state() {
  if (state_) return Done{};
  auto own_state = [this]() -> Result<IndexState> {
    TRY(auto source, bitmaps_of(options_.view, options_.filter.product));
    if (!source) return Error{ErrorCode::unavailable, "This store keeps no bitmap index."};
    return IndexState{{}, std::move(*source)};
  };
  auto state = own() ? own_state() : options_.beside();
  index_failed_ = !state;
  if (!state) return state.error();
  state_ = std::move(*state);
  return Done{};
}

void BitmapListing::release() {
  if (own()) return;
  if (matches_) work_ = matches_->work();
  if (asked_) segments_asked_ = asked_->segments_asked();
  matches_.reset();
  asked_ = nullptr;
  state_.reset();
}

Result<Matches*> BitmapListing::matches() try {
  if (matches_) return &*matches_;
  TRY_DONE(open_state());
  auto& source = state_->source;
  if (!source.reader) return nullptr;
  // An index beside the store may have another total since it was released.
  bitmap_index::Question question{selection_of(options_.filter), options_.sort.sort,
                                  options_.sort.by_value() ? options_.sort.by : no_facet,
                                  own() ? total_ : std::nullopt};
  matches_.emplace(*source.reader, std::move(question),
                   bitmap_index::Keeping{source.kept, source.generation});
  return &*matches_;
} catch (const lmdb::Damaged&) {  // of the words
  index_failed_ = true;
  return damaged_index();
}

// The source has a reader.
bitmap_index::Selection BitmapListing::selection_of(const Filter& filter) {
  auto& source = state_->source;
  if (!filter.words.empty()) asked_ = &source.reader->asked(filter.words);
  return bitmap_index::selection_of(source.hash_key, filter, asked_ ? asked_->stemmers() : 0);
}

template <class T>
Awaitable<Result<T>> BitmapListing::checked(Awaitable<T> question) {
  try {
    co_return co_await std::move(question);
  } catch (const lmdb::Damaged&) {
    index_failed_ = true;
    co_return damaged_index();
  } catch (const lmdb::Failure& failure) {
    if (own()) throw;
    spdlog::warn("the page index failed: {}", failure.what());
    index_failed_ = true;
    co_return Error{ErrorCode::unavailable, index_fails_for_product};
  }
}

Awaitable<Result<BitmapListing::Run>> BitmapListing::read_run(std::optional<Position> from,
                                                              Direction direction) {
  auto reading = walks_ ? walk(from, direction) : select(from, direction);
  auto found = co_await std::move(reading);
  if (!found) co_return found.error();
  CO_TRY(auto rank, co_await rank_of(*found, from, direction));
  found->rank = rank;
  last_.reset();
  if (!found->rank) co_return found;
  auto last = direction == Direction::forward ? found->far : found->near;
  last_ = Ranked{last, *found->rank + found->entries.size() - 1};
  keep_ranks(*found, from, direction);
  co_return found;
}

Awaitable<Status> BitmapListing::complete(Run& run, Direction direction) {
  if (!own()) return complete_beside(run, direction);
  return options_.view.documents(options_.filter.product, run.entries);
}

Awaitable<Status> BitmapListing::complete_beside(Run& run, Direction direction) {
  CO_TRY_DONE(co_await plan_documents(run, direction));
  release();
  const Filter& filter = options_.filter;
  const Fetch by_id{};
  CO_TRY_DONE(co_await fetch(options_.view, filter.product, order_in(direction, order_),
                             fetch_.empty() ? by_id : fetch_.front(), run.entries));
  for (auto& entry : run.entries)
    if (!entry.document.empty() && !still_matches(filter, entry.document)) entry.document = {};
  co_return Done{};
}

// In a sort by time, the comments may lie so close in a list that reading it is cheaper.
Awaitable<Status> BitmapListing::plan_documents(const Run& run, Direction direction) {
  fetch_.clear();
  if (run.entries.empty() || options_.sort.by_value()) co_return Done{};
  auto list = covering_list(options_.filter);
  CO_TRY(auto spread,
         co_await checked(bitmap::spread(state_->source, options_.filter.product, list,
                                         order_in(direction, order_), run.near->id, run.far->id)));
  fetch_ = plan_fetch(run.entries.size(), list, spread, options_.costs);
  co_return Done{};
}

Awaitable<Result<BitmapListing::Run>> BitmapListing::walk(std::optional<Position> from,
                                                          Direction direction) {
  std::optional<Ulid> after;
  if (from) after = from->id;
  CO_TRY(auto slice,
         co_await options_.view.comments(options_.filter.product, order_in(direction, order_),
                                         after, opening_.limit));
  Run run{.entries = std::move(slice.entries), .near = {}, .far = {}, .more = !slice.end};
  run.read = run.entries.size();
  if (run.entries.empty()) co_return run;
  run.near = Position{run.entries.front().id};
  run.far = Position{run.entries.back().id};
  co_return run;
}

Awaitable<Result<BitmapListing::Run>> BitmapListing::select(std::optional<Position> from,
                                                            Direction direction) {
  Run run;
  CO_TRY(auto matches, this->matches());
  if (!matches) co_return run;
  auto limit = opening_.limit;
  std::size_t ahead = looks();
  bool backward = direction == Direction::backward;
  CO_TRY(auto positions, co_await checked(matches->read(from, backward, limit + ahead)));
  run.read = positions.size();
  run.more = positions.size() > limit;
  if (run.more) positions.resize(limit);
  run.entries.reserve(positions.size());
  for (const auto& position : positions) run.entries.push_back({position.id, {}});
  if (positions.empty()) co_return run;
  run.near = positions.front();
  run.far = positions.back();
  co_return run;
}

// The rank of the first comment in the order of the listing, where numbers are given.
Awaitable<Result<std::optional<std::uint64_t>>> BitmapListing::rank_of(
    const Run& run, const std::optional<Position>& from, Direction direction) {
  std::optional<std::uint64_t> rank;
  if (!numbered() || run.entries.empty()) co_return rank;
  bool forward = direction == Direction::forward;
  if (!from) co_return std::optional(forward ? 0 : *total_ - run.entries.size());
  if (forward && at_ && at_->position == from) co_return std::optional(at_->rank);
  if (auto ahead = kept_ahead(*from, direction)) {
    rank = forward ? *total_ - *ahead : *ahead - run.entries.size();
    co_return rank;
  }
  co_return co_await this->rank(forward ? run.near : run.far);
}

std::optional<std::uint64_t> BitmapListing::kept_ahead(const Position& from, Direction direction) {
  auto* kept = kept_ranks();
  if (!kept) return {};
  const auto& source = state_->source;
  return kept->find(
      {from.id, order_in(direction, order_), source.reader->product(), source.generation});
}

// Of the position read from, and of both from which the neighbouring pages are read.
void BitmapListing::keep_ranks(const Run& run, const std::optional<Position>& from,
                               Direction direction) {
  auto* kept = kept_ranks();
  if (!kept) return;
  const auto& source = state_->source;
  std::array<bitmap_index::KeptRanks::Entry, 3> entries;
  std::size_t size = 0;
  auto add = [&](const std::optional<Position>& edge, Direction on, std::uint64_t ahead) {
    if (!edge || ahead == 0) return;  // no cursor leads to an empty page
    entries[size++] = {
        {edge->id, order_in(on, order_), source.reader->product(), source.generation}, ahead};
  };
  bool forward = direction == Direction::forward;
  auto before = *run.rank, behind = *total_ - before - run.entries.size();
  add(from, direction, run.entries.size() + (forward ? behind : before));
  add(forward ? run.near : run.far, Direction::backward, before);
  add(forward ? run.far : run.near, Direction::forward, behind);
  kept->keep(std::span(entries).first(size));
}

// Null: none are kept.
bitmap_index::KeptRanks* BitmapListing::kept_ranks() {
  if (!walks_ || !open_state() || !state_->source.reader || !state_->source.kept) return nullptr;
  return &state_->source.kept->ranks();
}

Awaitable<Result<bool>> BitmapListing::any_behind(const Position& from, Direction direction) {
  bool forward = direction == Direction::forward;
  auto beyond = just_beyond(from, direction, order_);
  if (walks_) {
    CO_TRY(auto slice,
           co_await options_.view.comments(options_.filter.product,
                                           order_in(opposite(direction), order_), beyond.id, 1));
    co_return !slice.entries.empty();
  }
  CO_TRY(auto matches, this->matches());
  if (!matches) co_return false;
  CO_TRY(auto behind, co_await checked(matches->read(beyond, forward, 1)));
  co_return !behind.empty();
}

Awaitable<Result<std::optional<Position>>> BitmapListing::at(std::uint64_t n) {
  std::optional<Position> position;
  if (!numbered() || n >= *total_) co_return position;
  CO_TRY(auto matches, this->matches());
  if (!matches) co_return position;
  CO_TRY(auto nth, co_await checked(matches->nth(n)));
  if (!nth) co_return position;
  position = Position{just_before(nth->id, order_), nth->value};
  at_ = Ranked{position, n};
  co_return position;
}

Awaitable<Result<std::optional<std::uint64_t>>> BitmapListing::rank(
    const std::optional<Position>& position) {
  std::optional<std::uint64_t> rank;
  if (!numbered()) co_return rank;
  if (!position || *total_ == 0) rank = 0;
  for (const auto* known : {&first_, &last_}) {
    if (*known && (*known)->position == position) rank = (*known)->rank;
  }
  if (rank) co_return rank;
  CO_TRY(auto matches, this->matches());
  if (!matches) co_return std::optional<std::uint64_t>(0);
  CO_TRY(auto found, co_await checked(matches->rank(*position)));
  co_return std::optional(found);
}

Awaitable<Result<CountedFacets>> BitmapListing::counts(std::span<const SchemaFacet> facets,
                                                       Under under) {
  CO_TRY_DONE(open_state());
  auto counted = co_await checked(count(facets, under));
  release();
  co_return counted;
}

// Where the filter contradicts itself in one facet alone, that facet has counts all the same.
Awaitable<CountedFacets> BitmapListing::count(std::span<const SchemaFacet> facets, Under under) {
  auto& [reader, hash_key, generation, kept] = state_->source;
  const Filter& filter = options_.filter;
  std::vector<bitmap_index::CountedFacet> asked;
  for (const auto& facet : facets) {
    auto type = facet.facet().type;
    // Of numbers but ratings only the extremes are shown.
    bool values = type != FacetType::number || facet.number == rating_number;
    asked.push_back({facet.number, type, values});
  }
  std::vector<bitmap_index::ValueCounts> counts(facets.size());
  if (reader && !filter.nothing) {
    auto selection = selection_of(filter);
    counts = co_await count_values(*reader, selection, asked, under, counting_, {kept, generation});
  } else if (reader && under == Under::other_facets && filter.contradicted.size() == 1) {
    auto selection = selection_of(filter.without(filter.contradicted[0]));
    auto others =
        co_await count_values(*reader, selection, asked, under, counting_, {kept, generation});
    for (std::size_t i = 0; i < asked.size(); ++i)
      if (asked[i].facet == filter.contradicted[0]) counts[i] = std::move(others[i]);
  }
  CountedFacets out;
  for (std::size_t i = 0; i < facets.size(); ++i)
    out.facets.push_back(shown(reader.get(), facets[i], std::move(counts[i])));
  co_return out;
}

// What the words lead to expect, where they are asked for.
std::optional<BitmapListing::Expectation> BitmapListing::expectation() const try {
  auto& reader = *state_->source.reader;
  auto blocks = reader.length() >> reader.databases().block_bits;
  auto matches = asked_->max_matches(reader.length(), blocks);
  return Expectation{matches, std::min(matches, blocks + 1)};
} catch (const lmdb::Damaged&) {
  return {};
}

Explanation BitmapListing::explanation() const {
  Explanation out;
  out.index = "bitmap";
  out.lists = terms(options_.filter);
  out.read = read_;
  out.discarded = read_ - shown_;
  out.requests = 1;
  out.consumed_capacity = options_.view.consumed();
  auto terms = out.lists.empty() ? "every comment" : fmt::format("{}", fmt::join(out.lists, ", "));
  if (walks_) {
    out.summary = fmt::format("bitmap: {}, which is every comment, read in order of time", terms);
    if (out.lists.empty()) out.summary = "bitmap: every comment, read in order of time";
    return out;
  }
  if (asked_) {
    auto expected = expectation();
    terms += " in " + counted(asked_->segments_asked(), "segment");
    if (expected) {
      terms += ", at most " +
               (expected->matches == 1 ? "1 match" : fmt::format("{} matches", expected->matches));
      out.estimated_cost = static_cast<double>(expected->blocks);
    }
  } else if (segments_asked_) {
    terms += " in " + counted(*segments_asked_, "segment");
  }
  auto work = matches_ ? matches_->work() : work_;
  out.blocks = work.blocks;
  out.blocks_skipped = work.skipped;
  out.totals_kept = work.kept;
  out.summary = fmt::format("bitmap: {}, {} {} looked at, {} skipped{}", terms, work.blocks,
                            work.blocks == 1 ? "block" : "blocks", work.skipped,
                            work.kept ? ", totals kept" : "");
  if (fetch_.empty()) return out;
  out.summary += ", documents " + summary(options_.filter.product, fetch_[0]);
  out.estimated_cost = fetch_[0].cost;
  if (fetch_.size() > 1)
    out.alternatives.push_back(
        {"documents " + summary(options_.filter.product, fetch_[1]), fetch_[1].cost});
  return out;
}

}  // namespace quire::bitmap
