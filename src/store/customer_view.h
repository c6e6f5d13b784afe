// What the views of stores that know customers show besides.
#pragma once

#include <cstdint>
#include <vector>

#include "loop/awaitable.h"
#include "model/vote.h"
#include "quire/customer.h"
#include "quire/result.h"
#include "quire/ulid.h"

namespace quire {

// What a customer left on some comments.
struct Traces {
  std::vector<VoteRow> votes;
  std::vector<Ulid> own;      // that the customer wrote, of any status
  std::uint64_t damaged = 0;  // rows that are left out
};

class CustomerView {
 public:
  virtual ~CustomerView() = default;

  // The customer's traces on these comments, each in the order of `comments`. A comment that is
  // none has no trace. unavailable.
  virtual Awaitable<Result<Traces>> traces(CustomerHash customer, std::vector<Ulid> comments) = 0;
};

}  // namespace quire
