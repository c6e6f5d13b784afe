// Writes of several callers that go in one transaction, and the outcome for each caller. Nothing
// here sends anything. Used on one loop; not thread-safe.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "loop/awaitable.h"
#include "quire/result.h"
#include "store/dynamodb/comments/transaction.h"

namespace quire::dynamodb {

struct Outcome {
  std::vector<bool> made;  // per write; false: the table held something else than its `before`
  bool known_key = false;  // the idempotency key was used before, and nothing was made
  bool beside = false;     // an item of a customer held something else than a write wants
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
  // The transaction that makes all writes which are left.
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

// The queues of products. Of the submissions to a product one leads at a time, since transactions
// of one product would refuse each other; its group may make those that wait. Used on one loop; not
// thread-safe.
class Queues {
  struct Queue {
    Submission* leader = nullptr;
    std::deque<Submission*> waiting;
    std::size_t places = 0;
  };

 public:
  static constexpr std::size_t max_waiting = 1000;  // for one product

  // A submission's place in the queue of a product. The destructor leaves the queue, and lets the
  // next submission lead.
  class Place {
   public:
    // Both must outlive the place.
    Place(Queues& queues, const std::string& product, Submission& submission);
    ~Place();
    Place(const Place&) = delete;

    // Waits for the right to lead. False: the submission has a result, or the deadline came first,
    // or the queue is full.
    Awaitable<bool> enter(std::chrono::steady_clock::time_point deadline);
    // Adds those that wait and fit to the group of the leader.
    void gather(Group& group);

   private:
    Queues& queues_;
    std::map<std::string, Queue>::iterator at_;
    Submission& submission_;
  };

 private:
  std::map<std::string, Queue> queues_;  // of products that are written to
};

}  // namespace quire::dynamodb
