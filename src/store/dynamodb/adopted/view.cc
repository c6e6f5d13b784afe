#include "store/dynamodb/adopted/view.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>

#include "base/try.h"
#include "bitmap_index/reading/matches.h"
#include "model/document.h"
#include "model/validate.h"
#include "page_index/facet_view.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/adopted/list_reading.h"

namespace quire::adopted {
namespace {

using dynamodb::Item;

constexpr int max_rounds = 100;
constexpr int max_gone_rounds = 20;  // in which all comments that the index has are gone
constexpr std::size_t max_entries = 1000;

Error needs_index(const std::string& what) {
  return {ErrorCode::unavailable, what +
                                      " of a table that others made are found by a page index: "
                                      "run quire backfill with --pages lmdb:DIR, and name the "
                                      "same directory here."};
}

// The comments that the index has, without their documents.
Awaitable<Result<Slice>> ids_in_index(PageIndex& index, std::string product, Order order,
                                      std::optional<Ulid> after, std::size_t limit) try {
  Slice slice{{}, true};
  CO_TRY(auto view, index.facet_view());
  CO_TRY(auto source, view->bitmaps(product));
  if (!source->reader) co_return slice;
  bitmap_index::Question question{
      bitmap_index::selection_of(source->hash_key, {.product = product, .values = {}}),
      order == Order::newest_first ? Sort::newest : Sort::oldest};
  bitmap_index::Matches matches(*source->reader, std::move(question),
                                {source->kept, source->generation});
  std::optional<Position> from;
  if (after) from = Position{*after};
  auto positions = co_await matches.read(from, false, limit + 1);
  slice.end = positions.size() <= limit;
  if (!slice.end) positions.pop_back();
  for (const auto& position : positions) slice.entries.push_back({position.id, {}});
  co_return slice;
} catch (const std::runtime_error& failed) {
  spdlog::warn("the page index failed: {}", failed.what());
  co_return Error{ErrorCode::unavailable, index_fails_for_product};
}

bool may_be_key(std::string_view text, dynamodb::Type type) {
  constexpr std::size_t max_key = 2048;
  auto digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.empty() || text.size() > max_key) return false;
  return type == dynamodb::Type::string ||
         (text.size() <= 38 && std::all_of(text.begin(), text.end(), digit));
}

// The items that may be the comment which its owner calls so; a key has one, or few.
Awaitable<Result<dynamodb::ItemsAnswer>> items_by_id(dynamodb::TableAccess& access,
                                                     const AdoptedTable& table, std::string key) {
  constexpr std::size_t max_items = 20;
  dynamodb::QueryArguments arguments{.table = access.client.table(),
                                     .index = table.by_id->index,
                                     .partition_name = table.by_id->partition,
                                     .partition = std::move(key),
                                     .partition_type = table.by_id->type,
                                     .limit = max_items};
  CO_TRY(auto page, co_await access.client.page(query(arguments)));
  dynamodb::ItemsAnswer out{std::move(page.items), page.consumed};
  if (table.by_id->missing.empty() || out.items.empty()) co_return out;
  std::vector<Item> keys;
  for (const auto& item : out.items)
    if (auto own = key_in(table.names, item)) keys.push_back(std::move(*own));
  auto found = co_await dynamodb::get_items(access.client, std::move(keys));
  if (found) found->consumed += out.consumed;
  co_return found;
}

}  // namespace

// Whether there is an index that follows the table. unavailable: it is of another mapping or table,
// and the table has no other way to pages.
Awaitable<Result<bool>> AdoptedView::follows() {
  if (!index_) co_return false;
  CO_TRY(auto state, co_await index_->state());
  if (state.phase != change::Phase::following) co_return false;
  auto misfit = table_.misfit(state.stream);
  if (!misfit.empty() && !table_.has_lists())
    co_return Error{ErrorCode::unavailable, std::move(misfit)};
  co_return misfit.empty();
}

Awaitable<Result<Counts>> AdoptedView::counts(std::string_view product) {
  Counts counts;
  counts.exact = false;
  if (access_.filling.look_is_due()) static_cast<void>(co_await look_at_lists(access_, table_));
  auto follows = co_await this->follows();
  counts.known = follows && *follows;
  if (!counts.known) co_return counts;  // pages say why there are no numbers
  CO_TRY(auto languages, co_await index_->languages(std::string(product)));
  std::vector<Cell> cells;
  for (auto language : languages)
    for (FacetValue rating = 1; rating <= 5; ++rating) cells.push_back({language, rating});
  CO_TRY(auto lengths, co_await index_->ranks()->lengths(product, cells));
  for (std::size_t i = 0; i < cells.size(); ++i) counts.add(cells[i], lengths[i]);
  co_return counts;
}

Awaitable<Result<std::shared_ptr<const Schema>>> AdoptedView::schema() {
  if (!index_) co_return std::make_shared<const Schema>();
  CO_TRY(auto declared, co_await index_->declared());
  co_return std::make_shared<const Schema>(std::move(declared));
}

