// What the views of stores that keep comments of any status show besides: View::moderation().
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "loop/awaitable.h"
#include "model/entry.h"
#include "model/moderation.h"
#include "quire/result.h"
#include "store/queue.h"

namespace quire {

class ModerationView {
 public:
  virtual ~ModerationView() = default;

  // Of the entries of scan(), or of comments() of this product, oldest first, that were read last:
  // the comments that have a note, a decision or reports, with all of these. Reports may come with
  // the next entries. unavailable, as below.
  virtual Awaitable<Result<std::vector<Queued>>> moderated(std::string_view product,
                                                           std::span<const Entry> entries) = 0;
  // A page of the comments of a queue, with their reports. invalid_parameter: the store keeps no
  // such queue.
  virtual Awaitable<Result<QueuePage>> queue(QueueQuestion question) = 0;
  // Absent: counting takes requests to the backend.
  virtual Awaitable<Result<std::optional<StatusTotals>>> status_totals() {
    co_return std::optional<StatusTotals>();
  }
};

}  // namespace quire
