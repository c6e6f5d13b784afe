// Looks at every page, checksum, list and count of the embedded store: pages must be whole, values
// those that were written, lists and counts such as follow from the comments.
#pragma once

#include <string>
#include <vector>

#include "store/embedded/databases.h"

namespace quire::embedded {

struct Verified {
  std::size_t comments = 0;
  std::size_t differences = 0;
  bool pages_damaged = false;        // then nothing else was looked at, and no repair helps
  std::vector<std::string> reports;  // one sentence a difference; the first thousand
};

// Reads one consistent state; may run beside a writer. Throws lmdb::Failure when the store cannot
// be read.
Verified verify(const Databases& databases);

}  // namespace quire::embedded
