// The port to what a projection follows: a table, its stream, and the leases by which workers share
// the stream's shards.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "change/target.h"

namespace quire::projection {

// A projection speaks of changes in their own words.
using change::as_of_ms;
using change::Change;
using change::Mark;
using change::Phase;
using change::State;
using change::Step;
using change::Target;

struct Shard {
  std::string id;
  std::string parent = {};  // whose records come before this one's; empty: none
  bool open = true;         // more records may come
};

struct Stream {
  std::string arn;
  std::vector<Shard> shards;  // each after its parent
};

// Where a reader of a shard stands.
struct Iterator {
  std::string text;   // the service's own; empty: it cannot be had
  bool gone = false;  // the records that come next are no longer kept
};

struct Read {
  enum class What { records, expired, gone } what;
  std::vector<Change> changes = {};
  std::size_t records = 0;    // whether or not they are about comments
  std::string place = {};     // of the last record; empty: there was none
  std::uint64_t made_ms = 0;  // about when that was written
  std::string next = {};      // iterator to read on with; empty: the shard has ended
};

struct Scanned {
  std::vector<Change> changes;  // as if all comments were new
  std::string place;            // to scan on from
  bool ended;
};

// One worker's right to a shard, for as long as its beat goes on.
struct Lease {
  std::string owner;  // empty: free
  std::uint64_t beat = 0;

  friend bool operator==(const Lease&, const Lease&) = default;
};
using Leases = std::map<std::string, Lease>;  // by shard

// Lives as long as its worker. Errors: unavailable, try again later; invalid_parameter, the table
// has no stream.
class Source {
 public:
  virtual ~Source() = default;

  virtual Awaitable<Result<Stream>> stream() = 0;
  // Of what comes after `place`; empty: of the oldest record there is.
  virtual Awaitable<Result<Iterator>> iterator(std::string arn, std::string shard,
                                               std::string place) = 0;
  virtual Awaitable<Result<Read>> read(std::string iterator) = 0;

  // A part of the table as it is now, after `place`; what was written before is in it.
  virtual Awaitable<Result<Scanned>> scan(std::size_t segment, std::size_t segments,
                                          std::string place) = 0;

  virtual Awaitable<Result<Leases>> leases(std::string projection) = 0;
  // Replaces a lease (nothing: there is none), if it is still `before`. False: it is not.
  virtual Awaitable<Result<bool>> put_lease(std::string projection, std::string shard,
                                            std::optional<Lease> before,
                                            std::optional<Lease> after) = 0;
};

}  // namespace quire::projection
