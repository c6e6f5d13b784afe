// Turns faults in LMDB's memory maps into a message. LMDB reads its files through mapped memory: a
// missing page, or a wrong number in a damaged page, raises a signal or fails an assertion, which
// would end the program without a message.
#pragma once

#include <lmdb.h>

#include <string>

namespace quire::lmdb {

// From now on, a fault while reading the files of an environment prints one sentence on standard
// error and ends the process with exit status 1. Other faults keep their handlers. Call it once,
// from a program: a library leaves signals to its program.
void end_at_faults();

// The mapped memory of the files of one open environment.
class WatchedMaps {
 public:
  WatchedMaps() = default;
  ~WatchedMaps() { forget(); }
  WatchedMaps(const WatchedMaps&) = delete;
  WatchedMaps& operator=(const WatchedMaps&) = delete;

  // Finds the maps of the environment's files. `sentence` is printed at a fault there.
  void watch(MDB_env* environment, const std::string& directory, const std::string& sentence);
  void forget();

 private:
  int regions_[2] = {-1, -1};
};

}  // namespace quire::lmdb
