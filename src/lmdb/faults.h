// LMDB reads its files through memory. A page that is not there, or a number in a damaged one that
// leads nowhere, is then a signal or a failed assertion, which would end the program without a
// word.
#pragma once

#include <lmdb.h>

#include <string>

namespace quire::lmdb {

// From now on the process ends with one sentence on standard error and exit status 1 when reading
// an environment's files faults; any other fault does what it did before. For programs: a library
// leaves signals to its program. Once.
void end_at_faults();

// The memory into which a file of an environment is mapped, for as long as it is open.
class WatchedMaps {
 public:
  WatchedMaps() = default;
  ~WatchedMaps() { forget(); }
  WatchedMaps(const WatchedMaps&) = delete;
  WatchedMaps& operator=(const WatchedMaps&) = delete;

  // Finds the maps of the environment's files; `sentence` is said at a fault there.
  void watch(MDB_env* environment, const std::string& directory, const std::string& sentence);
  void forget();

 private:
  int places_[2] = {-1, -1};
};

}  // namespace quire::lmdb
