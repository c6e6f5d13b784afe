// Applies changes that may come again, as AWS Lambda hands them over. An item per comment tells
// which changes were applied.
#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "projection/follower.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/statistics/statistics.h"
#include "store/dynamodb/totals/marks.h"

namespace quire::dynamodb {
namespace {

// Of the marks of comments, of statistics, averages and registry; the rest of a transaction is for
// the state.
constexpr std::size_t max_once_actions = 90;
constexpr std::size_t puts_at_once = 32;
constexpr std::uint64_t kept_s = 48 * 3600;  // a stream keeps a record for a day

// Pads a sequence number to a fixed length, so that texts compare as numbers do.
std::string padded(const std::string& sequence) {
  return fmt::format("{:0>40}", sequence);
}

Item seen_key(const Ulid& id) {
  std::string key = "SEEN#" + id.text();
  return key_of(key, key);
}

Item seen_item(const Ulid& id, const std::string& padded_place, std::uint64_t now_s) {
  Item item = seen_key(id);
  item.emplace("sequence", string(padded_place));
  item.emplace("expires", number(now_s + kept_s));
  return item;
}

}  // namespace

// As many changes as fit a transaction.
struct TableStatistics::Unrepeated {
  std::vector<change::Change> changes;
  std::vector<Ulid> comments = {};  // in the order of the transaction's first actions

  // Puts a mark for each comment, if the comment's first change here was not applied before.
  std::vector<Action> marks(std::uint64_t now_s) {
    std::map<Ulid, std::pair<std::string, std::string>> sequences;  // first and last
    for (const auto& change : changes) {
      std::string sequence = padded(change.sequence);
      sequences.try_emplace(change.id, sequence, sequence).first->second.second = sequence;
    }
    std::vector<Action> actions;
    comments.clear();
    for (const auto& [id, sequence] : sequences) {
      comments.push_back(id);
      Item item = seen_item(id, sequence.second, now_s);
      Expression unseen{"attribute_not_exists(#k) OR #s < :s",
                        {{"#k", "PK"}, {"#s", "sequence"}},
                        {{":s", string(sequence.first)}}};
      actions.push_back({Action::Kind::put, std::move(item), std::move(unseen)});
    }
    return actions;
  }
};

Awaitable<TableStatistics::AppliedChanges> TableStatistics::apply_once(
    change::State state, std::vector<change::Change> changes, std::uint64_t now_s,
    std::chrono::steady_clock::time_point until) {
  return access_.loop.run(make_once(std::move(state), std::move(changes), now_s, until));
}

Awaitable<TableStatistics::AppliedChanges> TableStatistics::make_once(
    change::State state, std::vector<change::Change> changes, std::uint64_t now_s,
    std::chrono::steady_clock::time_point until) {
  AppliedChanges once;
  auto pass = co_await gate_.enter(std::chrono::steady_clock::now() + max_wait);
  while (once.changes < changes.size()) {
    auto left = std::span(changes).subspan(once.changes);
    auto some = left.first(fitting(left, max_once_actions, 1));
    Unrepeated batch{{some.begin(), some.end()}};
    Status made = Error{ErrorCode::unavailable,
                        "Too many steps of the statistics are waiting. Try again in a moment."};
    if (std::chrono::steady_clock::now() >= until)
      made = Error{ErrorCode::unavailable, "The time of the call is over."};
    else if (pass)
      made = co_await make_once(state, std::move(batch), now_s);
    if (!made) {
      once.failed = made.error();
      break;
    }
    once.changes += some.size();
  }
  co_return once;
}

Awaitable<Status> TableStatistics::make_once(const change::State& state, Unrepeated batch,
                                             std::uint64_t now_s) {
  std::set<std::string> products;
  for (const auto& change : batch.changes) products.insert(change.product);
  bool fresh = false;
  for (int round = 0; round < max_rounds && !batch.changes.empty(); ++round) {
    CO_TRY(auto totals, co_await totals_of(products, fresh));
    StatisticsDelta delta(totals, access_.address.leaders);
    for (const auto& change : batch.changes)
      delta.move(change.product, cell_of(change.from), cell_of(change.to));
    auto actions = batch.marks(now_s);
    actions.push_back(require_state(statistics_projection, state));
    for (auto& action : delta.actions()) actions.push_back(std::move(action));
    auto answer = co_await access_.client.send(transact(access_.client.table(), actions));
    if (!answer.failure) {
      for (auto& [product, after] : delta.totals()) access_.totals.put(product, std::move(after));
      co_return Done{};
    }
    for (const auto& product : products) access_.totals.forget(product);
    auto kind = answer.failure->kind;
    if (kind != FailureKind::condition && kind != FailureKind::conflict)
      co_return error_of(*answer.failure);
    if (answer.failure->refused(batch.comments.size())) co_return epoch_ended();
    auto dropped = co_await drop_seen(batch, *answer.failure);
    if (!dropped) co_return dropped;
    fresh = true;
    co_await access_.client.pause(round);
  }
  if (batch.changes.empty()) co_return Done{};
  co_return busy_statistics();
}

// Of comments whose marks refused the transaction, drops the changes that were applied before.
Awaitable<Status> TableStatistics::drop_seen(Unrepeated& batch, const Failure& failure) {
  std::vector<Ulid> refused;
  std::vector<Awaitable<Result<ItemAnswer>>> reads;
  for (std::size_t i = 0; i < batch.comments.size(); ++i) {
    if (!failure.refused(i)) continue;
    refused.push_back(batch.comments[i]);
    reads.push_back(access_.client.get(seen_key(batch.comments[i])));
  }
  auto marks = co_await all(std::move(reads));
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i]) co_return marks[i].error();
    if (!marks[i]->item) continue;
    std::string seen(text_of(*marks[i]->item, "sequence").value_or(""));
    std::erase_if(batch.changes, [&](const change::Change& change) {
      return change.id == refused[i] && padded(change.sequence) <= seen;
    });
  }
  co_return Done{};
}

