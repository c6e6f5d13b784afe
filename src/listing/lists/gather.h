// Reads the lists of a plan together until there are enough rows.
#pragma once

#include "merge/merge.h"
#include "store/store.h"

namespace quire::lists {

struct Span {
  Order order;
  std::optional<Ulid> after;
  std::size_t wanted;
};

struct Gathered {
  std::vector<Entry> rows;  // at most as many as wanted; fewer: there are no more
  std::size_t read = 0;
  std::size_t discarded = 0;
  std::size_t requests = 0;
  bool changed_plan = false;  // the chosen way dropped too much, the steady one finished
};

// A choice that drops entries may meet a stretch where it drops nearly all. Once it has read
// several times what was expected, the steady choice goes on from where it stands: one position
// serves every list.
Awaitable<Result<Gathered>> gather(View& view, const Plan& plan, Span span);

}  // namespace quire::lists
