// What a refusal by the service means. Only this file knows the service's error names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quire::dynamodb {

// Each kind exists because some caller reacts to it.
enum class Kind {
  transient,    // worth another try soon; a write may have been applied
  throttled,    // nothing was applied; worth another try later
  condition,    // a condition did not hold: nothing was applied, and another try would fail again
  conflict,     // another transaction wrote the same items: nothing was applied, worth another try
  credentials,  // expired or not accepted: worth one try with new credentials
  clock,        // this machine's time is too far from the service's, which the Date header has
  missing,      // there is no such table, index or stream
  permanent,    // the request is wrong, or not allowed
};

struct Failure {
  Kind kind;
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

}  // namespace quire::dynamodb
