// Servers that count comments of one product race: the transaction of one outdates the totals of
// the others. This paces them so that each gets on: the loser tries again soon, and the winner
// leaves the others a moment. Where the table throttles a large transaction, the next ones are
// smaller. Used on one loop; not thread-safe.
#pragma once

#include <array>
#include <chrono>
#include <set>
#include <string>

#include "store/dynamodb/items/conditions.h"

namespace quire::dynamodb {

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

}  // namespace quire::dynamodb
