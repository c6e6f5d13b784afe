// A backup is a whole store, even if others write meanwhile.
#include "store/embedded/upkeep/backup.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "loop/loop.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

TEST(Backup, IsOneConsistentStateDuringWrites) {
  TemporaryDirectory directory, elsewhere;
  auto store = LmdbStore::open(directory.path(), Access::write).value();
  std::ofstream(directory.path() + "/cursor-keys") << "keys";
  std::ofstream(directory.path() + "/customer-key") << "customers";
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> written = 0;
  std::thread writer([&] {
    for (; !done; ++written)
      EXPECT_TRUE(wait(store->insert(comment_at(1000 + written, written, "en", 5), {})));
  });
  while (written < 50) std::this_thread::yield();
  for (int i = 0; i < 3; ++i) {
    std::uint64_t before = written;
    auto copy = elsewhere.path() + "/new/copy" + std::to_string(i) + "/";
    auto status = backup(store->databases(), directory.path(), copy);
    ASSERT_TRUE(status) << status.error().message;
    auto opened = LmdbStore::open(copy, Access::write).value();
    auto verified = verify(opened->databases());
    EXPECT_EQ(verified.differences, 0u);
    EXPECT_GE(verified.comments, before);
    EXPECT_TRUE(wait(opened->insert(comment_at(5, 5, "en", 5), {})));
    std::string keys;
    std::ifstream(copy + "/cursor-keys") >> keys;
    EXPECT_EQ(keys, "keys");
    std::ifstream(copy + "/customer-key") >> keys;
    EXPECT_EQ(keys, "customers");
  }
  done = true;
  writer.join();
}

TEST(Backup, RefusesADirectoryThatIsNotEmpty) {
  TemporaryDirectory directory, elsewhere;
  auto store = LmdbStore::open(directory.path(), Access::write).value();
  std::ofstream(elsewhere.path() + "/data.mdb") << "mine";
  auto refused = backup(store->databases(), directory.path(), elsewhere.path());
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("is not empty"), std::string::npos);
  std::string text;
  std::ifstream(elsewhere.path() + "/data.mdb") >> text;
  EXPECT_EQ(text, "mine");
  EXPECT_FALSE(backup(store->databases(), directory.path(), "/proc/nowhere"));
  EXPECT_FALSE(backup(store->databases(), directory.path(), ""));
}

TEST(Backup, AnInterruptedBackupIsNoStore) {
  TemporaryDirectory directory, elsewhere;
  auto store = LmdbStore::open(directory.path(), Access::write).value();
  std::ofstream(elsewhere.path() + "/data.mdb.part") << "half";
  EXPECT_FALSE(backup(store->databases(), directory.path(), elsewhere.path()));
  auto opened = LmdbStore::open(elsewhere.path(), Access::read);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("There is no store"), std::string::npos);
}

}  // namespace
}  // namespace quire::embedded
