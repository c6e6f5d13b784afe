#include "store/dynamodb/comments/writes.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "base/try.h"
#include "loop/loop.h"
#include "model/counts.h"
#include "model/document.h"
#include "model/validate.h"
#include "store/dynamodb/comments/transaction.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

constexpr std::uint64_t day_s = 24 * 60 * 60;
constexpr std::string_view once_prefix = "ONCE#";
constexpr std::string_view pending = "pending";  // marks a key whose comment may not be there yet

// Holds a request's first answer for a day. The table removes the item by its `expires`.
Item key_item(const RequestKey& once, const Comment& comment) {
  std::string name = std::string(once_prefix) + hex(once.key);
  Item item = key_of(name, name);
  item.emplace("body", string(hex(once.body)));
  item.emplace("answer", string(exported_json(encode_document(comment, Members::kept))));
  item.emplace("comment", string(comment.id.text()));
  item.emplace("expires", number((once.now_ms + 999) / 1000 + day_s));
  return item;
}

// The key still belongs to its comment.
Expression still_of(const Item& key) {
  auto comment = key.find("comment");
  if (comment == key.end()) return {"attribute_exists(#k)", {{"#k", "PK"}}, {}};
  return {"#c = :c", {{"#c", "comment"}}, {{":c", comment->second}}};
}

std::optional<Comment> answer_in(const Item& key) {
  auto answer = text_of(key, "answer");
  if (!answer) return {};
  return quire::comment_of(*answer);
}

}  // namespace

Awaitable<Result<Outcome>> Writes::commit(std::vector<CommentWrite> writes, std::optional<Item> key,
                                          std::uint64_t now_s) {
  for (const auto& write : writes) {
    if (!write.after) continue;
    auto fits = check_size(*write.after);
    // A decision or a vote on an item that is as large already is left to the table.
    bool grows = !fits && (!write.before ||
                           billed_bytes(comment_item(*write.after)) > billed_bytes(*write.before));
    if (grows) co_return fits.error();
  }
  CO_TRY(auto known, co_await parts_.get());
  for (auto& write : writes) {
    if (write.after) write.parts = known.value->of(write.after->product);
  }
  co_return co_await commits_.make(std::move(writes), std::move(key), now_s);
}

Awaitable<Status> Writes::check_language(const Comment& comment) {
  auto known = co_await totals_.get(comment.product);
  if (!known) co_return Done{};
  auto language = list_facets[language_facet].parse(comment.language).value_or(any);
  std::size_t languages = 0;
  for (const auto& [each, ratings] : *known->value) {
    if (each == any || total(ratings) == 0) continue;
    if (each == language) co_return Done{};
    ++languages;
  }
  if (languages < limits::product_languages) co_return Done{};
  co_return too_many_languages();
}

Awaitable<Result<Outcome>> Writes::add(Comment comment, CustomerTerms terms, std::string once,
                                       std::optional<Item> key, std::uint64_t now_s) {
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY_DONE(co_await check_terms(comment, terms));
    std::vector<CommentWrite> writes;
    writes.push_back(insertion_of(comment, terms));
    writes.back().once = once;
    auto outcome = co_await commit(std::move(writes), key, now_s);
    if (!outcome || outcome->made.front() || outcome->known_key || !outcome->beside)
      co_return outcome;
    co_await client_.pause(round);  // another comment of the customer was faster
  }
  co_return busy_comment();
}

Awaitable<Result<std::string>> Writes::insert(Comment comment, std::optional<RequestKey> once,
                                              CustomerTerms terms) {
  CO_TRY_DONE(co_await check_language(comment));
  if (once) co_return co_await insert_once(std::move(comment), *once, std::move(terms));
  std::string document = encode_document(comment, Members::kept);
  CO_TRY(auto outcome, co_await add(std::move(comment), std::move(terms)));
  if (!outcome.made.front()) {
    co_return Error{ErrorCode::unavailable, "The id drawn for this comment is taken. Try again."};
  }
  co_return document;
}

Awaitable<Result<std::string>> Writes::insert_once(Comment comment, RequestKey once,
                                                   CustomerTerms terms) {
  Item key = key_item(once, comment);
  std::string document = encode_document(comment, Members::kept);
  std::uint64_t now_s = once.now_ms / 1000;
  for (int round = 0; round < max_rounds; ++round) {
    bool bound = comment.customer && (terms.once || terms.ticket);
    if (round > 0 || bound || !commits_.by_write()) {
      auto answer = co_await first_answer(key, now_s, terms);
      if (answer) co_return std::move(*answer);
    }
    if (!commits_.by_write()) {
      CO_TRY(auto taken, co_await take(key, now_s));
      if (taken) co_return co_await settle(key, comment, terms);
      continue;
    }
    CO_TRY(auto outcome, co_await add(comment, terms, key.at("PK").text, key, now_s));
    if (outcome.known_key) continue;
    if (outcome.made.front()) co_return document;
    co_return Error{ErrorCode::unavailable, "The id drawn for this comment is taken. Try again."};
  }
  co_return busy_comment();
}

