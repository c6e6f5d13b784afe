// The credential_process of a profile: its words, real programs, and what the provider makes of it.
#include "dynamodb/credentials/provider.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "dynamodb/credentials/places.h"
#include "temporary_directory.h"

namespace quire::dynamodb {
namespace {

using Words = std::vector<std::string>;

TEST(Command, IsSplitIntoWordsWithoutAShell) {
  EXPECT_EQ(words_of("keys"), Words{"keys"});
  EXPECT_EQ(words_of("  keys  --for\tshop "), (Words{"keys", "--for", "shop"}));
  EXPECT_EQ(words_of(R"("/opt/my keys/run" 'a b' c" d"e \" "\"" '\' "")"),
            (Words{"/opt/my keys/run", "a b", "c de", "\"", "\"", "\\", ""}));
  EXPECT_EQ(words_of("keys $HOME ~ | sh"), (Words{"keys", "$HOME", "~", "|", "sh"}));
  for (auto odd : {"", "  ", "\"", "keys 'a", "\"\" keys"}) EXPECT_FALSE(words_of(odd)) << odd;
}

Result<std::string> run(const std::string& script,
                        std::chrono::milliseconds patience = process_patience) {
  return wait(run_within({"sh", "-c", script}, patience));
}

std::string failure(const Result<std::string>& ran) {
  return ran ? "it printed " + *ran : ran.error().message;
}

TEST(Process, GivesItsOutput) {
  EXPECT_EQ(run("printf one; sleep 0.05; printf two").value(), "onetwo");
  EXPECT_EQ(run("cat").value(), "") << "its input is empty";
  EXPECT_EQ(run("exec >&-; sleep 0.05").value(), "");
}

TEST(Process, InheritsNoOtherFile) {
  int file = open("/dev/null", O_RDONLY);
  ASSERT_GE(file, 0);
  auto listed = run("ls /proc/$$/fd").value();
  close(file);
  EXPECT_EQ(listed.find(std::to_string(file) + "\n"), std::string::npos) << listed;
}

TEST(Process, ThatFailsSaysHow) {
  EXPECT_EQ(failure(run("exit 7")), "it ended with status 7");
  EXPECT_EQ(failure(run("kill -9 $$")), "it was ended by signal 9");
  EXPECT_EQ(failure(wait(run_process({"/nowhere/at-all"}))),
            "it cannot be run: No such file or directory");
  EXPECT_EQ(failure(run("while :; do echo 0123456789; done")), "it printed more than 64 KiB");
}

TEST(Process, ThatDoesNotEndIsKilledWithItsChildren) {
  TemporaryDirectory directory;
  auto file = directory.path() + "/child";
  // A second: less might end before the shell began the child.
  auto ran = run("sleep 1000 & echo $! >" + file + "; wait", std::chrono::seconds(1));
  EXPECT_EQ(failure(ran), "it did not end within 1 seconds");
  pid_t child = 0;
  std::ifstream(file) >> child;
  ASSERT_GT(child, 0);
  auto alive = [&] {  // a killed process may wait for its parent to look at it
    std::ifstream state("/proc/" + std::to_string(child) + "/stat");
    std::string text;
    return std::getline(state, text) && text.find(") Z ") == text.npos;
  };
  while (alive()) usleep(10'000);  // it is killed, so this ends
}

class ProcessOfAProfile : public Sources {
 protected:
  void SetUp() override {
    files_["/home/shop/.aws/config"] = "[profile shop]\ncredential_process = keys --for 'a shop'\n";
  }
};

TEST_F(ProcessOfAProfile, PrintsItsCredentials) {
  output_ = std::string(R"({"Version":1,"AccessKeyId":"PRINTED","SecretAccessKey":"secret"})");
  EXPECT_EQ(find("shop"), "PRINTED");
  EXPECT_EQ(ran_, (Words{"keys", "--for", "a shop"}));
  environment_["AWS_PROFILE"] = "shop";
  EXPECT_EQ(find(), "PRINTED");
}

TEST_F(ProcessOfAProfile, SaysWhatFailed) {
  auto says = [](const std::string& why) {
    return "There are no credentials for the table: the credential_process of the profile shop "
           "failed: " +
           why + ". Run it by hand.";
  };
  output_ = std::string("{}");
  EXPECT_EQ(refusal("shop"), says("it prints no credentials of version 1"));
  output_ = std::string(R"({"Version":1,"AccessKeyId":"OLD","SecretAccessKey":"secret",)"
                        R"("Expiration":"2024-11-20T11:59:59Z"})");
  EXPECT_EQ(refusal("shop"), says("the credentials that it prints have expired"));
  output_ = Error{ErrorCode::unavailable, "it ended with status 7"};
  EXPECT_EQ(refusal("shop"), says("it ended with status 7"));
  files_["/home/shop/.aws/config"] = "[profile shop]\ncredential_process = \"keys\n";
  EXPECT_EQ(refusal("shop"), says("a quote in it does not end"));
}

TEST_F(ProcessOfAProfile, IsAdvisedForRolesOfOtherProfiles) {
  files_["/home/shop/.aws/config"] =
      "[profile shop]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = default\n";
  EXPECT_NE(refusal("shop").find("aws configure export-credentials --profile shop"),
            std::string::npos);
  files_["/home/shop/.aws/config"] = "[profile shop]\nregion = eu-west-1\n";
  EXPECT_NE(refusal("shop").find("neither keys, a web identity, single sign-on nor"),
            std::string::npos);
}

}  // namespace
}  // namespace quire::dynamodb
