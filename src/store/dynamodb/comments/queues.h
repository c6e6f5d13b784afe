// The queues of products. Of the submissions to a product one leads at a time, since transactions
// of one product would refuse each other; its group may make those that wait. Used on one loop; not
// thread-safe.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <string>

#include "loop/awaitable.h"
#include "store/dynamodb/comments/group.h"

namespace quire::dynamodb {

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
