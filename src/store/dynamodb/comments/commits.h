// Commits writes of comments, each at most once. Where writes keep the statistics, one transaction
// changes the comments, the statistics, the registry of products and the idempotency key. Where a
// stream keeps them, a write touches the comment alone, and the items of its customer. Writes that
// wait for the same product go in one transaction. Used on one loop; not thread-safe.
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/dynamodb/comments/group.h"
#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/totals/totals_cache.h"

namespace quire::dynamodb {

// Servers that count comments of one product race: the transaction of one outdates the totals of
// the others. This paces them so that each gets on: the loser tries again soon, and the winner
// leaves the others a moment. Where the table throttles a large transaction, the next ones are
// smaller. Used on one loop; not thread-safe.
class Races {
 public:
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;

  // How long a product counts as contended after a lost race.
  static constexpr std::chrono::seconds remembered{2};

  // The races of one group of writes.
  class Run {
   public:
    Run(Races& races, const std::set<std::string>& products);

    // How long to wait at most before the first race. Zero: no other server is known.
    Milliseconds yield_delay(Clock::time_point now = Clock::now()) const;
    void start() { started_ = Clock::now(); }
    void win();
    void lose();
    // How long to wait at most before the next race.
    Milliseconds retry_delay() const;

    // Actions that a transaction may have.
    std::size_t room() const;
    // The table has throttled a transaction of so many actions. The next ones may have half as
    // many; each that is made lets the next have one more.
    void shrink(std::size_t actions);

   private:
    Races& races_;
    std::set<std::size_t> slots_;
    Clock::time_point started_;
    int lost_ = 0;
  };

 private:
  struct Slot {
    Clock::time_point contended_until;
    bool won = false;  // the race before
    std::size_t room = max_actions;
  };
  // Products share slots: a write to one may wait a moment because of another.
  std::array<Slot, 256> slots_;
  Milliseconds duration_{10};  // of a race, about
};

class Commits {
 public:
  static constexpr std::chrono::seconds max_wait{15};
  // Writes without a transaction that are sent at once. More would wait for connections, and use up
  // their time.
  static constexpr std::size_t max_concurrent = 16;

  Commits(boost::asio::io_context& context, TableClient& client, TotalsCache& totals,
          EmptyLists& empty_lists, StatisticsBy by, std::size_t leader_shards = 1)
      : context_(context),
        client_(client),
        totals_(totals),
        empty_lists_(empty_lists),
        by_(by),
        leader_shards_(leader_shards) {}

  // `key`: an idempotency key's item, put in the same transaction, at the time `now_s`. With
  // statistics kept by writes, makes all of the writes that can be made, or none. An error: whether
  // they were made is not known.
  Awaitable<Result<Outcome>> make(std::vector<CommentWrite> writes, std::optional<Item> key = {},
                                  std::uint64_t now_s = 0);

  bool by_write() const { return by_ == StatisticsBy::write; }

 private:
  Awaitable<Result<Outcome>> make_each(std::vector<CommentWrite> writes);
  Awaitable<Result<Outcome>> make_together(std::vector<CommentWrite> writes,
                                           std::optional<KeyPut> key);
  Awaitable<void> lead(Submission& submission, std::list<Queues::Place>& places, Deadline deadline);
  // Why a transaction was not made: the statistics may be other than expected; a caller fell out.
  struct Lost {
    bool race, caller;
  };
  static Lost refuse(Group& group, const Transaction& transaction, const Answer& answer);
  Awaitable<Result<KnownTotals>> totals_for(const std::set<std::string>& products, bool fresh);
  Awaitable<Result<Outcome>> make_alone(CommentWrite write);
  Awaitable<Result<Outcome>> make_with_beside(CommentWrite write);

  boost::asio::io_context& context_;
  TableClient& client_;
  TotalsCache& totals_;
  EmptyLists& empty_lists_;
  StatisticsBy by_;
  std::size_t leader_shards_;
  Queues queues_;
  Races races_;
};

}  // namespace quire::dynamodb
