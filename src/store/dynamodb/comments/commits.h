// Commits writes of comments, each at most once. Where writes keep the statistics, one transaction
// changes the comments, the statistics, the registry of products and the idempotency key. Where a
// stream keeps them, a write touches the comment alone, and the items of its customer. Writes that
// wait for the same product go in one transaction. Used on one loop; not thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "store/dynamodb/comments/group.h"
#include "store/dynamodb/comments/races.h"
#include "store/dynamodb/totals/totals_cache.h"

namespace quire::dynamodb {

class Commits {
 public:
  static constexpr std::chrono::seconds max_wait{15};
  // Writes without a transaction that are sent at once. More would wait for connections, and use up
  // their time.
  static constexpr std::size_t max_concurrent = 16;

  Commits(boost::asio::io_context& context, Client& client, TotalsCache& totals,
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
  Client& client_;
  TotalsCache& totals_;
  EmptyLists& empty_lists_;
  StatisticsBy by_;
  std::size_t leader_shards_;
  Queues queues_;
  Races races_;
};

}  // namespace quire::dynamodb
