#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "temporary_directory.h"

namespace quire {
namespace {

class WholeFile : public testing::Test {
 protected:
  std::string refusal(const std::string& file) {
    auto text = read_whole("the file", file, 1 << 20);
    return text ? "it was read" : text.error().message;
  }
  TemporaryDirectory directory_;
  std::string file_ = directory_.path() + "/file";
};

TEST_F(WholeFile, IsReadUpToItsBound) {
  for (std::size_t size : {0, 1, 16 * 1024, 16 * 1024 + 1, 1 << 20}) {
    std::ofstream(file_) << std::string(size, 'x');
    EXPECT_EQ(read_whole("the file", file_, 1 << 20).value(), std::string(size, 'x'));
  }
  std::ofstream(file_) << std::string((1 << 20) + 1, 'x');
  EXPECT_EQ(refusal(file_), "Cannot read the file " + file_ + ": it has over 1 MiB.");
  EXPECT_EQ(read_whole("the file", "/dev/null", 9).value(), "");
}

TEST_F(WholeFile, ThatIsNoneIsRefusedAtOnce) {
  EXPECT_NE(refusal(file_).find("No such file"), std::string::npos);
  EXPECT_NE(refusal(directory_.path()).find("it is a directory"), std::string::npos);
  EXPECT_NE(refusal("/dev/zero").find("over 1 MiB"), std::string::npos);
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  EXPECT_NE(refusal(file_).find("it is a pipe or socket"), std::string::npos) << "no writer";
  int writer = open(file_.c_str(), O_RDWR);
  EXPECT_EQ(write(writer, "bytes", 5), 5);
  EXPECT_NE(refusal(file_).find("it is a pipe or socket"), std::string::npos) << "a silent writer";
  char bytes[5];
  EXPECT_EQ(read(writer, bytes, 5), 5) << "they are still there";
  close(writer);
}

}  // namespace
}  // namespace quire
