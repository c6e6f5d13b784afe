// The table's statistics as a target of a projection: counts, leaderboards and the registry of
// products follow the stream, and each step is one transaction with its mark. Format of the marks:
// docs/formats/table.md
#pragma once

#include <set>
#include <string>
#include <vector>

#include "change/target.h"
#include "loop/gate.h"
#include "store/dynamodb/access/access.h"
#include "store/dynamodb/statistics/delta.h"
#include "store/dynamodb/totals/state.h"

namespace quire::dynamodb {

// Whether a place in a shard is not after another; places are sequence numbers.
bool not_after(const std::string& place, const std::string& other);

// `access` must outlive it. Steps are made one after the other, because they write the same items.
// A step too large for one transaction is made in parts.
class TableStatistics : public change::Target {
 public:
  static constexpr std::chrono::seconds patience{30};

  explicit TableStatistics(TableAccess& access)
      : access_(access), gate_(access.loop.context(), 1, 1000) {}

  Awaitable<Result<change::State>> state() override;
  Awaitable<Result<bool>> apply(change::Step step) override;
  // Leaves the statistics as they are: put() makes them what they must be.
  Awaitable<Status> reset(change::State state) override;
  // The same, if it is being built in this epoch. unavailable: another has begun anew meanwhile.
  Awaitable<Status> reset(change::State state, std::string epoch);
  Awaitable<Result<bool>> turn(std::string epoch, change::Phase from, change::Phase to) override;

  // Applies changes of a stream that someone else keeps the place in, so that they may come again:
  // beside its statistics each comment has the place of its last change, for two days. In their
  // order; how many from the first are done. An error: none more than that. All of it only while
  // the state has the epoch and phase of `state`, and none is begun after `until`.
  struct Once {
    std::size_t changes = 0;
    std::optional<Error> failed = {};
  };
  Awaitable<Once> apply_once(
      change::State state, std::vector<change::Change> changes, std::uint64_t now_s,
      std::chrono::steady_clock::time_point until = std::chrono::steady_clock::time_point::max());
  // Tells until when everything is applied, where apply_once() does it.
  Awaitable<Status> put_as_of(change::State state, std::uint64_t as_of_ms);
  // Whether apply_once() has had the comment's change at that place, or put_seen() named it.
  Awaitable<Result<bool>> has_seen(Ulid id, std::string place);
  // apply_once() will take these as applied, and all before them.
  Awaitable<Status> put_seen(std::vector<change::Change> changes, std::uint64_t now_s);

  // How the product's items (statistics, places in leaderboards, registry) differ from what a
  // recount found: a sentence each.
  Awaitable<Result<std::vector<std::string>>> differences(std::string product, Totals totals);
  // Products that the table names, in byte order, strictly after `after`; fewer than `limit`: all.
  Awaitable<Result<std::vector<std::string>>> products(std::string after, std::size_t limit);
  // Makes those of some products so, from whatever they were; all are read at once. unavailable:
  // they changed meanwhile, so the recount is too old; or the state is of another epoch than
  // `epoch`, if one is given. Some may be put then.
  Awaitable<Status> put(std::map<std::string, Totals> products, std::string epoch = {});

 private:
  struct Piece;
  struct Unrepeated;
  Piece cut(const change::Step& step, std::size_t from) const;
  Awaitable<Result<bool>> make(const change::Step& step);
  Awaitable<Result<bool>> make(Piece piece);
  Awaitable<Once> make_once(change::State state, std::vector<change::Change> changes,
                            std::uint64_t now_s, std::chrono::steady_clock::time_point until);
  Awaitable<Status> make_once(const change::State& state, Unrepeated batch, std::uint64_t now_s);
  Awaitable<Status> put_all(std::vector<Call> calls);
  Awaitable<Status> drop_seen(Unrepeated& batch, const Failure& failure);
  Awaitable<Result<KnownTotals>> totals_of(const std::set<std::string>& products, bool fresh);
  Awaitable<Status> write_state(change::State state, std::string epoch);
  Awaitable<Result<std::map<Item, Item>>> items_of(std::string product);
  Awaitable<Status> replace(std::map<std::string, Totals> products, std::string epoch);
  Awaitable<Status> replace(std::vector<Action> actions, std::string epoch);

  TableAccess& access_;
  Gate gate_;
};

}  // namespace quire::dynamodb
