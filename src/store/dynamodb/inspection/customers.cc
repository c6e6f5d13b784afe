// The votes of each comment are as many as its attributes count, and each has a comment.
// Each comment of a customer has a row in the customer's partition, and each such row a comment.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "base/hash.h"
#include "base/try.h"
#include "model/attributes.h"
#include "model/validate.h"
#include "model/vote.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/inspection/inspection.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

std::string quoted_key(const Item& key) {
  return boost::json::serialize(boost::json::string(name_of(key)));
}

constexpr std::uint64_t most_parts = std::uint64_t{1} << 32;  // of the pairs of comment and row

// Whether the item is a comment that cannot be read. An erasure finds such a comment by the row of
// its customer alone, so the row stays.
bool is_damaged(const std::optional<Item>& item, const std::optional<Comment>& comment) {
  return item && !is_removed(*item) && !comment;
}

// Has votes swept that are on no comment.
Flaw to_be_swept(const Ulid& id, std::string sentence) {
  auto sweep = sweep_item(id);
  Flaw flaw{std::move(sentence), {}, absent()};
  flaw.key = sweep_key(id);
  flaw.change = {"SET #a = :a, #b = :b",
                 {{"#a", std::string(queue_attribute)}, {"#b", std::string(sort_attribute)}},
                 {{":a", sweep.at(std::string(queue_attribute))},
                  {":b", sweep.at(std::string(sort_attribute))}}};
  return flaw;
}

// `item`: a comment that has these votes.
MaybeFlaw flaw_of_count(const Item& item, const Ulid& id, const VoteCounts& votes) {
  auto comment = comment_of(item);
  if (!comment) return {};
  auto present = tally_of(comment->attributes);
  auto kept = unvoted_in(item);
  bool marked = item.contains(unvoted_attribute);
  auto before = kept.value_or(without(present, votes));
  bool whole = marked == !votes.none() && kept.has_value() == marked;
  if (whole && counted(before, votes) == present) return {};
  auto sentence =
      fmt::format("Comment {} has {} helpful and {} unhelpful votes, and counts others.", id.text(),
                  votes.helpful, votes.unhelpful);
  set_tally(comment->attributes, counted(before, votes));
  if (!check_attributes(comment->attributes).empty()) return to_be_swept(id, std::move(sentence));
  Flaw flaw{std::move(sentence),
            {"SET #d = :d", {{"#d", "data"}}, {{":d", comment_item(*comment).at("data")}}}};
  flaw.change.names["#u"] = unvoted_attribute;
  if (votes.none()) {
    flaw.change.text += " REMOVE #u";
  } else {
    flaw.change.text += ", #u = :u";
    flaw.change.values[":u"] = string(encode_tally(before));
  }
  flaw.key = comment_key(id);
  static const std::array<std::string, 2> read = {"data", std::string(unvoted_attribute)};
  flaw.condition = unchanged(item, read);
  return flaw;
}

}  // namespace

void ItemInspection::look_at_customer(const Item& item) {
  std::optional<CustomerHash> customer;
  std::optional<Ulid> id;
  auto seen = Seen::row;
  if (is_customer_comment(item)) {
    customer = customer_in(item);
    id = comment_in_key(item);
    if (customer && last_.first != *customer) last_ = {*customer, {}};
    if (id && last_.second.size() < max_waiting_) last_.second.insert(*id);
  } else if (is_customer_product(item)) {
    auto named = comment_named(item);
    if (customer_in(item) != last_.first || !named || !last_.second.contains(*named))
      add(key_in(item));
  } else if (is_comment(item) && item.contains("data") &&
             item.at("data").text.find("customer") != std::string::npos) {
    auto comment = comment_of(item);
    if (comment) customer = comment->customer;
    if (comment) id = comment->id;
    seen = Seen::comment;
  }
  if (!customer || !id) return;
  if (!is_compared(*customer, *id)) return;
  auto at = alone_.find({*customer, *id});
  if (at != alone_.end() && at->second != seen) {
    alone_.erase(at);
    return;
  }
  alone_.try_emplace({*customer, *id}, seen);
  for (; alone_.size() > max_waiting_ && parts_of_pairs_ < most_parts; parts_of_pairs_ *= 2)
    std::erase_if(alone_, [&](const auto& each) {
      return !is_compared(each.first.first, each.first.second);
    });
}

// Where too many wait for the other, half of the pairs are compared no more. What was dropped of a
// pair is then of no use, and nothing that is missing is taken for a flaw.
bool ItemInspection::is_compared(const CustomerHash& customer, const Ulid& id) const {
  if (parts_of_pairs_ == 1) return true;
  auto pair = long_hash(std::string(customer.view()) + id.text());
  return (pair ^ part_) % parts_of_pairs_ == 0;
}