Awaitable<Status> TableStatistics::put_as_of(change::State state, std::uint64_t as_of_ms) {
  Item mark =
      mark_item(statistics_projection, state.epoch, change::lambda_mark, {{}, false, as_of_ms});
  std::vector<Action> actions{require_state(statistics_projection, state)};
  actions.push_back({Action::Kind::put, std::move(mark)});
  for (int round = 0; round < max_rounds; ++round) {
    Call call = transact(access_.client.table(), actions);
    auto answer = co_await access_.loop.run(access_.client.send(std::move(call)));
    if (!answer.failure) co_return Done{};
    if (answer.failure->kind == FailureKind::condition) co_return epoch_ended();
    if (answer.failure->kind != FailureKind::conflict) co_return error_of(*answer.failure);
    co_await access_.client.pause(round);
  }
  co_return Done{};  // the workers that were faster have put a time as well
}

Awaitable<Result<bool>> TableStatistics::has_seen(Ulid id, std::string sequence) {
  CO_TRY(auto mark, co_await access_.loop.run(access_.client.get(seen_key(id))));
  co_return mark.item&& text_of(*mark.item, "sequence").value_or("") >= padded(sequence);
}

Awaitable<Status> TableStatistics::put_seen(std::vector<change::Change> changes,
                                            std::uint64_t now_s) {
  std::map<Ulid, std::string> last;
  for (const auto& change : changes) {
    auto& sequence = last[change.id];
    sequence = std::max(sequence, padded(change.sequence));
  }
  std::vector<Call> calls;
  for (const auto& [id, sequence] : last)
    calls.push_back(
        put_item(access_.client.table(), seen_item(id, sequence, now_s), {}, Repeat::safe));
  return access_.loop.run(put_all(std::move(calls)));
}

Awaitable<Status> TableStatistics::put_all(std::vector<Call> calls) {
  for (std::size_t from = 0; from < calls.size(); from += puts_at_once) {
    std::vector<Awaitable<Answer>> works;
    for (auto i = from; i < std::min(calls.size(), from + puts_at_once); ++i)
      works.push_back(access_.client.send(std::move(calls[i])));
    auto answers = co_await all(std::move(works));
    for (const auto& answer : answers) {
      if (answer.failure) co_return error_of(*answer.failure);
    }
  }
  co_return Done{};
}

}  // namespace quire::dynamodb
