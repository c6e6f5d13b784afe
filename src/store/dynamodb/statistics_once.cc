// Changes that may come again, as AWS Lambda hands them over: which were applied, an item for each
// comment tells.
#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "projection/shards.h"
#include "store/dynamodb/marks.h"
#include "store/dynamodb/statistics.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t most_once_actions = 90;
constexpr std::uint64_t kept_s = 48 * 3600;  // a stream has a record for a day

// Digits of one length, so that they compare as texts do.
std::string padded(const std::string& sequence) {
  return fmt::format("{:0>40}", sequence);
}

Item seen_key(const Ulid& id) {
  std::string key = "SEEN#" + id.text();
  return key_of(key, key);
}

}  // namespace

// So many changes as fit a transaction, none between two of one record.
struct TableStatistics::Unrepeated {
  std::vector<projection::Change> changes;
  std::set<std::string> products;
  std::vector<Ulid> comments = {};  // in the order of the transaction's first actions

  // From `from` on; where it ends.
  std::size_t take(const std::vector<projection::Change>& all, std::size_t from) {
    std::set<std::pair<std::string, FacetValue>> rows;
    std::set<Ulid> ids;
    std::size_t end = from;
    for (; end < all.size(); ++end) {
      const auto& change = all[end];
      ids.insert(change.id);
      products.insert(change.product);
      for (const auto& cell : {change.from, change.to}) {
        if (cell) rows.insert({change.product, (*cell)[language_facet]});
      }
      bool whole = end > from && change.place != all[end - 1].place;
      auto actions = ids.size() + 2 * rows.size() + products.size();
      if (whole && actions > most_once_actions) break;
      changes.push_back(change);
    }
    return end;
  }

  // One for each comment: that its first change here was not applied before.
  std::vector<Action> marks(std::uint64_t now_s) {
    std::map<Ulid, std::pair<std::string, std::string>> places;  // first and last
    for (const auto& change : changes) {
      std::string place = padded(change.place);
      places.try_emplace(change.id, place, place).first->second.second = place;
    }
    std::vector<Action> actions;
    comments.clear();
    for (const auto& [id, place] : places) {
      comments.push_back(id);
      Item item = seen_key(id);
      item.emplace("sequence", string(place.second));
      item.emplace("expires", number(now_s + kept_s));
      Expression unseen{"attribute_not_exists(#k) OR #s < :s",
                        {{"#k", "PK"}, {"#s", "sequence"}},
                        {{":s", string(place.first)}}};
      actions.push_back({Action::What::put, std::move(item), std::move(unseen)});
    }
    return actions;
  }
};

Awaitable<TableStatistics::Once> TableStatistics::apply_once(
    std::vector<projection::Change> changes, std::uint64_t now_s) {
  return parts_.loop.run(make_once(std::move(changes), now_s));
}

Awaitable<TableStatistics::Once> TableStatistics::make_once(std::vector<projection::Change> changes,
                                                            std::uint64_t now_s) {
  Once once;
  auto pass = co_await gate_.enter(std::chrono::steady_clock::now() + patience);
  while (once.changes < changes.size()) {
    Unrepeated batch;
    auto end = batch.take(changes, once.changes);
    Status made = Error{ErrorCode::unavailable, "Too many steps of the statistics wait."};
    if (pass) made = co_await make_once(std::move(batch), now_s);
    if (!made) {
      once.failed = made.error();
      break;
    }
    once.changes = end;
  }
  co_return once;
}

Awaitable<Status> TableStatistics::make_once(Unrepeated batch, std::uint64_t now_s) {
  bool fresh = false;
  for (int round = 0; round < most_rounds && !batch.changes.empty(); ++round) {
    auto totals = co_await totals_of(batch.products, fresh);
    if (!totals) co_return totals.error();
    Tally tally(*totals, parts_.address.leaders);
    for (const auto& change : batch.changes) tally.move(change.product, change.from, change.to);
    auto actions = batch.marks(now_s);
    for (auto& action : tally.actions()) actions.push_back(std::move(action));
    auto token = Ulid::make(system_ms(), system_entropy()).text();
    auto answer = co_await parts_.client.send(transact(parts_.client.table(), actions, token));
    if (!answer.failure) {
      for (auto& [product, after] : tally.totals()) parts_.totals.put(product, std::move(after));
      co_return Done{};
    }
    for (const auto& product : batch.products) parts_.totals.forget(product);
    auto kind = answer.failure->kind;
    if (kind != Kind::condition && kind != Kind::conflict) co_return error_of(*answer.failure);
    auto dropped = co_await drop_seen(batch, answer.failure->reasons);
    if (!dropped) co_return dropped;
    fresh = true;
    co_await parts_.client.pause(round);
  }
  if (batch.changes.empty()) co_return Done{};
  co_return Error{ErrorCode::unavailable, "Others write to the same statistics. Try again."};
}

// Leaves out what was applied before, of the comments whose marks refused it.
Awaitable<Status> TableStatistics::drop_seen(Unrepeated& batch,
                                             const std::vector<std::string>& reasons) {
  for (std::size_t i = 0; i < std::min(batch.comments.size(), reasons.size()); ++i) {
    if (reasons[i] != "ConditionalCheckFailed") continue;
    Ulid id = batch.comments[i];
    auto mark = co_await parts_.client.get(seen_key(id));
    if (!mark) co_return mark.error();
    if (!mark->item) continue;
    std::string seen(text_of(*mark->item, "sequence").value_or(""));
    std::erase_if(batch.changes, [&](const projection::Change& change) {
      return change.id == id && padded(change.place) <= seen;
    });
  }
  co_return Done{};
}

Awaitable<Status> TableStatistics::put_as_of(std::uint64_t as_of_ms) {
  auto state = co_await this->state();
  if (!state) co_return state.error();
  const std::string& table = parts_.client.table();
  std::string epoch = state->epoch;
  Item mark =
      mark_item(statistics_projection, epoch, projection::lambda_mark, {{}, false, as_of_ms});
  std::vector<Call> calls{put_item(table, mark, {}, Repeat::safe)};
  // Nobody follows shards any more.
  for (const auto& [shard, unused] : state->marks) {
    if (shard != projection::lambda_mark)
      calls.push_back(delete_item(table, mark_key(statistics_projection, shard), {}, Repeat::safe));
  }
  for (auto& call : calls) {
    auto answer = co_await parts_.loop.run(parts_.client.send(std::move(call)));
    if (answer.failure) co_return error_of(*answer.failure);
  }
  co_return Done{};
}

}  // namespace quire::dynamodb