Awaitable<Result<MaybeFlaw>> ItemInspection::flaw_of_customer(const Item& key,
                                                              const std::optional<Item>& row) {
  auto nameless = row ? flaw_of(*row) : MaybeFlaw();
  if (nameless) co_return nameless;
  auto customer = customer_in(key);
  auto id = comment_in_key(key);
  if (!customer || !id) co_return MaybeFlaw();
  CO_TRY(auto there, co_await access_.loop.run(access_.client.get(comment_key(*id))));
  auto comment = there.item ? comment_of(*there.item) : std::nullopt;
  if (is_damaged(there.item, comment)) co_return MaybeFlaw();
  bool written = comment && comment->customer == customer;
  if (written == row.has_value()) co_return MaybeFlaw();
  Flaw flaw;
  if (written) {
    flaw.sentence = "Comment " + id->text() + " is not among its customer's comments.";
    flaw.change = {"SET #p = :p", {{"#p", "product"}}, {{":p", string(comment->product)}}};
    flaw.condition = absent();
  } else {
    flaw.sentence =
        "Item " + quoted_key(key) + " names a comment that is gone, or is not this customer's.";
    flaw.condition = {"#p = :p", {{"#p", "product"}}, {{":p", row->at("product")}}};
    flaw.removes = true;
  }
  co_return MaybeFlaw(std::move(flaw));
}

Awaitable<Result<MaybeFlaw>> ItemInspection::flaw_of_only(const Item& row) {
  CO_TRY(auto there,
         co_await access_.loop.run(access_.client.get(comment_key(*comment_named(row)))));
  auto comment = there.item ? comment_of(*there.item) : std::nullopt;
  if (is_damaged(there.item, comment)) co_return MaybeFlaw();
  if (comment && comment->customer == customer_in(row)) co_return MaybeFlaw();
  Flaw flaw;
  flaw.sentence =
      "Item " + quoted_key(row) + " names a comment that is gone, or is not this customer's.";
  flaw.condition = {"#c = :c",
                    {{"#c", std::string(named_attribute)}},
                    {{":c", row.at(std::string(named_attribute))}}};
  flaw.removes = true;
  co_return MaybeFlaw(std::move(flaw));
}

// A scan meets a comment and its votes in any order, where several segments are read at once.
void ItemInspection::look_at_votes(const Item& item) {
  VoteCounts seen, wanted;
  if (is_vote(item)) {
    auto vote = read_vote(item);
    if (vote) ++seen.of(*vote);
  } else if (is_comment(item) && item.contains(unvoted_attribute)) {
    auto comment = comment_of(item);
    auto before = unvoted_in(item);
    if (!before) return add(votes_key(item.at("PK").text));
    if (comment) wanted = votes_in(tally_of(comment->attributes), *before);
  }
  if (seen.none() && wanted.none()) return;
  const auto& partition = item.at("PK").text;
  bool full = uncounted_.size() >= max_waiting_ && !uncounted_.contains(partition);
  more_ |= full;
  if (full) return;
  auto& votes = uncounted_[partition];
  votes.helpful += wanted.helpful - seen.helpful;  // modulo 2^64
  votes.unhelpful += wanted.unhelpful - seen.unhelpful;
  if (votes.none()) uncounted_.erase(partition);
}

Awaitable<Result<VoteCounts>> ItemInspection::count_votes(std::string partition) {
  VoteCounts votes;
  QueryArguments arguments{.table = access_.client.table(),
                           .partition_name = "PK",
                           .partition = std::move(partition),
                           .sort_name = "SK",
                           .consistent = true};
  arguments.sort_from = string(std::string(vote_prefix));
  arguments.sort_to = string(std::string(vote_prefix) + "~");
  do {
    CO_TRY(auto page, co_await access_.loop.run(access_.client.page(query(arguments))));
    for (const auto& item : page.items)
      if (auto vote = read_vote(item)) ++votes.of(*vote);
    arguments.start = std::move(page.last);
  } while (arguments.start);
  co_return votes;
}

// Counts again, by reads that see all that was written before.
Awaitable<Result<MaybeFlaw>> ItemInspection::flaw_of_votes(const Item& key) {
  const auto& partition = key.at("PK").text;
  auto id = comment_of_partition(key);
  if (!id) co_return MaybeFlaw();
  CO_TRY(auto there, co_await access_.loop.run(access_.client.get(key_of(partition, partition))));
  auto votes = co_await count_votes(partition);
  if (!votes) co_return votes.error();
  CO_TRY(auto unswept, co_await access_.loop.run(is_unswept(access_.client, *id)));
  if (unswept) co_return MaybeFlaw();
  if (there.item && !is_removed(*there.item)) co_return flaw_of_count(*there.item, *id, *votes);
  if (votes->none()) co_return MaybeFlaw();
  co_return to_be_swept(*id,
                        fmt::format("Comment {} is gone, and votes on it are not.", id->text()));
}

}  // namespace quire::dynamodb
