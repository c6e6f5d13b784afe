// lock.mdb has its disk space before LMDB maps it. data.mdb is replaced only while no process has
// it open.
#include "lmdb/lock_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "lmdb/data_file.h"
#include "lmdb/held_environment.h"
#include "lmdb/new_file.h"
#include "temporary_directory.h"

namespace quire::lmdb {
namespace {

class LockFileTest : public testing::Test {
 protected:
  std::string path(const char* name) const { return directory_.path() + "/" + name; }
  void put(const std::string& value) {
    NewFile file(path("data.mdb.new"));
    file.append(file.open("data"), "key", value);
    file.finish();
    EXPECT_FALSE(put_in_place(directory_.path(), file.path(), 0));
    file.keep();
  }
  std::string value() const {
    Environment environment({.directory = directory_.path(), .read_only = true});
    ReadTransaction txn(environment);
    return std::string(txn.find(open_database(txn.get(), "data", 0), "key").value());
  }
  TemporaryDirectory directory_;
};

TEST_F(LockFileTest, HasNoHolesWhenLmdbMapsIt) {
  put("one");
  EXPECT_EQ(value(), "one");
  struct stat about {};
  ASSERT_EQ(stat(path("lock.mdb").c_str(), &about), 0);
  EXPECT_GE(about.st_blocks * 512, about.st_size);
  EXPECT_GT(about.st_size, 1024 * 64);
  EXPECT_EQ(about.st_mode & 07, 0u);
}

TEST_F(LockFileTest, AReaderDelaysTheReplacementAndIsNamed) {
  put("one");
  HeldEnvironment reader({.directory = directory_.path(), .read_only = true});
  std::ofstream(path("other")) << "not to be put in place";
  EXPECT_EQ(put_in_place(directory_.path(), path("other"), 0).value().process,
            reader.process().id());
  EXPECT_TRUE(std::filesystem::exists(path("other")));
  reader.let_go();
  EXPECT_EQ(reader.process().exit_status(), 0);
  put("two");
  EXPECT_EQ(value(), "two");
}

// The table of readers must not keep the larger transaction number of the old file.
TEST_F(LockFileTest, TheTableOfReadersIsResetForTheNewFile) {
  put("one");
  for (int i = 0; i < 7; ++i) {
    Environment environment({.directory = directory_.path()});
    WriteTransaction txn(environment);
    txn.put(txn.open("data"), "key", std::to_string(i));
    txn.commit();
  }
  EXPECT_EQ(value(), "6");
  put("two");
  EXPECT_EQ(value(), "two");
  Environment environment({.directory = directory_.path()});
  {
    WriteTransaction txn(environment);
    txn.put(txn.open("data"), "key", "three");
    txn.commit();
  }
  ReadTransaction txn(environment);
  EXPECT_EQ(txn.number(), 2u);
}

// A copy must not replace what was written after it was made.
TEST_F(LockFileTest, ACopyReplacesOnlyTheStateThatWasCopied) {
  put("one");
  auto last = last_transaction(DataFile(path("data.mdb")));
  std::ofstream(path("other")) << "a copy";
  for (auto copied : {last - 1, last + 1})
    EXPECT_TRUE(put_in_place(directory_.path(), path("other"), 0, copied).value().changed);
  EXPECT_EQ(value(), "one");
  EXPECT_FALSE(put_in_place(directory_.path(), path("other"), 0, last));
  EXPECT_FALSE(std::filesystem::exists(path("other")));
}

TEST(NewFileTest, CommitsInPiecesAndIsRemovedUnlessKept) {
  TemporaryDirectory directory;
  std::string path = directory.path() + "/data.mdb";
  {
    NewFile file(path);
    auto database = file.open_sealed("rows");
    for (int i = 0; i < 50'000; ++i)
      file.append(database, fmt::format("{:08}", i), std::string(1000, 'x'));
    file.finish();
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THROW(need_room(directory.path(), std::uint64_t{1} << 60), Failure);
}

}  // namespace
}  // namespace quire::lmdb
