// The token file: writing, reading, and what is refused.
#include "desk/tokens.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "bytes.h"
#include "quire/ulid.h"

namespace quire::desk {
namespace {

// sha256sum of "secret".
const std::string hash_of_secret =
    "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

Token plain() {
  return {.scopes = {Scope::post, Scope::edit}};
}

class TokensTest : public testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(file_) << text; }
  std::string content() const { return file_bytes(file_); }

  TemporaryDirectory directory_;
  std::string file_ = directory_.path() + "/tokens.txt";
};

TEST_F(TokensTest, ANewTokenIsAcceptedAfterTheFileIsRead) {
  auto token = Tokens::add(file_, plain()).value();
  auto tokens = Tokens::read(file_).value();
  EXPECT_FALSE(tokens.empty());
  EXPECT_TRUE(tokens.find(token));
}

TEST_F(TokensTest, NothingButTheWholeTokenIsAccepted) {
  auto token = Tokens::add(file_, plain()).value();
  auto tokens = Tokens::read(file_).value();
  EXPECT_FALSE(tokens.find(""));
  EXPECT_FALSE(tokens.find(token + "x"));
  EXPECT_FALSE(tokens.find(token + " "));
  EXPECT_FALSE(tokens.find(token.substr(0, token.size() - 1)));
  EXPECT_FALSE(tokens.find(content().substr(0, 64))) << "the hash is no token";
}

TEST_F(TokensTest, TheFileKeepsHashesOnly) {
  auto token = Tokens::add(file_, plain()).value();
  EXPECT_EQ(token.substr(0, 6), "quire_");
  EXPECT_GE(token.size(), 6u + 43u) << "256 random bits";
  EXPECT_EQ(content().size(), 65u + std::string_view(" scopes=post,edit").size());
  EXPECT_EQ(content().find(token.substr(6)), std::string::npos);
}

