#include "store/dynamodb/comments/view.h"

#include <boost/json.hpp>

#include "base/try.h"
#include "merge/merge.h"
#include "model/counts.h"
#include "model/document.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/reading.h"
#include "store/dynamodb/statistics/delta.h"

namespace quire::dynamodb {
namespace {

// The average weight is over the last hundreds of entries that any request read.
constexpr double weight_of_new = 1.0 / 256;

// Equal entries of a leaderboard come in no order. Up to this many are read more, and put in order.
constexpr std::size_t max_equals = 500;

// How many answers in a row may be empty without being the end. Each request asks for twice as many
// entries as the one before, up to a limit, so a page gets past 95,000 damaged items in a row.
constexpr int max_empty = 100;
constexpr std::size_t max_entries = 1000;

Error endless() {
  return {ErrorCode::damaged,
          "Very many damaged items of the table lie in a row: run quire verify --repair."};
}

// Drops the entries that were not asked for.
void cut(ListPage& list, std::size_t limit) {
  if (list.entries.size() <= limit) return;
  list.entries.resize(limit);
  list.end = false;
}

Awaitable<std::vector<Answer>> send_all(TableClient& client, std::vector<Call> calls) {
  std::vector<Awaitable<Answer>> works;
  works.reserve(calls.size());
  for (auto& call : calls) works.push_back(client.send(std::move(call)));
  co_return co_await all(std::move(works));
}

}  // namespace

Awaitable<Result<Counts>> TableView::counts(std::string_view product) {
  std::string name(product);
  // A page that is planned next may need an index that is full by now. If the table does not
  // answer, that page says so.
  if (access_.filling.look_is_due())
    static_cast<void>(co_await access_.loop.run(look_at_lists(access_)));
  auto known = access_.totals.fresh(name);
  if (!known) {
    CO_TRY(known, co_await access_.loop.run(access_.totals.get(name)));
  }
  CO_TRY(auto parts, co_await parts_of(product));
  auto counts = take(product, *known);
  counts.parts = parts;
  co_return counts;
}

Awaitable<Result<Parts>> TableView::parts_of(std::string_view product) {
  auto known = access_.parts.fresh();
  if (!known) {
    CO_TRY(auto asked, co_await access_.loop.run(access_.parts.get()));
    consumed_ += asked.consumed;
    known = std::move(asked.value);
  }
  co_return known->of(product).read;
}

Awaitable<Result<std::vector<Counts>>> TableView::counts_of(std::span<const std::string> products) {
  auto known = co_await access_.loop.run(access_.totals.get_all(products));
  std::vector<Counts> out;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (!known[i]) co_return known[i].error();
    out.push_back(take(products[i], *known[i]));
  }
  co_return out;
}

// Several counts are complete up to the earliest of their times.
Counts TableView::take(std::string_view product, const Known<Totals>& known) {
  consumed_ += known.consumed;
  as_of_ms_ = counted_ ? std::min(as_of_ms_, known.as_of_ms) : known.as_of_ms;
  counted_ = true;
  Counts counts;
  counts.exact = false;
  if (known.as_of_ms && access_.freshness.is_sure())
    counts.trusted_age_ms = access_.empty_lists.age_ms(product, *known.as_of_ms);
  for (const auto& [language, ratings] : *known.value) {
    if (language == any) continue;
    for (FacetValue rating = 1; rating <= ratings.size(); ++rating)
      counts.add({language, rating}, ratings[rating - 1]);
  }
  return counts;
}

Awaitable<Result<std::shared_ptr<const Schema>>> TableView::schema() {
  if (auto known = access_.facets.fresh()) co_return known;
  CO_TRY(auto asked, co_await access_.loop.run(access_.facets.get()));
  consumed_ += asked.consumed;
  co_return std::move(asked.value);
}

Awaitable<Result<std::vector<Slice>>> TableView::read(std::string_view product, Order order,
                                                      std::span<const Range> ranges, bool) {
  std::vector<Call> calls;
  for (const auto& range : ranges)
    calls.push_back(list_query(access_.client.table(), product, order, range));
  auto answers = co_await access_.loop.run(send_all(access_.client, std::move(calls)));
  std::vector<Slice> slices;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Range range = ranges[i];
    auto list = take(answers[i], product, range.list);
    // An empty answer that is not the end: only the service's key tells where to go on.
    for (int empty = 0; list && list->entries.empty() && !list->end; ++empty) {
      if (empty == max_empty) co_return endless();
      range.limit = std::max(range.limit, std::min(2 * range.limit, max_entries));
      Call further = list_query(access_.client.table(), product, order, range, list->last);
      auto answer = co_await access_.loop.run(access_.client.send(std::move(further)));
      list = take(answer, product, range.list);
    }
    if (!list) co_return list.error();
    cut(*list, ranges[i].limit);
    slices.push_back(keep(std::move(*list)));
  }
  co_return slices;
}

