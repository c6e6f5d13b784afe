// Whether and when to try again, by AWS's own rules: "Retry behavior" in the AWS SDKs and Tools
// Reference Guide, https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html;
// full jitter: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quire::dynamodb {

// Each kind exists because some caller reacts to it.
enum class FailureKind {
  transient,    // worth another try soon; a write may have been applied
  throttled,    // nothing was applied; worth another try later
  condition,    // a condition did not hold: nothing was applied, and another try would fail again
  conflict,     // another transaction wrote the same items: nothing was applied, worth another try
  credentials,  // expired or not accepted: worth one try with new credentials
  clock,        // this machine's time is too far from the service's, which the Date header has
  missing,      // there is no such table, index or stream
  filling,      // the index is new, and the service is filling it
  permanent,    // the request is wrong, or not allowed
};

struct Failure {
  FailureKind kind;
  std::string name;                       // "ValidationException"; empty: the answer names none
  std::string message;                    // the service's own words
  std::vector<std::string> reasons = {};  // of a cancelled transaction, one per action: "None", …

  // Whether the condition of this action of the transaction did not hold.
  bool refused(std::size_t action) const;
};

// `status` is not 2xx. Where the body is no error of the service, but a proxy's page for example,
// the status alone decides.
Failure classify(unsigned status, std::string_view body);

// The failure when an answer broke off, or its checksum is wrong.
Failure broken(std::string message);

using Milliseconds = std::chrono::milliseconds;

// The tokens that all requests of a process may spend on further tries, so that a service in
// trouble is not asked ever more often. Used on one loop; not thread-safe.
class RetryBudget {
 public:
  static constexpr int full = 500;  // tokens

  // Spends the tokens. False: fewer are left, and none is spent.
  bool spend(int tokens);
  // After a success: returns the tokens its tries spent, or one.
  void give_back(int tokens);
  int left() const { return left_; }

 private:
  int left_ = full;
};

enum class Repeat {
  safe,    // a read; a write that does nothing when it was applied before
  unsafe,  // a write that must not be applied twice: repeated only if it was certainly not applied
};

// The tries of one request. `chance` gives numbers from 0 up to 1.
class Tries {
 public:
  static constexpr int max_tries = 4;

  Tries(RetryBudget& budget, Repeat repeat, std::function<double()> chance)
      : budget_(budget), repeat_(repeat), chance_(std::move(chance)) {}

  // How long to wait before the next try; absent: give up. `left`: the time to the request's
  // deadline. `asked`: the wait that the service asked for, if any.
  std::optional<Milliseconds> next(const Failure& failure, Milliseconds left,
                                   std::optional<Milliseconds> asked = {});
  // Called when a try succeeded.
  void succeeded();

 private:
  bool worth(FailureKind kind);

  RetryBudget& budget_;
  Repeat repeat_;
  std::function<double()> chance_;
  int failed_ = 0;
  int spent_ = 0;  // tokens, on the last try
  bool renewed_ = false;
};

}  // namespace quire::dynamodb
