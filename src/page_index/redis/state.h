// The state of a page index as Redis stores it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "change/target.h"
#include "loop/gate.h"
#include "page_index/redis/client/reply.h"
#include "page_index/redis/keys.h"

namespace quire::redis {

inline constexpr std::string_view format = "1";

// The state of the index, and what its buckets must have.
struct Known {
  change::State state = {};
  std::string life = "0";  // the number of the reset that began the index; 0: none did
  std::array<std::uint64_t, bucket_count> counts = {};  // of changes in each bucket, at least
  bool resetting = false;                               // a reset has begun, and has not ended
  Deadline asked_at = {};                               // when Redis was asked for it
};

// Pairs of bucket and count.
using Counts = std::vector<std::pair<unsigned, std::uint64_t>>;

std::string phase_text(change::Phase phase);
// "0 1732104060123 PLACE"; begins with 1 if the shard has ended.
std::string mark_text(const change::Mark& mark);
// The part of a mark that scripts compare. Empty: no mark.
std::string mark_place(const std::optional<change::Mark>& mark);

// Reads a hash of counts. Nothing: Quire wrote no such hash.
std::optional<Counts> counts_of(const Reply& reply);
// Reads the reply of the script `state`.
Result<Known> known_of(const Reply& reply);

}  // namespace quire::redis
