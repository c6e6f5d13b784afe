// Commits writes of comments, each at most once. Where writes keep the statistics, one transaction
// changes the comments, the statistics, the registry of products and the idempotency key. Where a
// stream keeps them, a write touches the comment alone.
// Used on one loop; not thread-safe.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loop/gate.h"
#include "store/dynamodb/comments/transaction.h"
#include "store/dynamodb/totals/empty_lists.h"
#include "store/dynamodb/totals/totals_cache.h"

namespace quire::dynamodb {

struct Outcome {
  std::vector<bool> made;  // per write; false: the table held something else than its `before`
  bool known_key = false;  // the idempotency key was used before, and nothing was made
};

class Commits {
 public:
  static constexpr std::size_t max_waiting = 1000;  // for one product
  static constexpr std::chrono::seconds patience{15};
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
  class Round;
  struct ProductLock;

  Awaitable<Result<Outcome>> make_each(std::vector<CommentWrite> writes);
  Awaitable<Result<Outcome>> make_together(std::vector<CommentWrite> writes,
                                           std::optional<Item> key, std::uint64_t now_s);
  Awaitable<std::optional<Error>> lock(const std::string& product, Deadline deadline,
                                       std::vector<ProductLock>& locks);
  Awaitable<Result<KnownTotals>> totals_for(const std::vector<CommentWrite>& writes, bool fresh);
  Awaitable<Result<bool>> make_alone(CommentWrite write);

  boost::asio::io_context& context_;
  Client& client_;
  TotalsCache& totals_;
  EmptyLists& empty_lists_;
  StatisticsBy by_;
  std::size_t leader_shards_;
  // One per product that is written to: transactions of the same product would refuse each other.
  std::map<std::string, Gate> gates_;
};

}  // namespace quire::dynamodb
