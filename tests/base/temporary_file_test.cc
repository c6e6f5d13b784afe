// A file without a name holds bytes, and its directory stays empty.
#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace quire {
namespace {

TEST(NamelessFile, HoldsBytesAndLeavesItsDirectoryEmpty) {
  auto directory = temporary_directory() + "/quire-nameless-XXXXXX";
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  int file = nameless_file(directory);
  ASSERT_GE(file, 0);
  EXPECT_TRUE(std::filesystem::is_empty(directory));
  ASSERT_EQ(write(file, "abc", 3), 3);
  char bytes[4] = {};
  EXPECT_EQ(pread(file, bytes, sizeof bytes, 0), 3);
  EXPECT_STREQ(bytes, "abc");
  struct stat about {};
  ASSERT_EQ(fstat(file, &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
  EXPECT_NE(fcntl(file, F_GETFD) & FD_CLOEXEC, 0);
  close(file);
  EXPECT_TRUE(std::filesystem::remove(directory));
}

TEST(NamelessFile, NeedsADirectory) {
  EXPECT_EQ(nameless_file("/nonexistent/directory"), -1);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace quire