// The list of all comments, whose parts are merged.
Awaitable<Result<Slice>> TableView::comments(std::string_view product, Order order,
                                             std::optional<Ulid> after, std::size_t limit) {
  CO_TRY(auto parts, co_await parts_of(product));
  if (parts.front() == 1) co_return co_await ListView::comments(product, order, after, limit);
  // One more tells whether the list ends.
  Merge merge(parts.front(), order, after, limit + 1, {});
  for (auto dry = merge.advance(); !dry.empty(); dry = merge.advance()) {
    std::vector<Range> ranges;
    auto share = (limit + 1 - merge.rows().size()) / parts.front() + 2;
    for (auto part : dry) ranges.push_back({Cell{}, merge.after(part), share, part});
    CO_TRY(auto slices, co_await read(product, order, ranges, true));
    for (std::size_t i = 0; i < dry.size(); ++i) merge.feed(dry[i], std::move(slices[i]));
  }
  Slice out{std::move(merge.rows()), true};
  out.end = out.entries.size() <= limit;
  if (!out.end) out.entries.resize(limit);
  co_return out;
}

// Decoded on the caller's thread, to leave the store's own thread free.
Result<ListPage> TableView::take(const Answer& answer, std::string_view product,
                                 const Cell& wanted) {
  if (answer.failure) {
    if (answer.failure->kind == FailureKind::filling) access_.filling.note(index_of(wanted), true);
    return error_of(*answer.failure);
  }
  auto list = decode_list_page(answer.body, product, wanted);
  if (!list) return damaged_answer();
  for (const auto& item : list->damaged) leave_out(item);
  consumed_ += list->consumed;
  access_.client.metrics().add_consumed(list->consumed);
  return std::move(*list);
}

Slice TableView::keep(ListPage list) {
  Slice slice{{}, list.end};
  slice.entries.reserve(list.entries.size());
  for (auto& [id, document] : list.entries) {
    documents_.push_back(std::move(document));
    slice.entries.push_back({id, documents_.back()});
  }
  if (!list.entries.empty()) {
    auto entries = static_cast<double>(list.entries.size());
    double known = access_.entry_bytes;
    double weight = std::min(1.0, entries * weight_of_new);
    access_.entry_bytes =
        known + (static_cast<double>(list.billed_bytes) / entries - known) * weight;
  }
  return slice;
}

Awaitable<Status> TableView::documents(std::string_view, std::span<Entry> entries) {
  std::map<Ulid, std::string_view> documents;  // of the comments without one
  for (const auto& entry : entries) {
    if (entry.document.empty()) documents.try_emplace(entry.id);
  }
  if (documents.empty()) co_return Done{};
  std::vector<Item> keys;
  for (const auto& [id, none] : documents) keys.push_back(comment_key(id));
  CO_TRY(auto found, co_await access_.loop.run(get_items(access_.client, std::move(keys))));
  consumed_ += found.consumed;
  for (const auto& item : found.items) {
    auto comment = comment_in(item);
    if (comment && comment->published()) documents[comment->id] = keep(*comment).document;
  }
  for (auto& entry : entries) {
    if (entry.document.empty()) entry.document = documents[entry.id];
  }
  co_return Done{};
}

Awaitable<Result<std::string_view>> TableView::get(const Ulid& id) {
  CO_TRY(auto comment, co_await find(id));
  if (!comment.published()) co_return no_such_comment();
  co_return keep(comment).document;
}

Awaitable<Result<std::vector<ProductTotal>>> TableView::products(std::string_view after,
                                                                 std::size_t limit) {
  CO_TRY(auto found, co_await names(after, limit));
  CO_TRY(auto ratings, co_await ratings_of(found, any));
  std::vector<ProductTotal> products;
  // The last comment of the others may have been removed meanwhile.
  std::vector<std::string> without;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (total(ratings[i]) == 0) without.push_back(found[i]);
  CO_TRY(auto told, co_await facts(without));
  std::size_t at = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    auto comments = total(ratings[i]);
    if (comments > 0 || told[at++]) products.push_back({std::move(found[i]), comments, ratings[i]});
  }
  co_return products;
}

// Reads more of each shard than asked for, because the index has equal entries in no order.
Awaitable<Result<std::vector<std::pair<std::string, std::string>>>> TableView::best(
    Leaders by, FacetValue language, std::size_t limit) {
  std::vector<Call> calls;
  for (std::size_t shard = 0; shard < access_.address.leaders; ++shard) {
    calls.push_back(query({.table = access_.client.table(),
                           .index = std::string(indexes.back().name),
                           .partition_name = std::string(partition_attributes.back()),
                           .partition = leaders_partition(by, language, shard),
                           .forward = false,
                           .limit = limit + max_equals}));
  }
  CO_TRY(auto answers, co_await pages(std::move(calls)));
  std::vector<std::pair<std::string, std::string>> entries;  // sort key, product
  for (const auto& answer : answers) {
    for (const auto& item : answer.items) {
      auto damage = misnamed(item);
      if (damage) leave_out(*damage);
      auto product = damage ? std::nullopt : product_in(item);
      if (product) entries.emplace_back(text_of(item, sort_attribute).value_or(""), *product);
    }
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::tie(b.first, a.second) < std::tie(a.first, b.second);
  });
  auto equals = limit;  // the end of the entries equal to the last one wanted
  while (limit > 0 && equals < entries.size() && equals < limit + max_equals &&
         entries[equals].first == entries[limit - 1].first)
    ++equals;
  entries.resize(std::min(equals, entries.size()));
  co_return entries;
}

