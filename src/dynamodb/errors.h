// What an answer that is no success means: the one place that knows the service's error names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quire::dynamodb {

// A kind exists because somebody reacts to it.
enum class Kind {
  transient,    // worth another try soon; a write may have been applied
  throttled,    // worth another try later; nothing was applied
  condition,    // a condition did not hold: nothing was applied, and a try would find the same
  conflict,     // another transaction was at the same items: nothing was applied, worth another try
  credentials,  // expired or not accepted: worth one try with fresh ones
  clock,        // our time is too far from the service's, which its Date header tells
  missing,      // the table, index or stream is not there
  permanent,    // the request is wrong, or not allowed
};

struct Failure {
  Kind kind;
  std::string name;                       // "ValidationException"; empty: the answer had none
  std::string message;                    // the service's own words
  std::vector<std::string> reasons = {};  // of a cancelled transaction, an action each: "None", …

  // Whether it is the condition of a transaction's action that did not hold.
  bool refused(std::size_t action) const;
};

// `status` is not 2xx. A body that is no error of the service's, as a proxy's page, goes by its
// status.
Failure classify(unsigned status, std::string_view body);

// The answer broke off, or its checksum is wrong.
Failure broken(std::string message);

}  // namespace quire::dynamodb
