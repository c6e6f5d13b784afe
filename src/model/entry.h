// Entries of lists, and reads of lists.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/facets.h"
#include "quire/ulid.h"

namespace quire {

// Names a comment by what it sorts by. The comment need not exist: a position whose comment was
// removed still lies between the same two comments.
struct Position {
  Ulid id;
  // Where the sort is by a facet, the comment's value of it; absent: it has none, or the sort is
  // by time.
  std::optional<std::int64_t> value = {};

  friend bool operator==(const Position&, const Position&) = default;
};

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

// What a store charges for reading lists, in a unit of its own.
struct CostModel {
  double per_list;  // one read of one list
  std::array<double, indexes.size()>
      per_entry;           // one entry of a list of that index, document included
  double step;             // the entries of a list are billed in whole steps; 0: exactly
  double per_comment = 0;  // one comment by its id, document included
};

}  // namespace quire
