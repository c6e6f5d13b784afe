#include "lmdb/faults.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>

namespace quire::lmdb {
namespace {

// A mapped file. The signal handler reads it, so it has no locks and allocates nothing.
struct Region {
  std::atomic<bool> taken = false;
  std::atomic<std::uintptr_t> begin = 0, end = 0;
  char sentence[600] = {};
};

std::array<Region, 64> regions;
std::atomic<bool> ending = false;  // end_at_faults() was called
struct sigaction before_bus, before_segv;

void say_and_end(const char* sentence) {
  if (write(STDERR_FILENO, sentence, std::strlen(sentence)) < 0) {
    // Standard error is closed: the exit status must do.
  }
  _exit(1);
}

void at_fault(int signal, siginfo_t* about, void*) {
  auto address = reinterpret_cast<std::uintptr_t>(about->si_addr);
  for (const Region& region : regions) {
    if (address >= region.begin && address < region.end) say_and_end(region.sentence);
  }
  // Not a fault of ours: the fault repeats after the return, and the earlier handler takes it.
  sigaction(signal, signal == SIGBUS ? &before_bus : &before_segv, nullptr);
}

// If this returns, LMDB aborts the process.
void at_assertion(MDB_env* environment, const char*) {
  auto* sentence = static_cast<const char*>(mdb_env_get_userctx(environment));
  if (ending && sentence) say_and_end(sentence);
}

// Finds the map of a file. False: the system does not tell.
bool find_map(const struct stat& file, std::uintptr_t& begin, std::uintptr_t& end) {
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  if (!maps) return false;
  bool found = false;
  char line[4352];
  while (!found && std::fgets(line, sizeof line, maps)) {
    unsigned long from = 0, to = 0, inode = 0;
    unsigned major_ = 0, minor_ = 0;
    int fields =
        std::sscanf(line, "%lx-%lx %*s %*x %x:%x %lu", &from, &to, &major_, &minor_, &inode);
    found = fields == 5 && inode == file.st_ino && makedev(major_, minor_) == file.st_dev;
    if (found) begin = from, end = to;
  }
  std::fclose(maps);
  return found;
}

int watch_file(const struct stat& file, const std::string& sentence) {
  std::uintptr_t begin = 0, end = 0;
  if (!find_map(file, begin, end)) return -1;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    Region& region = regions[i];
    if (region.taken.exchange(true)) continue;
    auto size = std::min(sentence.size(), sizeof region.sentence - 2);
    std::memcpy(region.sentence, sentence.data(), size);
    std::strcpy(region.sentence + size, "\n");
    region.end = end;
    region.begin = begin;
    return static_cast<int>(i);
  }
  return -1;  // all slots are taken: faults in this map end the program without a message
}

}  // namespace

void end_at_faults() {
  ending = true;
  struct sigaction action {};
  action.sa_sigaction = at_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &before_bus);
  sigaction(SIGSEGV, &action, &before_segv);
}

void WatchedMaps::watch(MDB_env* environment, const std::string& directory,
                        const std::string& sentence) {
  struct stat file {};
  int data = -1;
  if (mdb_env_get_fd(environment, &data) == MDB_SUCCESS && fstat(data, &file) == 0)
    regions_[0] = watch_file(file, sentence);
  if (stat((directory + "/lock.mdb").c_str(), &file) == 0) regions_[1] = watch_file(file, sentence);
  if (regions_[0] < 0) return;
  mdb_env_set_userctx(environment, regions[static_cast<std::size_t>(regions_[0])].sentence);
  mdb_env_set_assert(environment, at_assertion);
}

void WatchedMaps::forget() {
  for (int& index : regions_) {
    if (index < 0) continue;
    Region& region = regions[static_cast<std::size_t>(index)];
    region.begin = region.end = 0;
    region.taken = false;
    index = -1;
  }
}

}  // namespace quire::lmdb