Awaitable<Result<std::vector<Slice>>> AdoptedView::read(std::string_view product, Order order,
                                                        std::span<const Range> ranges, bool) {
  std::vector<Awaitable<Result<Slice>>> reads;
  for (const auto& range : ranges)
    reads.push_back(read_range(std::string(product), order, range, ranges.size() == 1));
  auto found = co_await all(std::move(reads));
  std::vector<Slice> slices;
  for (auto& slice : found) {
    if (!slice) co_return slice.error();
    slices.push_back(std::move(*slice));
  }
  co_return slices;
}

// Asked for only where there is neither a page index nor an index of the mapping.
Result<std::optional<bitmap_index::Source>> AdoptedView::bitmaps(std::string_view) {
  return needs_index("Pages");
}

Awaitable<Result<Slice>> AdoptedView::read_range(std::string product, Order order, Range range,
                                                 bool alone) {
  if (!table_.has_lists()) co_return needs_index("Pages");
  const auto& index = table_.list_index(range.list);
  Slice slice{{}, false};
  ListQuestion question{product, order, range, alone};
  for (int round = 0; round < max_rounds; ++round) {
    auto found = co_await access_.loop.run(read_list(access_, table_, index, question));
    if (!found) {
      access_.filling.suspect();
      co_return found.error();
    }
    consumed_ += found->consumed;
    left_out_ += found->damaged;
    slice.end = found->end;
    for (const auto& comment : found->comments) {
      question.range.after = comment.id;
      if (!covers(range.list, cell(comment.language, comment.rating))) continue;
      slice.entries.push_back(keep(comment));
      if (slice.entries.size() < range.limit) continue;
      slice.end = slice.end && comment.id == found->comments.back().id;
      co_return slice;
    }
    if (slice.end || (!alone && !slice.entries.empty())) co_return slice;
    question.range.limit = std::min(2 * question.range.limit, max_entries);
  }
  co_return Error{ErrorCode::unavailable,
                  "Too few comments match this filter to be found without a page index: --pages "
                  "lmdb:DIR."};
}

Awaitable<Result<Slice>> AdoptedView::comments(std::string_view product, Order order,
                                               std::optional<Ulid> after, std::size_t limit) {
  CO_TRY(auto follows, co_await this->follows());
  if (follows) co_return co_await read_index(std::string(product), order, after, limit);
  Range all{Cell{}, after, limit};
  co_return co_await read_range(std::string(product), order, all, true);
}

Awaitable<Result<Slice>> AdoptedView::read_index(std::string product, Order order,
                                                 std::optional<Ulid> after, std::size_t limit) {
  auto asked = limit;
  for (int round = 0; round < max_gone_rounds; ++round) {
    auto slice = co_await ids_in_index(*index_, product, order, after, asked);
    if (!slice) co_return slice.error();
    if (!slice->entries.empty()) after = slice->entries.back().id;
    CO_TRY_DONE(co_await documents(product, slice->entries));
    std::erase_if(slice->entries, [](const Entry& entry) { return entry.document.empty(); });
    if (slice->entries.size() > limit) {
      slice->entries.resize(limit);
      slice->end = false;
    }
    if (slice->end || !slice->entries.empty()) co_return slice;
    asked = std::max(limit, std::min(2 * asked, max_entries));
  }
  co_return Error{ErrorCode::unavailable,
                  "Very many comments of the page index are gone from the table: see whether quire "
                  "project runs, or run quire verify --repair."};
}

// The items of the comments that the index knows.
Result<std::vector<Item>> AdoptedView::keys_of(std::span<const Entry> entries) {
  std::vector<Item> keys;
  bool complete = std::all_of(entries.begin(), entries.end(),
                              [](const auto& entry) { return !entry.document.empty(); });
  if (complete) return keys;  // lists gave them, also where the index is not built
  TRY(auto view, index_->facet_view());
  for (const auto& entry : entries) {
    if (!entry.document.empty()) continue;
    TRY(auto item, view->item(entry.id));
    auto key = item ? decode_key(table_.names, item->key) : std::nullopt;
    if (key) keys.push_back(std::move(*key));
  }
  return keys;
}

// An item that is another comment by now, or none, leaves its entry without a document.
Awaitable<Status> AdoptedView::documents(std::string_view, std::span<Entry> entries) {
  if (!index_) co_return Done{};
  CO_TRY(auto keys, keys_of(entries));
  if (keys.empty()) co_return Done{};
  CO_TRY(auto found, co_await access_.loop.run(get_items(access_.client, std::move(keys))));
  consumed_ += found.consumed;
  std::map<Ulid, std::string_view> documents;
  for (const auto& item : found.items)
    if (auto entry = entry_of(item)) documents[entry->id] = entry->document;
  for (auto& entry : entries) {
    auto at = documents.find(entry.id);
    if (entry.document.empty() && at != documents.end()) entry.document = at->second;
  }
  co_return Done{};
}

