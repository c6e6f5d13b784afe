// Turns of the works of one loop, by client: a client with a hundred dear requests delays the
// others by a turn or two, not by a hundred.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <memory>

#include "loop/awaitable.h"
#include "loop/lines.h"

namespace quire {

// Of a loop that one thread runs; only that thread may use it. A round is the time between two
// looks of the loop for events. In a round all waiting works together go on for about a turn, and
// each client's new works may begin until they have held the loop for a turn. A loop with nothing
// else to do begins the next round at once, so no time is lost.
class Turns {
 public:
  explicit Turns(boost::asio::io_context& context) : context_(context) {}

  // Makes next_turn() of this thread wait here, while it lives.
  class Here {
   public:
    explicit Here(Turns& turns);
    ~Here();
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;
  };

  // Whether this is an executor of the loop.
  bool are_of(const boost::asio::any_io_executor& executor) const;
  // From here on the current handler works for this client. False: it has to wait() first, because
  // the client has had its turn in this round, or waits already. Client 0 never has to.
  bool begin(std::uint64_t client);
  // Suspends until the client of the current work has its turn. At most one work of a coroutine
  // waits, so connections bound them.
  Awaitable<void> wait();

 private:
  struct Work {
    virtual ~Work() = default;
    virtual void go_on() = 0;
  };
  template <class Handler>
  struct WorkOf;

  void add(std::unique_ptr<Work> work);
  void end_round_later();
  void end_round();

  boost::asio::io_context& context_;
  HeldTimes held_;  // in this round
  Lines<std::unique_ptr<Work>> waiting_;
  bool ends_ = false;  // the end of the round is in the loop's queue
};

}  // namespace quire
