// The algorithms that keep a page index and statistics in step with a table: following
// its stream, building, verifying and repairing. They know ports alone. This header has the port to
// the table: its stream, its scan, and the leases by which workers share the stream's shards.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "change/target.h"

namespace quire::projection {

using change::as_of_ms;
using change::Change;
using change::lambda_mark;
using change::made_before;
using change::Mark;
using change::Phase;
using change::State;
using change::Step;
using change::Target;

struct Shard {
  std::string id;
  std::string parent = {};  // the shard whose records come before this one's; empty: none
  bool open = true;         // more records may come
};

struct Stream {
  std::string arn;
  std::vector<Shard> shards;  // each after its parent
};

// From where a shard is read next.
struct Iterator {
  std::string text;   // the service's own; empty: there is none
  bool gone = false;  // the records that come next are no longer kept
};

struct Read {
  enum class Kind { records, expired, gone } kind;
  std::vector<Change> changes = {};
  std::size_t records = 0;    // also those that are about no comment
  std::string sequence = {};  // of the last record; empty: there was none
  std::uint64_t made_ms = 0;  // about when the last record was written
  std::string next = {};      // the iterator to read on with; empty: the shard has ended
};

struct Scanned {
  std::vector<Change> changes;  // as if all comments were new
  std::string read_to;          // the last key, from where the scan goes on
  bool ended;
};

// A worker's right to a shard, for as long as the beat goes on.
struct Lease {
  std::string owner;  // empty: nobody
  std::uint64_t beat = 0;

  friend bool operator==(const Lease&, const Lease&) = default;
};
using Leases = std::map<std::string, Lease>;  // by shard

// Must outlive all who use it. Errors: unavailable, try again later; invalid_parameter, the table
// has no stream.
class Source {
 public:
  virtual ~Source() = default;

  virtual Awaitable<Result<Stream>> stream() = 0;
  // Begins behind the record with this sequence number; empty: at the oldest record there is.
  virtual Awaitable<Result<Iterator>> iterator(std::string arn, std::string shard,
                                               std::string after) = 0;
  virtual Awaitable<Result<Read>> read(std::string iterator) = 0;

  // A part of the table after this key, as it is now: all that was written before is in it.
  virtual Awaitable<Result<Scanned>> scan(std::size_t segment, std::size_t segments,
                                          std::string after) = 0;

  // The table's facets, as they are now.
  virtual Awaitable<Result<Schema>> schema() = 0;

  virtual Awaitable<Result<Leases>> leases(std::string projection) = 0;
  // Replaces a lease if it is still `before` (absent: there is none). False: it is another.
  virtual Awaitable<Result<bool>> put_lease(std::string projection, std::string shard,
                                            std::optional<Lease> before,
                                            std::optional<Lease> after) = 0;
};

}  // namespace quire::projection