Awaitable<Result<Ulid>> AdoptedView::named(std::string_view name) {
  auto key = table_.by_id ? pattern_of(*table_.mapping.id).text_of(name) : std::nullopt;
  if (!key || !may_be_key(*key, table_.by_id->type)) co_return co_await View::named(name);
  CO_TRY(auto found, co_await access_.loop.run(items_by_id(access_, table_, std::move(*key))));
  consumed_ += found.consumed;
  for (const auto& item : found.items) {
    auto entry = entry_of(item);
    if (!entry) continue;
    named_ = entry;
    co_return entry->id;
  }
  co_return co_await View::named(name);
}

Awaitable<Result<std::string_view>> AdoptedView::get(const Ulid& id) {
  if (named_ && named_->id == id) co_return named_->document;
  CO_TRY(auto follows, co_await this->follows());
  if (!follows) co_return needs_index("Single comments");
  Entry wanted{id, {}};
  CO_TRY(auto keys, keys_of({&wanted, 1}));
  if (keys.empty()) co_return no_such_comment();
  CO_TRY(auto found, co_await access_.loop.run(access_.client.get(std::move(keys.front()))));
  consumed_ += found.consumed;
  auto entry = found.item ? entry_of(*found.item) : std::nullopt;
  if (!entry || entry->id != id) co_return no_such_comment();
  co_return entry->document;
}

Awaitable<Result<std::vector<ProductTotal>>> AdoptedView::products(std::string_view after,
                                                                   std::size_t limit) {
  CO_TRY(auto named, co_await names(after, limit));
  std::vector<Cell> cells;
  for (FacetValue rating = 1; rating <= 5; ++rating) cells.push_back({any, rating});
  std::vector<ProductTotal> out;
  for (auto& name : named) {
    CO_TRY(auto lengths, co_await index_->ranks()->lengths(name, cells));
    RatingCounts ratings{};
    std::copy(lengths.begin(), lengths.end(), ratings.begin());
    if (auto all = total(ratings)) out.push_back({std::move(name), all, ratings});
  }
  co_return out;
}

Awaitable<Result<std::vector<std::string>>> AdoptedView::names(std::string_view after,
                                                               std::size_t limit) {
  CO_TRY(auto follows, co_await this->follows());
  if (!follows) co_return needs_index("The products");
  std::vector<std::string> out;
  for (std::string from(after);;) {
    CO_TRY(auto found, co_await index_->products(from, limit - out.size()));
    bool end = out.size() + found.size() < limit;
    if (!found.empty()) from = found.back();
    // A damaged name costs itself alone; quire verify names it.
    std::copy_if(found.begin(), found.end(), std::back_inserter(out),
                 [](const auto& name) { return is_product_name(name); });
    if (end || out.size() >= limit) co_return out;
  }
}

Awaitable<Result<std::vector<Leader>>> AdoptedView::leaders(Leaders, FacetValue, std::size_t) {
  co_return Error{ErrorCode::unavailable,
                  "There is no leaderboard of a table that others made: it would have to be "
                  "written there."};
}

Awaitable<Result<Slice>> AdoptedView::scan(std::optional<Ulid> after, std::size_t limit) {
  std::optional<Item> start;
  if (after && (!scanned_ || scanned_->first != *after))
    co_return Error{ErrorCode::unavailable,
                    "A scan of this table goes on in the view that began it."};
  if (after) start = scanned_->second;
  Slice slice{{}, false};
  while (slice.entries.empty() && !slice.end) {
    auto call = dynamodb::scan(access_.client.table(), start, limit);
    CO_TRY(auto page, co_await access_.loop.run(access_.client.page(std::move(call))));
    consumed_ += page.consumed;
    for (const auto& item : page.items)
      if (auto entry = entry_of(item)) slice.entries.push_back(*entry);
    start = std::move(page.last);
    slice.end = !start;
  }
  if (start) scanned_.emplace(slice.entries.back().id, std::move(*start));
  co_return slice;
}

// Only an index that follows the table can tell.
Awaitable<Result<std::optional<std::uint64_t>>> AdoptedView::as_of() {
  if (!index_) co_return needs_index("Counts");
  CO_TRY(auto state, co_await index_->state());
  if (state.phase != change::Phase::following)
    co_return Error{ErrorCode::unavailable,
                    "The page index does not follow the table now: run quire backfill."};
  if (auto misfit = table_.misfit(state.stream); !misfit.empty())
    co_return Error{ErrorCode::unavailable, std::move(misfit)};
  co_return std::optional(as_of_ms(state));
}

std::string AdoptedView::start_key(std::string_view, const Cell&, const Ulid& after, std::size_t) {
  return R"({"created_at":")" + time_text(after.ms()) + R"("})";
}

Entry AdoptedView::keep(const Comment& comment) {
  documents_.push_back(encode_document(comment));
  return {comment.id, documents_.back()};
}

std::optional<Entry> AdoptedView::entry_of(const Item& item) {
  auto reading = table_.read(item);
  if (!reading.reason.empty()) {
    access_.damaged.note(damage_of(table_, item, reading.reason));
    ++left_out_;
  }
  if (!reading.comment) return {};
  return keep(*reading.comment);
}

}  // namespace quire::adopted