TEST_F(TokensTest, TheFileIsReadableByItsOwnerAlone) {
  Tokens::add(file_, plain()).value();
  struct stat status {};
  ASSERT_EQ(stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(TokensTest, TheFileStaysReadableByItsGroupAndByNobodyElse) {
  write("");
  ASSERT_EQ(chmod(file_.c_str(), 0644), 0);
  Tokens::add(file_, plain()).value();
  struct stat status {};
  ASSERT_EQ(stat(file_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(TokensTest, TokensDifferAndAllOfThemWork) {
  write("# ours\n" + hash_of_secret + "\n");
  auto first = Tokens::add(file_, plain()).value();
  auto second = Tokens::add(file_, plain()).value();
  EXPECT_NE(first, second);
  auto tokens = Tokens::read(file_).value();
  for (const auto& token : {first, second, std::string("secret")}) {
    EXPECT_TRUE(tokens.find(token));
  }
}

TEST_F(TokensTest, BlankLinesAndCommentsAreIgnored) {
  write("\n# of the shop\n\n" + hash_of_secret + "\n#" + hash_of_secret + "\n\n");
  EXPECT_TRUE(Tokens::read(file_).value().find("secret"));
  write("# none yet\n\n");
  EXPECT_TRUE(Tokens::read(file_).value().empty());
}

TEST_F(TokensTest, TheLastLineMayLackItsLineFeed) {
  write(hash_of_secret);
  EXPECT_TRUE(Tokens::read(file_).value().find("secret"));
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

TEST_F(TokensTest, AMissingFileIsRefusedWithItsName) {
  auto tokens = Tokens::read(file_);
  ASSERT_FALSE(tokens.ok());
  EXPECT_NE(tokens.error().message.find(file_), std::string::npos);
  EXPECT_NE(tokens.error().message.find("No such file"), std::string::npos);
}

TEST_F(TokensTest, NoTokenIsMadeIfItsHashCannotBeWritten) {
  auto token = Tokens::add(directory_.path() + "/missing/tokens.txt", plain());
  ASSERT_FALSE(token.ok());
  EXPECT_EQ(token.error().code, ErrorCode::unavailable);
  EXPECT_FALSE(Tokens::add("/dev/full", plain()).ok());
}

TEST_F(TokensTest, AMissingFolderIsNamedWithTheCommandThatMakesIt) {
  auto folder = directory_.path() + "/missing";
  EXPECT_EQ(Tokens::add(folder + "/tokens.txt", plain()).error().message,
            "Cannot make the token file " + folder + "/tokens.txt: its folder " + folder +
                " does not exist. Make it first: mkdir -p " + folder + ".");
  EXPECT_EQ(Tokens::add(directory_.path(), plain()).error().message,
            "Cannot read the token file " + directory_.path() + ": it is a directory.");
}

// The examples of docs/formats/tokens.md.
TEST_F(TokensTest, ALineSaysWhatItsTokenMayDo) {
  write(hash_of_secret + " name=shop scopes=post,edit until=2027-01-31 product=shop-a%2F\n");
  auto tokens = Tokens::read(file_).value();
  const Token* token = tokens.find("secret");
  ASSERT_TRUE(token);
  EXPECT_EQ(token->name, "shop");
  EXPECT_EQ(token->label(), "shop");
  EXPECT_EQ(token->scopes, (std::vector{Scope::post, Scope::edit}));
  EXPECT_EQ(token->product, "shop-a/");
  EXPECT_TRUE(token->may(Scope::edit));
  EXPECT_FALSE(token->may(Scope::import));
  auto end = parse_time("2027-01-31T23:59:59.999Z").value();
  EXPECT_FALSE(token->ended(end));
  EXPECT_TRUE(token->ended(end + 1));
  EXPECT_EQ(token->line() + "\n", content());
}

TEST_F(TokensTest, ALineWithoutScopesKeepsItsOldRights) {
  write(hash_of_secret + "\n");
  auto tokens = Tokens::read(file_).value();
  const Token& token = *tokens.find("secret");
  for (auto scope : {Scope::post, Scope::edit, Scope::import}) EXPECT_TRUE(token.may(scope));
  EXPECT_FALSE(token.may(Scope::admin));
  EXPECT_FALSE(token.ended(max_time_ms));
  EXPECT_EQ(token.product, "");
  EXPECT_EQ(token.label(), "2bb80d53");
}

TEST_F(TokensTest, ANewTokenIsReadAsItWasMade) {
  for (const Token& made :
       {Token{.name = "a", .scopes = {Scope::admin}},
        Token{.scopes = {Scope::post, Scope::edit, Scope::post}},
        Token{.scopes = {Scope::import, Scope::post}, .until = "2027-01-31T12:00:00+02:00"},
        Token{.name = "x.y-z_9",
        .scopes = {Scope::edit},
        .product = "a b%\n\xC3\xA9 scopes=admin"}}) {
    auto secret = Tokens::add(file_, made).value();
    auto tokens = Tokens::read(file_).value();
    const Token* read = tokens.find(secret);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->name, made.name);
    EXPECT_EQ(read->scopes, made.scopes);
    EXPECT_EQ(read->until, made.until);
    EXPECT_EQ(read->product, made.product);
  }
}

TEST_F(TokensTest, AnInvalidFieldMakesTheLineNoToken) {
  for (std::string fields :
       {"name", "name=", "name=a/b", "name=a name=b", "scopes=", "scopes=post,", "scopes=write",
        "scopes=post scopes=edit", "until=", "until=soon", "until=2027-02-30", "until=2027-01-31T",
        "until=2027-01-31 12:00:00Z", "product=%zz", "colour=red", "=x", "post"}) {
    write(hash_of_secret + " " + fields + "\n");
    EXPECT_FALSE(Tokens::read(file_)) << fields;
  }
  EXPECT_FALSE(end_of("2027-01-31 12:00:00Z")) << "a field has no space";
  write(hash_of_secret + "  name=a   scopes=post \n");
  EXPECT_TRUE(Tokens::read(file_)) << "spaces do no harm";
}

TEST_F(TokensTest, ANameIsUsedOnce) {
  ASSERT_TRUE(Tokens::add(file_, {.name = "shop", .scopes = {Scope::post}}));
  auto again = Tokens::add(file_, {.name = "shop", .scopes = {Scope::post}});
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("shop"), std::string::npos);
  EXPECT_TRUE(Tokens::add(file_, plain())) << "tokens without a name are many";
  EXPECT_TRUE(Tokens::add(file_, plain()));
}

TEST_F(TokensTest, LinesThatAreNoTokensAreReportedAndTheOthersCount) {
  auto parsed = Tokens::parse("# ours\nhalf a li\n" + hash_of_secret + "\n2bb80d");
  EXPECT_TRUE(parsed.tokens.find("secret"));
  EXPECT_EQ(parsed.faults, (std::vector<std::string>{"line 2 is no token", "line 4 is no token"}));
}

TEST(Tokens, WithoutAFileNoTokenIsAccepted) {
  EXPECT_TRUE(Tokens().empty());
  EXPECT_FALSE(Tokens().find(""));
  EXPECT_FALSE(Tokens().find("secret"));
}

}  // namespace
}  // namespace quire::desk
