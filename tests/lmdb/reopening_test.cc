// After a failed write of a meta page LMDB refuses every transaction until it is reopened.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <thread>

#include "lmdb/environment.h"
#include "temporary_directory.h"

namespace quire::lmdb {
namespace {

// The descriptor through which LMDB writes meta pages.
int meta_file(const std::string& directory) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    int file = std::stoi(entry.path().filename());
    if (std::filesystem::read_symlink(entry.path(), gone) == directory + "/data.mdb" &&
        (fcntl(file, F_GETFL) & O_DSYNC)) {
      return file;
    }
  }
  return -1;
}

class Reopening : public testing::Test {
 protected:
  Reopening() {
    WriteTransaction txn(environment_);
    first_ = txn.open("first");
    second_ = txn.open("second");
    txn.commit();
    write("a");
  }

  void write(std::string_view value) {
    WriteTransaction txn(environment_);
    txn.put(first_, "key", value);
    txn.put(second_, "key", value);
    txn.commit();
  }

  // Lets the next write of a meta page fail.
  void fill_disk() {
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    ASSERT_GE(dup2(full, meta_file(directory_.path())), 0);
    close(full);
  }

  std::string read() {
    ReadTransaction txn(environment_);
    EXPECT_EQ(txn.find(first_, "key"), txn.find(second_, "key"));
    return std::string(txn.find(first_, "key").value_or("nothing"));
  }

  int refusal() {
    try {
      read();
      return 0;
    } catch (const Failure& failure) {
      return failure.code();
    }
  }

  TemporaryDirectory directory_;
  Environment environment_{{.directory = directory_.path()}};
  MDB_dbi first_ = 0, second_ = 0;
};

TEST_F(Reopening, ReadsAndWritesWorkAgainAfterAFailedWriteOfAMetaPage) {
  fill_disk();
  EXPECT_THROW(write("b"), Failure);
  EXPECT_EQ(read(), "a");
  write("c");
  EXPECT_EQ(read(), "c");
  fill_disk();
  EXPECT_THROW(write("d"), Failure);
  write("e");
  EXPECT_EQ(read(), "e");
}

TEST_F(Reopening, ADatabaseOfSeveralValuesKeepsItsKind) {
  MDB_dbi several = 0;
  {
    WriteTransaction txn(environment_);
    several = txn.open("several", MDB_DUPSORT | MDB_DUPFIXED);
    txn.put(several, "key", "b");
    txn.commit();
  }
  fill_disk();
  EXPECT_THROW(write("b"), Failure);
  WriteTransaction txn(environment_);
  txn.put(several, "key", "a");
  Cursor cursor(txn.get(), several);
  EXPECT_TRUE(cursor.seek("key", "a", MDB_GET_BOTH));
  EXPECT_TRUE(cursor.seek("key", "b", MDB_GET_BOTH));
}

TEST_F(Reopening, WaitsForLivingTransactions) {
  auto alive = std::make_unique<ReadTransaction>(environment_);
  fill_disk();
  EXPECT_THROW(write("b"), Failure);
  EXPECT_EQ(refusal(), MDB_PANIC);
  EXPECT_EQ(alive->find(first_, "key"), "a");
  alive.reset();
  EXPECT_EQ(read(), "a");
}

TEST_F(Reopening, ReadersOfOtherThreadsAreNotDisturbed) {
  std::atomic<bool> done = false;
  auto read_on = [&] {
    while (!done) {
      try {
        std::string value = read();
        EXPECT_EQ(value.size(), 1u);
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.code(), MDB_PANIC);
      }
    }
  };
  std::thread one(read_on), two(read_on);
  for (int i = 0; i < 5; ++i) {
    fill_disk();
    EXPECT_THROW(write("b"), Failure);
    for (bool written = false; !written;) {
      try {
        write("c");
        written = true;
      } catch (const Failure& failure) {
        ASSERT_EQ(failure.code(), MDB_PANIC);
      }
    }
  }
  done = true;
  one.join();
  two.join();
  EXPECT_EQ(read(), "c");
}

}  // namespace
}  // namespace quire::lmdb
