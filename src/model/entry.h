// Entries of lists, and reads of lists.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/facets.h"
#include "quire/ulid.h"

namespace quire {

enum class Order : bool { newest_first, oldest_first };

inline Order opposite(Order order) {
  return order == Order::newest_first ? Order::oldest_first : Order::newest_first;
}

// Whether `a` comes before `b`.
inline bool precedes(const Ulid& a, const Ulid& b, Order order) {
  return order == Order::newest_first ? a > b : a < b;
}

// The closest possible id before `id`, in `order`.
inline Ulid just_before(const Ulid& id, Order order) {
  return order == Order::newest_first ? id.next() : id.previous();
}

struct Entry {
  Ulid id;
  std::string_view document;  // empty: not fetched. Lives as long as the view it was read by
};

// A read of a list: at most `limit` entries strictly after `after`; absent: from the start.
struct Range {
  Cell list;
  std::optional<Ulid> after;
  std::size_t limit;
  std::size_t part = 0;  // of the list
};

// What a read gives.
struct Slice {
  std::vector<Entry> entries;
  bool end;  // the list has no more in this direction
};

}  // namespace quire
