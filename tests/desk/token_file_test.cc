// The token file of a running server: which changes count.
#include "desk/tokens.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "temporary_directory.h"

namespace quire::desk {
namespace {

class TokenFileTest : public testing::Test {
 protected:
  std::string add(const std::string& name) {
    return Tokens::add(file_, {.name = name, .scopes = {Scope::post}}).value();
  }
  std::string line_of(const std::string& token) { return Tokens::read(file_)->find(token)->line(); }
  void write(const std::string& text) { std::ofstream(file_) << text; }
  static bool knows(const TokenFile& file, const std::string& token) {
    return file.tokens()->find(token) != nullptr;
  }
  static void look_twice(TokenFile& file) {
    file.look();
    file.look();
  }

  TemporaryDirectory directory_;
  std::string file_ = directory_.path() + "/tokens";
};

TEST_F(TokenFileTest, ATokenThatIsAddedOrWithdrawnCounts) {
  auto first = add("first");
  auto file = TokenFile::open(file_).value();
  EXPECT_TRUE(knows(*file, first));
  auto held = file->tokens();
  auto second = add("second");
  look_twice(*file);
  EXPECT_TRUE(knows(*file, first) && knows(*file, second));
  write(line_of(second) + "\n");
  look_twice(*file);
  EXPECT_FALSE(knows(*file, first));
  EXPECT_TRUE(knows(*file, second));
  write("");
  look_twice(*file);
  EXPECT_FALSE(knows(*file, second));
  EXPECT_EQ(held->find(first)->name, "first") << "a request under way keeps its token";
}

TEST_F(TokenFileTest, AFileThatIsBeingWrittenDoesNotCount) {
  auto first = add("first");
  auto line = line_of(first);
  auto file = TokenFile::open(file_).value();
  for (std::size_t part = 0; part < line.size(); part += 10) {
    write(line.substr(0, part));
    file->look();
    EXPECT_TRUE(knows(*file, first)) << part;
  }
  write(line);
  look_twice(*file);
  EXPECT_TRUE(knows(*file, first));
}

// The watching thread must not end the process.
TEST_F(TokenFileTest, AFolderThatCannotBeReadKeepsTheTokens) {
  auto folder = directory_.path() + "/folder";
  std::filesystem::create_directory(folder);
  file_ = folder + "/tokens";
  auto first = add("first");
  auto file = TokenFile::open(file_).value();
  std::filesystem::rename(folder, folder + " before");
  std::filesystem::create_symlink(folder, folder);  // leads to itself
  look_twice(*file);
  EXPECT_TRUE(knows(*file, first));
  EXPECT_NE(read_token_file(file_).error().message.find("Too many levels"), std::string::npos);
  EXPECT_FALSE(Tokens::add(file_, {.name = "second", .scopes = {Scope::post}}));
  std::filesystem::remove(folder);
  std::filesystem::rename(folder + " before", folder);
  auto second = add("second");
  look_twice(*file);
  EXPECT_TRUE(knows(*file, first) && knows(*file, second));
}

// A broken line changes no other token: those in the file work, and withdrawn ones fail.
TEST_F(TokenFileTest, ALineThatIsNoTokenDoesNotHarmTheOthers) {
  auto first = add("first"), second = add("second");
  auto file = TokenFile::open(file_).value();
  write(line_of(second) + "\nbroken\n");
  look_twice(*file);
  EXPECT_FALSE(knows(*file, first));
  EXPECT_TRUE(knows(*file, second));
}

TEST_F(TokenFileTest, AFileThatIsRemovedLeavesTheTokensAsTheyWere) {
  auto first = add("first");
  auto file = TokenFile::open(file_).value();
  std::filesystem::rename(file_, file_ + ".away");
  look_twice(*file);
  EXPECT_TRUE(knows(*file, first));
  auto second = add("second");
  look_twice(*file);
  EXPECT_TRUE(knows(*file, second));
  EXPECT_FALSE(knows(*file, first)) << "the new file is another";
}

// Opening a pipe waits for its writer, and what it gives is empty the next time.
TEST_F(TokenFileTest, APipeIsNoTokenFile) {
  auto first = add("first");
  auto file = TokenFile::open(file_).value();
  std::filesystem::rename(file_, file_ + ".away");
  ASSERT_EQ(mkfifo(file_.c_str(), 0600), 0);
  look_twice(*file);
  EXPECT_TRUE(knows(*file, first));
  EXPECT_FALSE(TokenFile::open(file_));
  EXPECT_FALSE(Tokens::add(file_, {.name = "", .scopes = {Scope::post}}));
  std::filesystem::remove(file_);
  auto second = add("second");
  look_twice(*file);
  EXPECT_FALSE(knows(*file, first));
  EXPECT_TRUE(knows(*file, second));
}

// Waits for the thread, which looks so often; the others look themselves.
TEST_F(TokenFileTest, WatchReadsTheFileAgain) {
  static_assert(2 * TokenFile::look_every < std::chrono::seconds(1));
  auto first = add("first");
  auto file = TokenFile::open(file_).value();
  file->watch();
  write("");
  while (knows(*file, first)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

TEST_F(TokenFileTest, AFileThatEveryoneMayWriteIsRefused) {
  add("first");
  ASSERT_EQ(chmod(file_.c_str(), 0606), 0);
  auto file = TokenFile::open(file_);
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message.find("chmod o-w"), std::string::npos);
  ASSERT_EQ(chmod(file_.c_str(), 0664), 0);
  EXPECT_TRUE(TokenFile::open(file_)) << "that others read it is for a warning";
}

TEST_F(TokenFileTest, ABrokenLineAtTheStartIsRefused) {
  write("broken\n");
  EXPECT_FALSE(TokenFile::open(file_));
}

}  // namespace
}  // namespace quire::desk
