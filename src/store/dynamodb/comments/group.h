// Writes of several callers that go in one transaction, and the outcome for each caller. Nothing
// here sends anything. Used on one loop; not thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "quire/result.h"
#include "store/dynamodb/comments/room.h"

namespace quire::dynamodb {

struct Outcome {
  std::vector<bool> made;  // per write; false: the table held something else than its `before`
  bool known_key = false;  // the idempotency key was used before, and nothing was made
};

// Writes that one caller wants to have committed together.
struct Submission {
  Submission(boost::asio::io_context& context, std::vector<CommentWrite> writes,
             std::optional<KeyPut> key);
  Submission(const Submission&) = delete;

  const std::vector<CommentWrite> writes;
  const std::optional<KeyPut> key;
  const Room room;

  std::vector<std::size_t> left;  // the writes that were not refused
  Outcome outcome;                // of the others
  std::optional<Result<Outcome>> result;

  bool grouped = false;  // a group has it
  bool alone = false;    // goes in no shared group: the service took such a group for invalid
  boost::asio::steady_timer woken;  // cancelled when its group has let it go, or it may lead
};

// Holds its submissions until it ends. Those that have no result then are for other groups.
class Group {
 public:
  struct Refused {
    bool statistics = false;  // they were other than expected
    bool caller = false;      // a write of a caller, or its key
  };

  // `leader`: stays as long as the group. `max`: actions that the transaction has at most, unless
  // the leader alone needs more.
  explicit Group(Submission& leader, std::size_t max = max_actions);
  ~Group();
  Group(const Group&) = delete;

  // Takes the submission if it fits: a transaction has a limited size, and no item twice.
  // Returns whether it does.
  bool add(Submission& submission);
  bool shared() const { return members_.size() > 1; }

  const std::set<std::string>& products() const { return room_.products(); }
  // Of all writes that are left.
  Transaction transaction(const KnownTotals& totals, std::size_t leader_shards) const;

  // The transaction was made: all have their results.
  void succeed();
  // A submission has its result if all its writes were refused, or its key.
  Refused refuse(const Transaction& transaction, const Failure& failure);
  // The error is the result of all.
  void fail(const Error& error);
  // Lets go of all but the leader. Each goes alone from now on.
  void part();

 private:
  void release(Submission& submission);
  void release_finished();

  std::vector<Submission*> members_;  // the leader first, unless it has its result
  Submission& leader_;
  Room room_;
  std::size_t max_;
};

}  // namespace quire::dynamodb
