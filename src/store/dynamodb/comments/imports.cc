// Rows of an import. New ones are put in transactions, of which several are under way at once. A
// row whose item is there already is compared with it.
#include <algorithm>
#include <map>
#include <tuple>

#include "base/try.h"
#include "loop/loop.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/comments/writes.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

constexpr int max_attempts = 6;  // of a batch

// What a row meets, and what is to be written then; absent: nothing.
struct Met {
  std::size_t Imported::*as;
  std::optional<CommentWrite> write = {};
};

Met met(const ImportRow& row, const ImportTerms& terms, const std::optional<Item>& item) {
  if (!item) return {&Imported::added, insertion_of(row.comment)};
  auto comment = comment_of(*item);
  if (!comment && !is_removed(*item)) return {&Imported::known};  // damaged, or set aside
  Here here{comment ? &*comment : nullptr, item->contains(removed_attribute),
            item->contains(unvoted_attribute)};
  auto [as, after, forgets] = verdict(row, terms, here);
  if (!after && !forgets) return {as};
  if (comment && after && !check_size(*after)) return {&Imported::differing};
  CommentWrite write;
  if (comment)
    write.after = after ? std::move(*after) : std::move(*comment);
  else
    write = insertion_of(row.comment);
  write.before = *item;
  if (forgets) write.keeps_id = false;
  return {as, std::move(write)};
}

// Of several rows with one id, all but the first.
std::vector<ImportRow> take_repeated(std::vector<ImportRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const ImportRow& a, const ImportRow& b) {
    return a.comment.id < b.comment.id;
  });
  std::vector<ImportRow> first, repeated;
  first.reserve(rows.size());
  for (auto& row : rows) {
    bool repeats = !first.empty() && first.back().comment.id == row.comment.id;
    (repeats ? repeated : first).push_back(std::move(row));
  }
  rows = std::move(first);
  return repeated;
}

}  // namespace

// Cuts rows, sorted by product, into batches that fit a transaction.
struct Writes::Batches {
  std::vector<ImportRow> rows;
  ImportTerms terms;
  Imported imported = {};
  std::size_t next = 0;
  bool failed = false;

  std::vector<CommentWrite> take() {
    std::vector<CommentWrite> writes;
    Room room;
    for (; next < rows.size(); ++next) {
      CommentWrite write = insertion_of(rows[next].comment);
      Room more(write);
      if (!room.fits(more)) break;
      room.add(more);
      writes.push_back(std::move(write));
    }
    return writes;
  }
};

Awaitable<Result<Imported>> Writes::import_rows(std::vector<ImportRow> rows, ImportTerms terms) {
  auto repeated = take_repeated(rows);
  std::sort(rows.begin(), rows.end(), [](const ImportRow& one, const ImportRow& other) {
    const auto &a = one.comment, &b = other.comment;
    return std::tie(a.product, a.language, a.id) < std::tie(b.product, b.language, b.id);
  });
  Batches batches{std::move(rows), std::move(terms)};
  std::vector<Awaitable<Status>> works;
  for (std::size_t i = 0; i < lanes; ++i) works.push_back(lane(batches));
  auto ended = co_await all(std::move(works));
  for (const auto& status : ended) {
    if (!status) co_return status.error();
  }
  for (const auto& row : repeated) {
    CO_TRY_DONE(co_await meet(row, batches));
  }
  co_return std::move(batches.imported);
}

Awaitable<Status> Writes::lane(Batches& batches) {
  while (!batches.failed) {
    const auto* row = batches.rows.data() + batches.next;
    auto writes = batches.take();
    if (writes.empty()) break;
    Result<Outcome> outcome = Outcome{};
    // A failed batch is tried again: comments that were added are not added twice.
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
      if (attempt > 0) co_await client_.pause(attempt + 4);
      outcome = co_await commit(writes);
      if (outcome || batches.failed) break;
    }
    batches.failed |= !outcome;
    if (!outcome) co_return outcome.error();
    std::vector<const ImportRow*> others;
    for (bool made : outcome->made) {
      if (made)
        ++batches.imported.added;
      else
        others.push_back(row);
      ++row;
    }
    auto done = co_await meet_all(std::move(others), batches);
    batches.failed |= !done;
    if (!done) co_return done.error();
  }
  co_return Done{};
}

