// The state of a page index in Redis, and the names of its keys.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "change/target.h"
#include "loop/gate.h"
#include "model/facets.h"
#include "page_index/redis/client/reply.h"

namespace quire::redis {

// The names of the keys in Redis; see docs/formats/pages-redis.md. The products of an index are in
// buckets. All keys of a bucket are in one slot of a cluster, as a script requires.
inline constexpr unsigned bucket_count = 256;

unsigned bucket_of(std::string_view product);

// A list of any rating is the union of its five lists of one rating, which alone are kept.
inline constexpr std::size_t rating_count = 5;

// The keys of one bucket.
class Bucket {
 public:
  explicit Bucket(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string state() const { return prefix_ + "state"; }
  std::string fences() const { return prefix_ + "fences"; }
  std::string products() const { return prefix_ + "products"; }
  std::string languages() const { return prefix_ + "languages"; }
  // The five lists of one rating that make up a list of any rating, by its name: see list_key().
  std::array<std::string, rating_count> lists(std::string_view name) const;

 private:
  std::string prefix_;
};

class Keys {
 public:
  // `name` may be any bytes. Two different names never share a key.
  explicit Keys(std::string_view name);

  std::string state() const { return prefix_ + "}:state"; }
  std::string marks() const { return prefix_ + "}:marks"; }
  std::string counts() const { return prefix_ + "}:counts"; }
  std::string open() const { return prefix_ + "}:open"; }
  std::string steps() const { return prefix_ + "}:steps"; }

  Bucket bucket(unsigned number) const;

 private:
  std::string prefix_;
};

inline constexpr std::string_view format = "1";

// The state of the index, and what its buckets must have.
struct KnownState {
  change::State state = {};
  std::string life = "0";  // the number of the reset that began the index; 0: none did
  std::array<std::uint64_t, bucket_count> counts = {};  // of changes in each bucket, at least
  bool resetting = false;                               // a reset has begun, and has not ended
  Deadline asked_at = {};                               // when Redis was asked for it
};

// Pairs of bucket and count.
using BucketCounts = std::vector<std::pair<unsigned, std::uint64_t>>;

// "0 1732104060123 PLACE"; begins with 1 if the shard has ended.
std::string mark_text(const change::Mark& mark);
// The part of a mark that scripts compare. Empty: no mark.
std::string mark_place(const std::optional<change::Mark>& mark);

// Reads a list of bytes. Absent: it is something else.
std::optional<std::vector<std::string>> words_of(Reply reply);
// Reads a hash of counts. Absent: Quire wrote no such hash.
std::optional<BucketCounts> counts_of(const Reply& reply);
// Reads the reply of the script `state`.
Result<KnownState> known_of(const Reply& reply);

}  // namespace quire::redis
