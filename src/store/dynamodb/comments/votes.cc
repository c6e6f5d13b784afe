// Votes of customers. A vote is an item beside the comment, put or removed in one transaction with
// the comment's new counts, on condition that both are as they were read.
#include <algorithm>

#include "base/try.h"
#include "model/attributes.h"
#include "model/document.h"
#include "model/validate.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/comments/writes.h"
#include "store/dynamodb/items/customer_items.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t votes_at_once = 100;  // of one read
constexpr int max_sweeps = 5;               // of one removal; later ones go on

const std::array<std::string, 1> vote_attributes = {std::string(vote_attribute)};

Action action_on_vote(const Ulid& id, const CustomerHash& customer, std::optional<Vote> vote,
                      const std::optional<Item>& before) {
  Expression condition = before ? unchanged(*before, vote_attributes) : absent();
  if (vote) return {Action::Kind::put, vote_item(id, customer, *vote), condition};
  return {Action::Kind::remove, vote_key(id, customer), condition};
}

}  // namespace

Awaitable<Result<Voted>> Writes::vote(Ulid id, CustomerHash customer, std::optional<Vote> vote) {
  co_return co_await cast(id, customer, vote, false);
}

Awaitable<Result<Voted>> Writes::cast(Ulid id, CustomerHash customer, std::optional<Vote> vote,
                                      bool erases) {
  for (int round = 0; round < max_rounds; ++round) {
    CO_TRY(auto item, co_await read(id));
    auto comment = comment_of(item);
    if (!comment) co_return damaged_comment();
    if (!erases && !comment->published()) co_return no_such_comment();
    if (!erases && comment->customer == customer) co_return own_comment();
    if (vote && !item.contains(std::string(unvoted_attribute))) {
      CO_TRY(auto swept, co_await sweep_before(id));
      if (swept) continue;
    }
    CO_TRY(auto there, co_await client_.get(vote_key(id, customer)));
    auto before = there.item ? read_vote(*there.item) : std::nullopt;
    auto present = tally_of(comment->attributes);
    if (before == vote && before.has_value() == there.item.has_value())
      co_return Voted{vote, present.helpful.value_or(0), present.unhelpful.value_or(0)};
    if (!takes_votes(comment->attributes)) co_return no_numbers();
    auto without = unvoted_in(item).value_or(present);
    auto votes = votes_in(present, without);
    if (before && votes.of(*before) > 0) --votes.of(*before);
    if (vote) ++votes.of(*vote);
    auto tally = counted(without, votes);
    Comment after = *comment;
    set_tally(after.attributes, tally);
    if (auto errors = check_attributes(after.attributes); !errors.empty())
      co_return invalid_comment(std::move(errors));
    std::vector<CommentWrite> writes;
    writes.push_back({.before = std::move(item),
                      .after = std::move(after),
                      .beside = {action_on_vote(id, customer, vote, there.item)},
                      .unvoted = votes.none() ? "" : encode_tally(without)});
    CO_TRY(auto outcome, co_await commit(std::move(writes)));
    if (outcome.made.front())
      co_return Voted{vote, tally.helpful.value_or(0), tally.unhelpful.value_or(0)};
    co_await client_.pause(round);
  }
  co_return busy_comment();
}

Awaitable<Status> Writes::erase_votes(CustomerHash customer, Erased& erased,
                                      std::optional<Error>& damage) {
  QueryArguments arguments{.table = client_.table(),
                           .index = std::string(indexes.front().name),
                           .partition_name = std::string(queue_attribute),
                           .partition = customer_partition(customer),
                           .limit = votes_at_once};
  do {
    CO_TRY(auto page, co_await client_.page(query(arguments)));
    for (const auto& item : page.items) {
      auto id = comment_of_partition(item);
      if (!id || !is_vote(item)) continue;
      auto cast = co_await this->cast(*id, customer, {}, true);
      if (!cast && cast.error().code == ErrorCode::unavailable) co_return cast.error();
      if (!cast && cast.error().code == ErrorCode::damaged) damage = cast.error();
      Call left = delete_item(client_.table(), vote_key(*id, customer), {}, Repeat::safe);
      auto answer = co_await client_.send(std::move(left));
      if (answer.failure) co_return error_of(*answer.failure);
      ++erased.votes;
    }
    arguments.start = std::move(page.last);
  } while (arguments.start);
  co_return Done{};
}

Awaitable<Status> Writes::sweep_after(const Ulid& id) {
  for (int i = 0; i < max_sweeps; ++i) {
    CO_TRY(auto more, co_await sweep_comment(client_, id));
    if (!more) co_return Done{};
  }
  co_return Done{};
}

// Before the first vote on a comment: votes may be left of one that was removed, and came back with
// the id. Whether there were any.
Awaitable<Result<bool>> Writes::sweep_before(const Ulid& id) {
  auto unswept = co_await is_unswept(client_, id);
  if (!unswept || !*unswept) co_return unswept;
  CO_TRY_DONE(co_await sweep_after(id));
  co_return true;
}

}  // namespace quire::dynamodb
