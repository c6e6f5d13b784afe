#include "store/dynamodb/adopted/list_reading.h"

#include <algorithm>
#include <map>

#include "base/try.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/adopted/records.h"

namespace quire::adopted {
namespace {

using dynamodb::Item;

constexpr int max_queries = 100;
constexpr std::size_t max_items = 1000;
constexpr std::size_t more_of_a_moment = 4;  // items, where the last moment was not whole

// An item that may be a comment. Where the index has all of it, it is read at once.
struct FoundItem {
  Ulid id;
  Item key;
  std::optional<Comment> comment;
};

class ListReader {
 public:
  ListReader(dynamodb::TableAccess& access, const AdoptedTable& table, const ListIndex& index,
             ListQuestion question)
      : access_(access), table_(table), index_(index), question_(std::move(question)) {
    bool lacks_some = index_.whole() && !index_.all;
    if (lacks_some) product_ = product_text(table_.mapping, question_.product);
  }

  Awaitable<Result<ListedComments>> read() {
    begin();
    for (int queries = 0; queries < max_queries; ++queries) {
      CO_TRY(auto page, co_await ask());
      add(std::move(page.items));
      out_.end = !page.last;
      arguments_.start = std::move(page.last);
      auto whole = whole_moments();
      bool enough = whole >= question_.range.limit || (!question_.alone && whole > 0);
      bool some = queries == 0 && !found_.empty();
      auto missing = question_.range.limit - std::min(whole, question_.range.limit);
      arguments_.limit =
          some ? std::max(more_of_a_moment, missing) : std::min(2 * arguments_.limit, max_items);
      if (!enough && !out_.end) continue;
      CO_TRY_DONE(co_await take(std::min(whole, question_.range.limit)));
      if (out_.end || !out_.comments.empty()) co_return std::move(out_);
      begin();  // behind those that are no comments
    }
    co_return Error{ErrorCode::unavailable,
                    "Very many items of the table have the same time, or are no comments: keep a "
                    "page index, --pages lmdb:DIR."};
  }

 private:
  void begin() {
    const auto& after = question_.range.after;
    auto from_ms = after ? std::optional(after->ms()) : std::nullopt;
    auto bounds = bounds_of(table_.mapping, index_.sort_type, question_.order, from_ms);
    // The comment `after` itself is read again; another moment ends that of the last comment.
    auto wanted = question_.range.limit + after.has_value() + 1;
    arguments_ = {.table = access_.client.table(),
                  .index = index_.index,
                  .partition_name = index_.partition,
                  .partition = index_.key.key_of(question_.product, question_.range.list),
                  .sort_name = index_.sort,
                  .sort_from = std::move(bounds.from),
                  .sort_to = std::move(bounds.to),
                  .forward = question_.order == Order::oldest_first,
                  .limit = std::min(wanted, max_items)};
    found_.clear();
  }

  Awaitable<Result<dynamodb::PageAnswer>> ask() {
    CO_TRY(auto page, co_await access_.client.page(query(arguments_)));
    out_.consumed += page.consumed;
    co_return std::move(page);
  }

  void add(std::vector<Item> items) {
    for (auto& item : items) {
      // An item that has the attribute keeps it.
      if (product_)
        item.emplace(table_.mapping.product->columns.front(), dynamodb::string(*product_));
      auto id = id_in(table_.mapping, table_.names, item);
      if (index_.whole()) {
        if (auto comment = comment_of(item, index_.all))
          found_.push_back({comment->id, {}, comment});
      } else if (auto key = key_in(table_.names, item); key && id) {
        found_.push_back({*id, std::move(*key), {}});
      }
    }
    const auto& after = question_.range.after;
    std::erase_if(found_, [&](const FoundItem& each) {
      return after && !precedes(*after, each.id, question_.order);
    });
    std::sort(found_.begin(), found_.end(), [&](const FoundItem& a, const FoundItem& b) {
      return precedes(a.id, b.id, question_.order);
    });
  }

  // How many were found of moments of which no more follow.
  std::size_t whole_moments() const {
    if (out_.end || found_.empty()) return found_.size();
    auto unit = moment_of(table_.mapping.time);
    auto last = std::find_if(found_.begin(), found_.end(), [&](const FoundItem& each) {
      return each.id.ms() / unit == found_.back().id.ms() / unit;
    });
    return static_cast<std::size_t>(last - found_.begin());
  }

  // Takes the first of those found.
  Awaitable<Status> take(std::size_t count) {
    out_.end = out_.end && count == found_.size();
    found_.resize(count);
    if (!found_.empty()) question_.range.after = found_.back().id;
    if (!index_.whole()) {
      CO_TRY_DONE(co_await fetch());
    }
    for (auto& each : found_)
      if (each.comment) out_.comments.push_back(std::move(*each.comment));
    co_return Done{};
  }

  // Items of an index that lacks attributes are read from the table.
  Awaitable<Status> fetch() {
    std::vector<Item> keys;
    for (const auto& each : found_) keys.push_back(each.key);
    if (keys.empty()) co_return Done{};
    CO_TRY(auto answer, co_await dynamodb::get_items(access_.client, std::move(keys)));
    out_.consumed += answer.consumed;
    std::map<Ulid, Comment> comments;
    for (const auto& item : answer.items)
      if (auto comment = comment_of(item, true)) comments.emplace(comment->id, std::move(*comment));
    for (auto& each : found_) {
      auto at = comments.find(each.id);
      if (at != comments.end()) each.comment = std::move(at->second);
    }
    co_return Done{};
  }

  std::optional<Comment> comment_of(const Item& item, bool all) {
    auto reading = table_.read(item);
    auto reason = damage_in(table_, item, reading, all);
    if (reason.empty()) return std::move(reading.comment);
    access_.damaged.note(damage_of(table_, item, reason));
    ++out_.damaged;
    return {};
  }

  dynamodb::TableAccess& access_;
  const AdoptedTable& table_;
  const ListIndex& index_;
  ListQuestion question_;
  // The product as items have it, for those of an index that lacks it.
  std::optional<std::string> product_;
  dynamodb::QueryArguments arguments_;
  std::vector<FoundItem> found_;
  ListedComments out_ = {{}, false};
};

}  // namespace

Awaitable<Result<ListedComments>> read_list(dynamodb::TableAccess& access,
                                            const AdoptedTable& table, const ListIndex& index,
                                            ListQuestion question) {
  ListReader reader(access, table, index, std::move(question));
  co_return co_await reader.read();
}

}  // namespace quire::adopted
