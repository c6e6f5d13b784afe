// Verifies every page, checksum and count of a store. Pages must be whole, values must match
// their checksums, and index and counts must follow from the comments.
#pragma once

#include <string>
#include <vector>

#include "store/embedded/databases.h"

namespace quire::embedded {

struct Verified {
  std::size_t comments = 0;
  std::size_t differences = 0;
  bool pages_damaged = false;        // then nothing else was checked, and no repair helps
  std::vector<std::string> reports;  // the first thousand differences, each one sentence
};

// Reads one consistent state; a writer may run meanwhile. Throws lmdb::Failure when the store
// cannot be read.
Verified verify(const Databases& databases);

}  // namespace quire::embedded