Awaitable<Result<std::vector<Leader>>> TableView::leaders(Leaders by, FacetValue language,
                                                          std::size_t limit) {
  CO_TRY(auto entries, co_await best(by, language, limit));
  std::vector<std::string> names;
  for (auto& entry : entries) names.push_back(std::move(entry.second));
  CO_TRY(auto ratings, co_await ratings_of(names, language));
  std::vector<Leader> leaders;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& counts = ratings[i];
    if (by == Leaders::five_star ? counts[4] > 0 : total(counts) > 0)
      leaders.push_back({std::move(names[i]), counts});
  }
  // The statistics are newer than the index, and give the exact average.
  std::sort(leaders.begin(), leaders.end(), [by](const Leader& a, const Leader& b) {
    auto first = rank_value(by, a.ratings), second = rank_value(by, b.ratings);
    return first != second ? first > second : a.product < b.product;
  });
  leaders.resize(std::min(limit, leaders.size()));
  co_return leaders;
}

Awaitable<Result<Slice>> TableView::scan(std::optional<Ulid> after, std::size_t limit) {
  std::optional<Item> start;
  if (after) start = comment_key(*after);
  // Other items may have come behind the last comment.
  if (after && scanned_ && scanned_->id == *after && scan_end_) start = scan_end_;
  Slice slice{{}, false};
  // Other items lie between the comments, so a page of the table may have none.
  while (slice.entries.empty() && !slice.end) {
    CO_TRY(auto found, co_await page(dynamodb::scan(access_.client.table(), start, limit)));
    for (const auto& item : found.items) {
      auto comment = comment_in(item);
      if (comment && !comment->published()) comment.reset();
      if (comment) slice.entries.push_back(keep(*comment));
      note_moderation(item, comment);
      auto id = item.contains(removed_attribute) ? comment_of_partition(item) : std::nullopt;
      if (id) removed_.push_back(*id);
    }
    start = std::move(found.last);
    slice.end = !start;
  }
  scan_end_ = std::move(start);
  co_return slice;
}

// Statistics that each write keeps do not count the writes of other programs, and Quire cannot know
// whether there are such writes. So no time is promised.
Awaitable<Result<std::optional<std::uint64_t>>> TableView::as_of() {
  using Age = std::optional<std::uint64_t>;
  if (access_.address.statistics == StatisticsBy::write) co_return Age();
  if (counted_ && !as_of_ms_)
    co_return Error{
        ErrorCode::unavailable,
        "It is not known now up to which time the statistics are complete. Try again in a moment."};
  if (counted_) co_return as_of_ms_;
  CO_TRY(auto found, co_await access_.loop.run(access_.freshness.get()));
  co_return Age(found);
}

std::string TableView::start_key(std::string_view product, const Cell& list, const Ulid& after,
                                 std::size_t part) {
  return boost::json::serialize(encode(resume_key(product, list, after, part)));
}

Awaitable<Result<PageAnswer>> TableView::page(Call call) {
  std::vector<Call> calls;
  calls.push_back(std::move(call));
  CO_TRY(auto answers, co_await pages(std::move(calls)));
  co_return std::move(answers.front());
}

Awaitable<Result<std::vector<PageAnswer>>> TableView::pages(std::vector<Call> calls) {
  auto answers = co_await access_.loop.run(send_all(access_.client, std::move(calls)));
  std::vector<PageAnswer> out;
  for (auto& answer : answers) {
    if (answer.failure) co_return error_of(*answer.failure);
    auto decoded = decode_page(answer.body);
    if (!decoded) co_return damaged_answer();
    consumed_ += decoded->consumed;
    access_.client.metrics().add_consumed(decoded->consumed);
    out.push_back(std::move(*decoded));
  }
  co_return out;
}

Awaitable<Result<std::vector<RatingCounts>>> TableView::ratings_of(
    const std::vector<std::string>& products, FacetValue language) {
  std::vector<Awaitable<Result<ItemAnswer>>> works;
  for (const auto& product : products)
    works.push_back(access_.client.get(statistics_key(product, language)));
  auto found = co_await access_.loop.run(all_in_groups(std::move(works)));
  std::vector<RatingCounts> out;
  for (const auto& each : found) {
    if (!each) co_return each.error();
    consumed_ += each->consumed;
    Totals totals;
    if (each->item) add_statistics(totals, *each->item);
    out.push_back(totals[language]);
  }
  co_return out;
}

void TableView::leave_out(const Damage& damage) {
  access_.damaged.note(damage);
  ++left_out_;
}

std::optional<Comment> TableView::comment_in(const Item& item) {
  auto [comment, reason] = read_comment(item);
  if (!reason.empty()) leave_out({item.at("PK").text, reason});
  return std::move(comment);
}

Entry TableView::keep(const Comment& comment) {
  documents_.push_back(encode_document(comment));
  return {comment.id, documents_.back()};
}

}  // namespace quire::dynamodb
