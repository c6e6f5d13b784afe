// Work that is done stays done, whatever becomes of its connection.
#include "page_index/sql/database/pool.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <future>
#include <string>

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

TEST(Pool, AClientHasAnEighthOfTheRequestsThatRunOrWait) {
  TemporaryDirectory directory;
  DataSource source{
      SqliteFile{directory.path() + "/pages.db"}, tables_of("shop"), Access::write, {}};
  Pool pool(
      source, [](Connection&) {}, 1, 16);
  std::promise<void> go_on;
  auto until = go_on.get_future().share();
  boost::asio::io_context context(1);
  std::string made, refused;
  auto ask = [&](char client) -> Awaitable<void> {
    auto done = co_await pool.run([until](Connection&) {
      until.wait();
      return 0;
    });
    (done ? made : refused) += client;
  };
  for (char client : {'a', 'a', 'a', 'b', 'a', 'b', 'b'})
    boost::asio::co_spawn(context, work_for(static_cast<std::uint64_t>(client), ask(client)),
                          boost::asio::detached);
  for (int i = 0; i < 5; ++i) boost::asio::co_spawn(context, ask('-'), boost::asio::detached);
  context.poll();
  EXPECT_EQ(refused, "aab") << "work for no client has no share";
  go_on.set_value();
  context.run();
  EXPECT_EQ(made, "aabb-----");
  wait(work_for('a', ask('a')));
  EXPECT_EQ(refused, "aab") << "its place is free again";
}

}  // namespace
}  // namespace quire::sql
