// The file of tokens' hashes: what is written, what is read, what is refused.
#include "http/tokens.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace quire::http {
namespace {

// sha256sum of "secret".
const std::string hash_of_secret =
    "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

class TokensTest : public testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(file_) << text; }
  std::string content() {
    std::ostringstream out;
    out << std::ifstream(file_).rdbuf();
    return out.str();
  }

  TemporaryDirectory directory_;
  std::string file_ = directory_.path() + "/tokens.txt";
};

TEST_F(TokensTest, ANewTokenIsAcceptedAfterTheFileIsRead) {
  auto token = Tokens::add(file_).value();
  auto tokens = Tokens::read(file_).value();
  EXPECT_FALSE(tokens.empty());
  EXPECT_TRUE(tokens.accept(token));
}

TEST_F(TokensTest, NothingButTheWholeTokenIsAccepted) {
  auto token = Tokens::add(file_).value();
  auto tokens = Tokens::read(file_).value();
  EXPECT_FALSE(tokens.accept(""));
  EXPECT_FALSE(tokens.accept(token + "x"));
  EXPECT_FALSE(tokens.accept(token + " "));
  EXPECT_FALSE(tokens.accept(token.substr(0, token.size() - 1)));
  EXPECT_FALSE(tokens.accept(content().substr(0, 64))) << "the hash is no token";
}

TEST_F(TokensTest, TheFileKeepsHashesOnly) {
  auto token = Tokens::add(file_).value();
  EXPECT_EQ(token.substr(0, 6), "quire_");
  EXPECT_GE(token.size(), 6u + 43u) << "256 random bits";
  EXPECT_EQ(content().size(), 65u);
  EXPECT_EQ(content().find(token.substr(6)), std::string::npos);
}

TEST_F(TokensTest, TheFileIsReadableByItsOwnerAlone) {
  Tokens::add(file_).value();
  struct stat status {};
  ASSERT_EQ(stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(TokensTest, EachTokenIsAnotherAndAllOfThemWork) {
  write("# ours\n" + hash_of_secret + "\n");
  auto first = Tokens::add(file_).value();
  auto second = Tokens::add(file_).value();
  EXPECT_NE(first, second);
  auto tokens = Tokens::read(file_).value();
  for (const auto& token : {first, second, std::string("secret")}) {
    EXPECT_TRUE(tokens.accept(token));
  }
}

TEST_F(TokensTest, BlankLinesAndCommentsArePassedOver) {
  write("\n# of the shop\n\n" + hash_of_secret + "\n#" + hash_of_secret + "\n\n");
  EXPECT_TRUE(Tokens::read(file_).value().accept("secret"));
  write("# none yet\n\n");
  EXPECT_TRUE(Tokens::read(file_).value().empty());
}

TEST_F(TokensTest, ALastLineMayLackItsEnd) {
  write(hash_of_secret);
  EXPECT_TRUE(Tokens::read(file_).value().accept("secret"));
}

TEST_F(TokensTest, ALineThatIsNoHashIsRefusedWithTheFilesName) {
  std::string upper = hash_of_secret;
  upper[0] = 'A';
  for (const std::string& line :
       {std::string("secret"), hash_of_secret.substr(1), hash_of_secret + "0", " " + hash_of_secret,
        hash_of_secret + "\r", upper, std::string(64, 'g'), std::string(64, ' ')}) {
    write(hash_of_secret + "\n" + line + "\n");
    auto tokens = Tokens::read(file_);
    ASSERT_FALSE(tokens.ok()) << line;
    EXPECT_NE(tokens.error().message.find(file_), std::string::npos);
  }
}

TEST_F(TokensTest, AFileThatIsNotThereIsRefusedWithItsName) {
  auto tokens = Tokens::read(file_);
  ASSERT_FALSE(tokens.ok());
  EXPECT_NE(tokens.error().message.find(file_), std::string::npos);
  EXPECT_NE(tokens.error().message.find("No such file"), std::string::npos);
}

TEST_F(TokensTest, ATokenIsNotHandedOutWhenItsHashCannotBeKept) {
  auto token = Tokens::add(directory_.path() + "/missing/tokens.txt");
  ASSERT_FALSE(token.ok());
  EXPECT_EQ(token.error().code, ErrorCode::unavailable);
  EXPECT_FALSE(Tokens::add("/dev/full").ok());
}

TEST(Tokens, WithoutAFileNobodyIsAccepted) {
  EXPECT_TRUE(Tokens().empty());
  EXPECT_FALSE(Tokens().accept(""));
  EXPECT_FALSE(Tokens().accept("secret"));
}

}  // namespace
}  // namespace quire::http
