// One request to the service, until it is answered or given up: signed, tried again where that may
// help, its answer's checksum looked at.
// Lives on one loop; not thread-safe, but for its figures.
#pragma once

#include <atomic>
#include <functional>

#include "dynamodb/calls.h"
#include "dynamodb/connections.h"
#include "dynamodb/credentials.h"
#include "dynamodb/retry.h"

namespace quire::dynamodb {

struct Answer {
  std::string body;                     // of a success
  std::optional<Failure> failure = {};  // the last try's
  // A try broke off, and what it asked for may have been done all the same.
  bool unclear = false;
};

// What an answer without success means to who asked Quire. The service's own words, which tell of
// accounts and tables, go to the log.
Error error_of(const Failure& failure);

// What a client needs of its surroundings; tests bring their own.
struct Surroundings {
  std::function<Awaitable<Exchanged>(Message, Deadline)> exchange;
  std::function<Awaitable<std::optional<Credentials>>(bool renew)> credentials;
  std::function<std::uint64_t()> now_ms;
  std::function<double()> chance;  // from 0 up to 1
  std::function<Awaitable<void>(Milliseconds)> sleep;
};

// Counted since the start; read by any thread.
struct Figures {
  std::atomic<std::uint64_t> requests = 0, retries = 0, throttled = 0, failed = 0;
  std::atomic<double> consumed = 0;  // read units
  void add_consumed(double units);
};

class Client {
 public:
  static constexpr std::chrono::seconds patience{10};  // for a request with all its tries
  static constexpr std::chrono::seconds a_try{4};

  Client(const Address& address, Surroundings surroundings)
      : address_(address), surroundings_(std::move(surroundings)) {}

  // Of DynamoDB, or with `target` "DynamoDBStreams_20120810" of its streams.
  Awaitable<Answer> send(Call call, std::string_view target = "DynamoDB_20120810");

  // The item with this key, as it is now; its price is counted.
  Awaitable<Result<ItemAnswer>> get(Item key);
  // Before the next round of something others got in the way of; longer each time.
  Awaitable<void> pause(int round);

  const std::string& table() const { return address_.table; }
  Figures& figures() { return figures_; }

 private:
  Awaitable<std::variant<std::string, Failure>> attempt(const Call& call, std::string_view target,
                                                        Deadline deadline, bool renew,
                                                        std::optional<Milliseconds>& asked);
  void correct_clock(const std::string& date);

  Address address_;
  Surroundings surroundings_;
  RetryBudget budget_;
  std::int64_t clock_offset_ms_ = 0;  // the service's clock less ours
  Figures figures_;
};

}  // namespace quire::dynamodb
