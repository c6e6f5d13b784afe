// The token file of a running server: what counts when it changes.
#include "http/token_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "temporary_directory.h"

namespace quire::http {
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
  // Waits for as long as it takes; the test as a whole has a deadline.
  static void until(const std::function<bool()>& done) {
    while (!done()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }

  TemporaryDirectory directory_;
  std::string file_ = directory_.path() + "/tokens";
};

TEST_F(TokenFileTest, ATokenThatIsAddedOrWithdrawnCounts) {
  auto first = add("first");
  auto file = TokenFile::open(file_).value();
  EXPECT_TRUE(knows(*file, first));
  auto second = add("second");
  until([&] { return knows(*file, second); });
  EXPECT_TRUE(knows(*file, first));
  write(line_of(second) + "\n");
  until([&] { return !knows(*file, first); });
  EXPECT_TRUE(knows(*file, second));
  write("");
  until([&] { return !knows(*file, second); });
}

TEST_F(TokenFileTest, WhoHoldsATokenThatIsWithdrawnKeepsItsDescription) {
  auto first = add("first");
  auto file = TokenFile::open(file_).value();
  auto held = file->tokens();
  write("");
  until([&] { return !knows(*file, first); });
  EXPECT_EQ(held->find(first)->name, "first");
}

// A line that an editor broke takes no other token away, and keeps none that was taken away.
TEST_F(TokenFileTest, ALineThatIsNoTokenCostsItselfAlone) {
  auto first = add("first"), second = add("second");
  auto file = TokenFile::open(file_).value();
  write(line_of(second) + "\nbroken\n");
  until([&] { return !knows(*file, first); });
  EXPECT_TRUE(knows(*file, second));
}

TEST_F(TokenFileTest, AFileThatIsGoneLeavesTheTokensAsTheyWere) {
  auto first = add("first");
  auto file = TokenFile::open(file_).value();
  std::filesystem::rename(file_, file_ + ".away");
  std::this_thread::sleep_for(3 * TokenFile::look_every);
  EXPECT_TRUE(knows(*file, first));
  auto second = Tokens::add(file_, {.name = "second", .scopes = {Scope::post}}).value();
  until([&] { return knows(*file, second); });
  EXPECT_FALSE(knows(*file, first)) << "the new file is another";
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
}  // namespace quire::http