// A first look at many items is cheap, and may be a moment behind the table. It is enough where it
// shows that a row brings nothing.
Awaitable<Status> Writes::meet_all(std::vector<const ImportRow*> rows, Batches& batches) {
  if (rows.empty()) co_return Done{};
  std::vector<Item> keys;
  for (const auto* row : rows) keys.push_back(comment_key(row->comment.id));
  CO_TRY(auto found, co_await get_items(client_, std::move(keys)));
  std::map<std::string, Item> items;
  for (auto& item : found.items) items.emplace(item.at("PK").text, std::move(item));
  std::erase_if(rows, [&](const ImportRow* row) {
    auto item = items.find(comment_key(row->comment.id).at("PK").text);
    if (item == items.end()) return false;
    auto [as, write] = met(*row, batches.terms, item->second);
    bool brings_nothing = !write && as != &Imported::differing;
    if (brings_nothing) batches.imported.count(as, row->comment.id);
    return brings_nothing;
  });
  for (auto next = rows.begin(); next != rows.end();) {
    std::vector<Awaitable<Status>> works;
    for (; next != rows.end() && works.size() < Commits::max_concurrent; ++next)
      works.push_back(meet(**next, batches));
    auto ended = co_await all(std::move(works));
    for (const auto& status : ended)
      if (!status) co_return status.error();
  }
  co_return Done{};
}

Awaitable<Status> Writes::meet(const ImportRow& row, Batches& batches) {
  const auto& id = row.comment.id;
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY(auto there, co_await client_.get(comment_key(id)));
    auto [as, write] = met(row, batches.terms, there.item);
    bool made = !write;
    if (write) {
      std::vector<CommentWrite> one;
      one.push_back(std::move(*write));
      CO_TRY(auto outcome, co_await commit(std::move(one)));
      made = outcome.made.front();
    }
    if (made) {
      batches.imported.count(as, id);
      co_return Done{};
    }
    co_await client_.pause(round);
  }
  co_return busy_comment();
}

Awaitable<Status> Writes::keep_removed(std::vector<Ulid> ids) {
  for (auto next = ids.begin(); next != ids.end();) {
    std::vector<Awaitable<Status>> works;
    for (; next != ids.end() && works.size() < Commits::max_concurrent; ++next)
      works.push_back(keep_id(*next));
    auto kept = co_await all(std::move(works));
    for (const auto& status : kept)
      if (!status) co_return status.error();
  }
  co_return Done{};
}

Awaitable<Status> Writes::keep_id(Ulid id) {
  for (int round = 0; round < max_rounds; ++round) {
    auto put = put_item(client_.table(), removed_item(id), absent(), Repeat::safe);
    CO_TRY(auto kept, co_await client_.make(std::move(put)));
    if (kept) co_return Done{};
    CO_TRY(auto there, co_await client_.get(comment_key(id)));
    auto comment = there.item ? comment_of(*there.item) : std::nullopt;
    bool stays = there.item && (!comment || there.item->contains(removed_attribute));
    if (stays) co_return Done{};
    if (comment) {
      std::vector<CommentWrite> writes;
      writes.push_back({.before = std::move(*there.item), .after = std::move(*comment)});
      writes.back().keeps_id = true;
      CO_TRY(auto outcome, co_await commit(std::move(writes)));
      if (outcome.made.front()) co_return Done{};
    }
    co_await client_.pause(round);
  }
  co_return busy_comment();
}

}  // namespace quire::dynamodb
