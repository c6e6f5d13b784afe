// The table of readers: slots are given back after a burst, and those of killed processes freed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lmdb/held_environment.h"
#include "temporary_directory.h"

namespace quire::lmdb {
namespace {

// The numbers of the processes of all slots that are taken. Each line of LMDB's list begins with
// one.
std::vector<pid_t> slots(const Environment& environment) {
  std::vector<pid_t> processes;
  auto add = [](const char* line, void* out) {
    if (pid_t process = std::atoi(line)) static_cast<std::vector<pid_t>*>(out)->push_back(process);
    return 0;
  };
  mdb_reader_list(environment.get(), add, &processes);
  return processes;
}

TEST(Readers, ABurstGivesItsSlotsBack) {
  TemporaryDirectory directory;
  Environment environment({.directory = directory.path()});
  for (int round = 0; round < 2; ++round) {
    std::deque<ReadTransaction> burst;
    for (int i = 0; i < 3000; ++i) burst.emplace_back(environment);
    EXPECT_EQ(slots(environment).size(), 3000u);
    burst.clear();
    EXPECT_LT(slots(environment).size(), 1000u);
    EXPECT_GT(slots(environment).size(), 0u);
  }
}

TEST(Readers, WritesFreeTheSlotOfAKilledProcess) {
  TemporaryDirectory directory;
  { Environment made({.directory = directory.path()}); }
  std::optional<HeldEnvironment> other(std::in_place, Options{.directory = directory.path()},
                                       HeldEnvironment::Transaction::read);
  Environment environment({.directory = directory.path()});
  // The other process, and this one.
  auto has_slot = [&] {
    auto all = slots(environment);
    return std::set(all.begin(), all.end()).size() == 2;
  };
  for (int i = 0; i < 1000; ++i) WriteTransaction txn(environment);
  EXPECT_TRUE(has_slot());
  other.reset();
  EXPECT_TRUE(has_slot());
  int writes = 0;
  for (; writes < 1000 && has_slot(); ++writes) WriteTransaction txn(environment);
  EXPECT_FALSE(has_slot());
}

}  // namespace
}  // namespace quire::lmdb
