// What the views of stores that know customers show besides: View::customers().
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loop/awaitable.h"
#include "model/moderation.h"
#include "model/vote.h"
#include "quire/comment.h"
#include "quire/customer.h"
#include "quire/result.h"
#include "quire/ulid.h"

namespace quire {

// A customer's own comments, of any status.
struct OwnComments {
  std::vector<Comment> comments;  // newest first
  std::optional<Ulid> next;       // the last that was looked at; absent: there are no more
  std::uint64_t damaged = 0;      // are left out
};

using TicketId = std::array<std::uint8_t, 16>;

// What a customer left on some comments.
struct Traces {
  std::vector<VoteRow> votes;
  std::vector<Ulid> own;      // that the customer wrote, of any status
  std::uint64_t damaged = 0;  // rows that are left out
};

class CustomerView {
 public:
  virtual ~CustomerView() = default;

  // The comments that a customer wrote, newest first, strictly after `after`; at most `limit` are
  // looked at. unavailable, as below.
  virtual Awaitable<Result<OwnComments>> written_by(CustomerHash customer,
                                                    std::optional<Ulid> after,
                                                    std::size_t limit) = 0;
  // The customer's first comment of a product, of any status; absent: there is none.
  virtual Awaitable<Result<std::optional<Ulid>>> first_of(CustomerHash customer,
                                                          std::string product) = 0;
  // The comment that the customer's ticket has made, also where it was removed since; absent: the
  // ticket was not used, or has ended and is forgotten.
  virtual Awaitable<Result<std::optional<Ulid>>> made_by(CustomerHash customer,
                                                         TicketId ticket) = 0;
  // Whether a published comment is the customer's.
  virtual Awaitable<Result<bool>> has_published(CustomerHash customer) = 0;
  // The reports that the customer made, in any order. Reads all that the store keeps, so it is for
  // an export of a person's data alone.
  virtual Awaitable<Result<std::vector<ReportRow>>> reports_by(CustomerHash customer) = 0;
  // The customer's votes, in any order.
  virtual Awaitable<Result<std::vector<VoteRow>>> votes_by(CustomerHash customer) = 0;
  // The customer's traces on these comments, each in the order of `comments`. A comment that is
  // none has no trace.
  virtual Awaitable<Result<Traces>> traces(CustomerHash customer, std::vector<Ulid> comments) = 0;
};

}  // namespace quire