// Without transactions the key is put first, marked as pending. A process that finds the mark puts
// the comment, so that key and comment are not without each other for long.
Awaitable<Result<bool>> Writes::take(Item key, std::uint64_t now_s) {
  key.emplace(pending, number(1));
  return client_.make(put_item(client_.table(), key, unused_key(now_s), Repeat::safe));
}

Awaitable<Result<std::string>> Writes::settle(Item key, Comment comment, CustomerTerms terms) {
  Ulid id = comment.id;
  std::string document = encode_document(comment, Members::kept);
  auto outcome = co_await add(std::move(comment), std::move(terms), key.at("PK").text);
  bool refused = !outcome && outcome.error().code == ErrorCode::already_written;
  if (refused) {
    Item at = key_of(key.at("PK").text, key.at("SK").text);
    co_await client_.send(delete_item(client_.table(), at, still_of(key), Repeat::safe));
  }
  if (!outcome) co_return outcome.error();
  key.erase(std::string(pending));
  CO_TRY(auto put,
         co_await client_.make(put_item(client_.table(), key, still_of(key), Repeat::safe)));
  if (put) co_return document;
  // The key is gone: another process had put the comment, and it was deleted meanwhile.
  if (outcome->made.front()) {
    Condition in_any_state;
    auto removed = co_await remove(id, std::move(in_any_state));
    if (!removed && removed.error().code != ErrorCode::not_found) co_return removed.error();
  }
  co_return document;
}

// Nothing if the key is not there, or has expired.
Awaitable<std::optional<Result<std::string>>> Writes::first_answer(const Item& key,
                                                                   std::uint64_t now_s,
                                                                   CustomerTerms terms) {
  auto there = co_await client_.get(key_of(key.at("PK").text, key.at("SK").text));
  if (!there) co_return Result<std::string>(there.error());
  const auto& item = there->item;
  if (!item || number_of(*item, "expires").value_or(0) <= now_s) co_return std::nullopt;
  if (text_of(*item, "body") != text_of(key, "body"))
    co_return Result<std::string>(idempotency_conflict());
  auto first = answer_in(*item);
  if (!first) co_return Result<std::string>(damaged_first_answer());
  if (item->contains(pending)) co_return co_await settle(*item, std::move(*first), terms);
  co_return Result<std::string>(encode_document(*first, Members::kept));
}

Awaitable<Result<Item>> Writes::read(const Ulid& id) {
  CO_TRY(auto there, co_await client_.get(comment_key(id)));
  if (!there.item || is_removed(*there.item)) co_return no_such_comment();
  co_return std::move(*there.item);
}

// The write is made only if the table still holds the item that was read. So the condition was
// checked against the very state that is changed.
Awaitable<Result<Edited>> Writes::update(Ulid id, Patch patch, Condition condition,
                                         Moderate moderate) {
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY(auto item, co_await read(id));
    auto comment = comment_of(item);
    if (!comment) co_return damaged_comment();
    Edited edited{encode_document(*comment), {}};
    CO_TRY_DONE(condition.check(*comment, edited.before));
    CO_TRY(auto after, patched(*comment, patch));
    if (moderate) CO_TRY_DONE(moderate(*comment, after));
    bool joins =
        after.published() && (!comment->published() || after.language != comment->language);
    if (joins) CO_TRY_DONE(co_await check_language(after));
    bool voted = item.contains(std::string(unvoted_attribute));
    if (voted) CO_TRY_DONE(check_tally(comment->attributes, after.attributes));
    edited.moderation = after.moderation;
    edited.former = comment->moderation;
    edited.after = encode_document(after);
    auto decision = patch.status;
    bool decides = decision || after.moderation.status != comment->moderation.status;
    Result<std::optional<Item>> reports = std::optional<Item>();
    if (decides) reports = co_await open_reports(id);
    if (!reports) co_return reports.error();
    edited.reported = decision && *reports && is_listed(**reports);
    bool made = after == *comment;
    if (!made) {
      std::vector<CommentWrite> writes;
      Result<std::vector<Action>> rows = std::vector<Action>();
      bool empties = comment->customer && !after.customer;
      if (empties) rows = co_await rows_to_forget(*comment);
      if (!rows) co_return rows.error();
      writes.push_back(
          {.before = std::move(item), .after = std::move(after), .beside = std::move(*rows)});
      if (empties && is_sourced(*comment)) writes.back().keeps_id = true;
      CO_TRY(auto outcome, co_await commit(std::move(writes)));
      made = outcome.made.front();
    }
    if (made) {
      co_await close_reports(*reports, decision);
      co_return edited;
    }
    co_await client_.pause(round);
  }
  co_return busy_comment();
}

