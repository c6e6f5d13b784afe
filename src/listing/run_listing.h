// What listings have in common that are read in runs: a run becomes rows, with the edges next to
// which the neighbouring pages begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "listing/listing.h"
#include "quire/result.h"

namespace quire {

// invalid_parameter: a table is asked for words.
Error wordless_table();

// Its maker implements the steps of a reading. read() takes them in the order of their declaration.
class RunListing : public Listing {
 public:
  Awaitable<Result<Rows>> read(std::optional<Position> from, Direction direction) final;

 protected:
  // Comments that follow each other in the direction of a reading.
  struct Run {
    std::vector<Entry> entries;  // in the order read; documents may be absent
    // Of the first and of the last comment, in the order read; absent: there are none. Where a
    // reading stopped early, `far` is how far it came.
    std::optional<Position> near, far;
    bool more = false;  // more follow in that direction
    std::size_t read = 0;
    std::size_t requests = 1;
    // Of the first comment in the listing's order; absent: it is not known. Where it is known of a
    // backward reading, so is the total.
    std::optional<std::uint64_t> rank = {};
  };

  RunListing(Order order, Opening opening) : order_(order), opening_(opening) {}

  bool looks() const { return opening_.neighbours == Opening::Neighbours::look; }

  // At most `opening_.limit` comments strictly beyond `from`.
  virtual Awaitable<Result<Run>> read_run(std::optional<Position> from, Direction direction) = 0;
  // Whether comments lie on the other side of `from`, where the rank of the run does not tell.
  virtual Awaitable<Result<bool>> any_behind(const Position& from, Direction direction) = 0;
  // Fetches the documents of the run. An entry that is not to be shown is left without one.
  virtual Awaitable<Status> complete(Run& run, Direction direction) = 0;

  const Order order_;  // of ids, forward
  const Opening opening_;
  std::optional<Ranked> first_;       // of the rows read last
  std::size_t read_ = 0, shown_ = 0;  // of the last reading
};

}  // namespace quire
