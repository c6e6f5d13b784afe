// Where the rows of an import go: into a store, to a server, or to standard output.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cli/importing/rejects.h"

namespace quire::cli {

// What became of rows.
struct Tally {
  std::string_view name;  // as JSON has it: "removed_here"
  std::uint64_t rows = 0;
};

// Of the counts of an import into a store, or of those that a server tells.
template <class Counts>
std::vector<Tally> tally_of(const Counts& counts) {
  return {{"added", counts.added},
          {"known", counts.known},
          {"differing", counts.differing},
          {"updated", counts.updated},
          {"removed_here", counts.removed_here}};
}

class Target {
 public:
  virtual ~Target() = default;

  // Before the rows of each file.
  virtual void next_file() {}
  // Takes a row of `quire import`. A row that is not taken is added to the rejects, now or later:
  // the bytes of `origin` need not outlive the call.
  virtual void add(std::string_view json, const Origin& origin) = 0;
  // Whether it takes nothing more: finish() says why.
  virtual bool failed() const { return false; }
  // Ends the import. An error: some rows are in, and some are not.
  virtual Status finish() = 0;
  // After finish().
  virtual std::vector<Tally> tally() const { return {}; }
};

}  // namespace quire::cli