// The key's item has the comment's text too, so it is removed before the comment: if the process
// ends in between, a repeated removal still finds the key by the comment. Gives the key's item.
Awaitable<Result<std::optional<Item>>> Writes::forget_key(const Item& item, const Ulid& id) {
  auto key = text_of(item, once_attribute);
  if (!key || !key->starts_with(once_prefix)) co_return std::optional<Item>();
  Item at = key_of(std::string(*key), std::string(*key));
  CO_TRY(auto there, co_await client_.get(at));
  if (!there.item) co_return std::optional<Item>();
  Expression ours{"#c = :c", {{"#c", "comment"}}, {{":c", string(id.text())}}};
  CO_TRY(auto removed, co_await client_.make(delete_item(client_.table(), at, ours, Repeat::safe)));
  if (removed) co_return std::move(there.item);
  // The key is gone already, or belongs to another comment by now.
  co_return std::optional<Item>();
}

// Of a comment that is not removed after all: a repeated post still finds it. Without the key, the
// comment would be made twice.
Awaitable<void> Writes::remember_key(const std::optional<Item>& key) {
  if (!key) co_return;
  co_await client_.send(put_item(client_.table(), *key, absent(), Repeat::safe));
}

Awaitable<Result<std::string>> Writes::remove(Ulid id, Condition condition) {
  std::optional<Item> key;  // that an earlier round forgot
  for (int round = 0; round < max_rounds; ++round) {
    auto item = co_await read(id);
    if (!item) {
      // An earlier removal may have ended before it removed the reports.
      if (item.error().code == ErrorCode::not_found) (void)co_await forget_reports(id);
      co_return item.error();
    }
    auto comment = comment_of(*item);
    // A damaged comment can be removed, unless the removal has a condition on its state.
    if (!comment && !condition.holds_always()) co_return damaged_comment();
    std::string document = comment ? encode_document(*comment) : std::string();
    auto met = comment ? condition.check(*comment, document) : Status(Done{});
    if (!met) {
      co_await remember_key(key);
      co_return met.error();
    }
    CO_TRY(auto forgotten, co_await forget_key(*item, id));
    if (forgotten) key = std::move(forgotten);
    Result<std::vector<Action>> rows = std::vector<Action>();
    if (comment) rows = co_await rows_to_forget(*comment);
    if (!rows) co_return rows.error();
    bool voted = item->contains(std::string(unvoted_attribute));
    if (voted) rows->push_back({Action::Kind::put, sweep_item(id)});
    std::vector<CommentWrite> writes;
    writes.push_back({.before = std::move(*item), .after = {}, .beside = std::move(*rows)});
    if (comment && is_sourced(*comment)) writes.back().keeps_id = true;
    CO_TRY(auto outcome, co_await commit(std::move(writes)));
    if (outcome.made.front()) {
      // Not as one conditional expression, which g++ 12 compiles wrongly.
      Status done = Done{};
      if (voted)
        done = co_await sweep_after(id);
      else
        done = co_await forget_reports(id);
      if (!done) co_return done.error();
      co_return document;
    }
    co_await client_.pause(round);
  }
  co_return busy_comment();
}

Awaitable<Result<std::string>> Writes::keys(std::string name, std::string fresh) {
  Item key = key_of(name, name);
  Item item = key;
  item.emplace("keys", string(fresh));
  auto there = co_await client_.get(key);
  if (there && !there->item && fresh.empty()) co_return std::string();
  if (there && !there->item) {
    CO_TRY_DONE(co_await client_.make(put_item(client_.table(), item, absent(), Repeat::safe)));
    there = co_await client_.get(key);
  }
  if (!there) co_return there.error();
  auto keys = there->item ? text_of(*there->item, "keys") : std::nullopt;
  if (!keys) co_return Error{ErrorCode::damaged, "The table's item " + name + " is damaged."};
  co_return std::string(*keys);
}

}  // namespace quire::dynamodb
