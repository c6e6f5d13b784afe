// Several processes share a SQLite file: writers are killed, others read.
#include <thread>

#include "page_index/sql/backends.h"
#include "process.h"

namespace quire::sql {
namespace {

// Applies steps of ten comments each, until it is killed.
int work_on(const SqliteFile& file) {
  SqlIndex index(file, "t", Access::write);
  for (;;) {
    auto state = wait(index.state()).value();
    std::optional<Mark> before;
    if (state.marks.contains("s")) before = state.marks["s"];
    auto number = before ? std::stoul(before->read_to) + 1 : 1;
    std::vector<Change> changes;
    for (std::uint32_t i = 0; i < 10; ++i)
      changes.push_back(inserted(static_cast<std::uint32_t>(number) * 10 + i));
    (void)wait(index.apply(step_of(before, {std::to_string(number)}, changes)));
  }
}

std::uint64_t steps_made(SqlIndex& index) {
  auto state = wait(index.state()).value();
  return state.marks.contains("s") ? std::stoul(state.marks["s"].read_to) : 0;
}

TEST(SqliteProcesses, TwoWriteOneReadsAndTheWritersAreKilled) {
  TemporaryDirectory directory;
  SqliteFile file{directory.path() + "/pages.db"};
  ASSERT_TRUE(wait(SqlIndex(file, "t", Access::write).reset(following())));
  for (std::uint64_t wanted : {20, 40, 60}) {
    Process one([&] { return work_on(file); }), two([&] { return work_on(file); });
    SqlIndex reader(file, "t", Access::read);
    while (steps_made(reader) < wanted) std::this_thread::yield();
  }
  SqlIndex index(file, "t", Access::write);
  auto steps = steps_made(index);
  EXPECT_GE(steps, 60u);
  EXPECT_EQ(length(index), steps * 10);
  EXPECT_EQ(ids(index).size(), steps * 10);
}

}  // namespace
}  // namespace quire::sql
