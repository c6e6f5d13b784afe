// Makes changes of comments, each at most once. Kept by the write, statistics, the registry of
// products and the idempotency key change with the comments in one transaction; kept by the stream,
// a write touches the comment alone.
// Lives on one loop; not thread-safe.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loop/gate.h"
#include "store/dynamodb/comments/transaction.h"
#include "store/dynamodb/totals/totals_cache.h"

namespace quire::dynamodb {

// Which of the changes were made; the others found something else than their `before`.
struct Outcome {
  std::vector<bool> made;
  bool known_key = false;  // the idempotency key was used before: nothing was made
};

class Commits {
 public:
  static constexpr std::size_t max_waiting = 1000;  // for one product
  static constexpr std::chrono::seconds patience{15};
  // Of changes that are made alone: those that wait for a connection use up their time.
  static constexpr std::size_t at_once = 16;

  Commits(boost::asio::io_context& context, Client& client, TotalsCache& totals, StatisticsBy by,
          std::size_t leader_shards = 1)
      : context_(context),
        client_(client),
        totals_(totals),
        by_(by),
        leader_shards_(leader_shards) {}

  // With statistics kept by the write: of all changes that can be made, all or none. An error: it
  // is not known whether they were made.
  Awaitable<Result<Outcome>> make(std::vector<CommentWrite> writes, std::optional<Item> key = {},
                                  std::uint64_t now_s = 0);

  bool by_write() const { return by_ == StatisticsBy::write; }

 private:
  class Round;
  struct Inside;

  Awaitable<Result<Outcome>> make_together(std::vector<CommentWrite> writes,
                                           std::optional<Item> key, std::uint64_t now_s);
  Awaitable<std::optional<Error>> enter(const std::string& product, Deadline deadline,
                                        std::vector<Inside>& inside);
  Awaitable<Result<KnownTotals>> totals_for(const std::vector<CommentWrite>& writes, bool fresh);
  Awaitable<Result<bool>> make_alone(CommentWrite write);

  boost::asio::io_context& context_;
  Client& client_;
  TotalsCache& totals_;
  StatisticsBy by_;
  std::size_t leader_shards_;
  // One a product that is written to: its transactions at once would only refuse each other.
  std::map<std::string, Gate> gates_;
};

}  // namespace quire::dynamodb
