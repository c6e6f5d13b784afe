// Problems with the directory of a store. Each one gives a clear error and changes no file.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "lmdb/held_environment.h"
#include "loop/loop.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

std::unique_ptr<LmdbStore> open(const std::string& directory, Access access = Access::write) {
  return LmdbStore::open(directory, access).value();
}

std::string refusal(const std::string& directory, Access access = Access::write) {
  auto store = LmdbStore::open(directory, access);
  return store ? "" : store.error().message;
}

void fill(const std::string& directory) {
  auto store = open(directory);
  for (std::uint64_t i = 0; i < 50; ++i)
    ASSERT_TRUE(wait(store->insert(comment_at(1000 + i, i, "en", 5), {})));
}

void expect_intact(const std::string& directory, std::size_t comments = 50) {
  auto store = open(directory);
  auto verified = verify(store->databases());
  EXPECT_EQ(verified.comments, comments);
  EXPECT_EQ(verified.differences, 0u);
}

// Runs `body` in a process of its own, because limits and users cannot be restored, and returns its
// value. `before` runs here, before `body`, but after the process was made: the threads of a store
// that is open meanwhile could hold a mutex, which would be locked in the new process for ever.
int in_child(
    const std::function<int()>& body, const std::function<void()>& before = [] {}) {
  int go_on[2];
  if (pipe(go_on) != 0) return -1;
  pid_t child = fork();
  if (child == 0) {
    close(go_on[1]);
    char byte;
    _exit(read(go_on[0], &byte, 1) == 0 ? body() : -1);  // 0: the end of the pipe
  }
  close(go_on[0]);
  before();
  close(go_on[1]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Refusals, AReaderWithoutAStoreGetsAnError) {
  TemporaryDirectory directory;
  EXPECT_NE(refusal(directory.path(), Access::read).find("There is no store"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(Refusals, ASecondWriterLearnsWhichProcessWrites) {
  TemporaryDirectory directory;
  fill(directory.path());
  std::unique_ptr<LmdbStore> first;
  int status = in_child(
      [&] {
        auto message = refusal(directory.path());
        return message.find("is being written by another process") == message.npos;
      },
      [&] { first = open(directory.path()); });
  EXPECT_EQ(status, 0);
  first.reset();
  expect_intact(directory.path());
}

TEST(Refusals, AProcessThatOpensAStoreTwiceBlamesNoOther) {
  TemporaryDirectory directory;
  fill(directory.path());
  auto first = open(directory.path());
  auto message = refusal(directory.path());
  EXPECT_EQ(message.find("another process"), message.npos) << message;
  EXPECT_NE(message.find("This process has the store in " + directory.path() + " open already"),
            message.npos)
      << message;
  TemporaryDirectory links;
  auto link = links.path() + "/link";
  std::filesystem::create_directory_symlink(directory.path(), link);
  EXPECT_NE(refusal(link).find("This process has"), message.npos) << refusal(link);
  first.reset();
  expect_intact(directory.path());
}

TEST(Refusals, AReaderMayRunBesideTheWriter) {
  TemporaryDirectory directory;
  fill(directory.path());
  std::unique_ptr<LmdbStore> writer;
  int status = in_child(
      [&] {
        return wait(open(directory.path(), Access::read)->view()->counts("42"))->total() != 50;
      },
      [&] { writer = open(directory.path()); });
  EXPECT_EQ(status, 0);
}

TEST(Refusals, AForeignFileIsLeftAlone) {
  TemporaryDirectory directory;
  std::string foreign(20'000, 'x');
  std::ofstream(directory.path() + "/data.mdb") << foreign;
  EXPECT_NE(refusal(directory.path()).find("is not a Quire store"), std::string::npos);
  std::ifstream in(directory.path() + "/data.mdb");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), foreign);
}

TEST(Refusals, AForeignLmdbIsLeftAlone) {
  TemporaryDirectory directory;
  {
    lmdb::Environment environment({.directory = directory.path()});
    lmdb::WriteTransaction txn(environment);
    txn.put(txn.open("somebody-else"), "key", "value");
    txn.commit();
  }
  EXPECT_NE(refusal(directory.path()).find("is not a Quire store"), std::string::npos);
}

// Such a file is left by a process that is killed while it makes the store.
TEST(Refusals, AnEmptyLmdbIsReplacedWhenNoOtherProcessHasItOpen) {
  TemporaryDirectory directory;
  lmdb::HeldEnvironment other({.directory = directory.path()});
  std::jthread later([&] {  // by then this process waits for the other, or has passed it by
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    other.let_go();
  });
  expect_intact(directory.path(), 0);
  EXPECT_FALSE(std::filesystem::exists(directory.path() + "/data.mdb.new"));
}

TEST(Refusals, ANewerFormatIsNamedAndLeftAlone) {
  TemporaryDirectory directory;
  fill(directory.path());
  auto set_version = [&](std::uint32_t version) {
    lmdb::Environment environment({.directory = directory.path()});
    lmdb::WriteTransaction txn(environment);
    std::string row(format_magic);
    row.resize(row.size() + 4);
    put_u32(&row[format_magic.size()], version);
    txn.put(txn.open("meta"), "format", row);
    txn.commit();
  };
  set_version(format_version + 1);
  auto message = refusal(directory.path());
  EXPECT_NE(message.find("has format " + std::to_string(format_version + 1)), std::string::npos)
      << message;
  EXPECT_FALSE(refusal(directory.path(), Access::read).empty());
  set_version(format_version);
  expect_intact(directory.path());
}

TEST(Refusals, ADirectoryWithoutWritePermissionIsRefused) {
  TemporaryDirectory directory;
  fill(directory.path());
  if (geteuid() != 0) FAIL() << "this test needs root, to become user nobody";
  chmod(directory.path().c_str(), 0755);
  int status = in_child([&] {
    if (setuid(65534) != 0) return 2;
    auto message = refusal(directory.path());
    return static_cast<int>(message.find("Cannot write in") == message.npos);
  });
  EXPECT_EQ(status, 0);
  expect_intact(directory.path());
}

TEST(Refusals, AStoreThatMayNotBeReadIsNotCalledMissing) {
  TemporaryDirectory directory;
  fill(directory.path());
  if (geteuid() != 0) FAIL() << "this test needs root, to become user nobody";
  auto refused = [&](const std::string& path) {
    int status = in_child([&] {
      if (setuid(65534) != 0) return 2;
      auto wanted = path + ": Permission denied. Run quire as the user that owns the store";
      return static_cast<int>(refusal(directory.path(), Access::read).find(wanted) == wanted.npos);
    });
    EXPECT_EQ(status, 0) << path;
  };
  chmod(directory.path().c_str(), 0700);
  refused(directory.path());
  chmod(directory.path().c_str(), 0755);
  chmod((directory.path() + "/data.mdb").c_str(), 0600);
  refused(directory.path() + "/data.mdb");
  chmod((directory.path() + "/data.mdb").c_str(), 0644);
  refused(directory.path() + "/lock.mdb");
}

// A limit on the size of files stands for a full disk: writes fail half-way in the same calls.
TEST(Refusals, AFullDiskRefusesWritesAndKeepsTheStore) {
  TemporaryDirectory directory;
  fill(directory.path());
  int status = in_child([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    auto size = std::filesystem::file_size(directory.path() + "/data.mdb");
    rlimit limit{size + 65536, size + 65536};
    setrlimit(RLIMIT_FSIZE, &limit);
    auto store = open(directory.path());
    std::uint64_t number = 1000;
    for (; number < 3000; ++number) {
      Comment comment = comment_at(number, number, "en", 1);
      comment.text = std::string(20'000, 'x');
      auto refused = wait(store->insert(comment, {}));
      if (refused) continue;
      if (refused.error().message.find("disk of the store is full") == std::string::npos) return 2;
      break;
    }
    if (number == 3000) return 3;
    auto verified = verify(store->databases());
    if (verified.differences != 0 || verified.comments != 50 + number - 1000) return 4;
    return 0;
  });
  EXPECT_EQ(status, 0);
  auto store = open(directory.path());
  EXPECT_TRUE(wait(store->insert(comment_at(1, 1, "en", 1), {})));
  EXPECT_EQ(verify(store->databases()).differences, 0u);
}

}  // namespace
}  // namespace quire::embedded
