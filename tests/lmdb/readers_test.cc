// The table of readers: slots are given back after a burst, and those of killed processes freed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <vector>

#include "lmdb/environment.h"
#include "temporary_directory.h"

namespace quire::lmdb {
namespace {

// The processes of all slots that are taken. Each line of LMDB's list begins with one.
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
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    Environment environment({.directory = directory.path()});
    ReadTransaction txn(environment);
    char byte = 1;
    if (write(ready[1], &byte, 1) == 1) pause();
    _exit(1);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  Environment environment({.directory = directory.path()});
  auto has_slot = [&] {
    auto all = slots(environment);
    return std::find(all.begin(), all.end(), child) != all.end();
  };
  for (int i = 0; i < 1000; ++i) WriteTransaction txn(environment);
  EXPECT_TRUE(has_slot());
  kill(child, SIGKILL);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(has_slot());
  int writes = 0;
  for (; writes < 1000 && has_slot(); ++writes) WriteTransaction txn(environment);
  EXPECT_FALSE(has_slot());
}

}  // namespace
}  // namespace quire::lmdb
