// Work that is done stays done, whatever becomes of its connection.
#include "page_index/sql/database/pool.h"

#include <gtest/gtest.h>

#include "failing_memory.h"
#include "loop/loop.h"
#include "temporary_directory.h"

namespace quire::sql {
namespace {

TEST(Pool, WorkThatIsDoneDoesNotFailBecauseMemoryRunsOut) {
  TemporaryDirectory directory;
  DataSource source{
      SqliteFile{directory.path() + "/pages.db"}, tables_of("shop"), Access::write, {}};
  Pool pool(
      source, [](Connection&) {}, 1, 1);
  for (int i = 0; i < 2; ++i) {
    auto done = wait(pool.run([i](Connection&) {
      allocations_left = i == 0 ? 0 : -1;
      return i;
    }));
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(*done, i);
  }
}

}  // namespace
}  // namespace quire::sql
