// Processes that open an environment at once all see its newest state, also where the system grants
// less address space than the map wants, and where some of them are killed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <fstream>
#include <random>
#include <string>
#include <utility>

#include "base/rounds.h"
#include "lmdb/held_environment.h"
#include "temporary_directory.h"

namespace quire::lmdb {
namespace {

// Leaves this process so much address space more than it uses, and so no map of 4 TiB.
void limit_address_space(std::size_t bytes) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlim_t limit = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + bytes;
  rlimit both{limit, limit};
  if (setrlimit(RLIMIT_AS, &both) != 0) _exit(254);
}

// Processes wait at a gate until it opens, so that they go on together.
class Gate {
 public:
  Gate() { EXPECT_EQ(pipe(ends_), 0); }
  ~Gate() {
    close(ends_[0]);
    if (ends_[1] >= 0) close(ends_[1]);
  }
  void await() {
    close(std::exchange(ends_[1], -1));
    char byte;
    if (::read(ends_[0], &byte, 1) != 0) _exit(253);
  }
  void open() { close(std::exchange(ends_[1], -1)); }

 private:
  int ends_[2];
};

class Opening : public testing::Test {
 protected:
  Opening() {
    Environment environment(options());
    for (int i = 0; i < 5; ++i) count(environment);
  }

  Options options(bool read_only = false) const {
    return {.directory = directory_.path(), .read_only = read_only};
  }
  static int number_in(std::string_view digits) {
    int number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
  }
  // Each transaction counts one, so the count is its number.
  static void count(Environment& environment) {
    WriteTransaction txn(environment);
    MDB_dbi data = txn.open("data");
    txn.put(data, "count", std::to_string(number_in(txn.find(data, "count").value_or("0")) + 1));
    txn.commit();
  }
  static int read(Environment& environment) {
    ReadTransaction txn(environment);
    int count = number_in(txn.find(open_database(txn.get(), "data", 0), "count").value_or("0"));
    return static_cast<std::uint64_t>(count) == txn.number() ? count : -1;
  }
  int read() const {
    Environment environment(options(true));
    return read(environment);
  }
  // Sets the number in the table of readers. This process must not have the environment open.
  static void set_number(std::uint64_t number, const std::string& directory) {
    int table = open((directory + "/lock.mdb").c_str(), O_RDWR | O_CLOEXEC);
    EXPECT_EQ(pwrite(table, &number, sizeof number, 48), 8);
    close(table);
  }
  void set_number(std::uint64_t number) const { set_number(number, directory_.path()); }

  TemporaryDirectory directory_;
};

TEST_F(Opening, ManyReadersAndWritersOpenTogetherUnderALimitOfAddressSpace) {
  constexpr int readers = 3, writers = 2, counts = 3;
  int before = read();
  for (int round = 0; round < rounds(60); ++round, before += writers * counts) {
    Gate gate;
    auto begin = [&] {
      limit_address_space(std::size_t{1} << 30);
      gate.await();
    };
    std::deque<Process> processes;
    for (int i = 0; i < readers; ++i) {
      processes.emplace_back([&] {
        begin();
        Environment environment(options(true));
        int last = before;
        for (int reads = 0; reads < 20; ++reads) {
          int now = read(environment);
          if (now < last || now > before + writers * counts) return 1;
          last = now;
        }
        return 0;
      });
    }
    for (int i = 0; i < writers; ++i) {
      processes.emplace_back([&] {
        begin();
        Environment environment(options());
        for (int writes = 0; writes < counts; ++writes) count(environment);
        return 0;
      });
    }
    gate.open();
    for (auto& process : processes) ASSERT_EQ(process.exit_status(), 0) << "round " << round;
    ASSERT_EQ(read(), before + writers * counts) << "round " << round;
  }
}

TEST_F(Opening, AnOpenerThatIsKilledDoesNotDisturbTheNext) {
  std::mt19937 random(20241124);
  int before = read();
  for (int round = 0; round < rounds(300); ++round) {
    Gate gate;
    Process killed([&] {
      gate.await();
      Environment environment(options());
      return 0;
    });
    Process next([&] {
      gate.await();
      Environment environment(options());
      if (read(environment) != before) return 1;
      count(environment);
      return 0;
    });
    gate.open();
    usleep(random() % 2000);
    killed.end();
    ASSERT_EQ(next.exit_status(), 0) << "round " << round;
    ASSERT_EQ(read(), ++before) << "round " << round;
  }
}

// What opening the environment throws.
std::string refusal(Options options) try {
  options.max_settling = std::chrono::milliseconds(50);
  Environment environment(options);
  return "";
} catch (const Failure& failure) {
  return failure.what();
}

// As a temporary index is, whose files live as long as they are open.
TEST_F(Opening, AFileWithoutANameIsReadAndWrittenOn) {
  Environment environment(options());
  for (const char* name : {"/data.mdb", "/lock.mdb"})
    ASSERT_EQ(unlink((directory_.path() + name).c_str()), 0);
  for (int count : {6, 7}) {
    Opening::count(environment);
    EXPECT_EQ(read(environment), count);
  }
}

TEST_F(Opening, ATableThatNamesNoStateOfTheFileIsRefused) {
  for (std::uint64_t number : {0, 3, 6}) {
    HeldEnvironment other(options());  // so that no other process resets the table of readers
    set_number(number);
    for (bool read_only : {true, false}) {
      auto message = refusal(options(read_only));
      EXPECT_NE(message.find("names no state of data.mdb"), std::string::npos)
          << number << " " << message;
    }
  }
  EXPECT_EQ(read(), 5);
}

// A file with one commit has the state of transaction 0, too, in its other meta page.
TEST_F(Opening, ATableWithoutANumberIsRefusedUnlessACommitIsEnding) {
  TemporaryDirectory made;
  Options options{.directory = made.path()};
  {
    Environment environment(options);
    count(environment);
  }
  HeldEnvironment other(options);
  set_number(0, made.path());
  for (bool read_only : {true, false}) {
    options.read_only = read_only;
    EXPECT_NE(refusal(options).find("names no state of data.mdb"), std::string::npos);
  }
  Process waiting([&] {
    Environment environment(options);
    return read(environment) == 1 ? 0 : 1;
  });
  set_number(1, made.path());
  EXPECT_EQ(waiting.exit_status(), 0);
}

// A writer was killed between its meta page and the number in the table.
TEST_F(Opening, TheNextWriterFinishesTheCommitOfAKilledOne) {
  HeldEnvironment other(options());
  {
    HeldEnvironment killed(options(), HeldEnvironment::Transaction::write);
    set_number(4);
  }
  EXPECT_EQ(read(), 4);
  Environment environment(options());
  EXPECT_EQ(read(environment), 4);
  count(environment);
  EXPECT_EQ(read(environment), 6);
}

TEST_F(Opening, IsNotDisturbedByAWriter) {
  Process writer([&] {
    Environment environment(options());
    for (;;) count(environment);
    return 1;
  });
  int last = 5;
  for (int i = 0; i < rounds(300); ++i) {
    Environment environment(options(i % 2 == 0));
    int now = read(environment);
    ASSERT_GE(now, last);
    last = now;
  }
  EXPECT_FALSE(writer.ended());
}

}  // namespace
}  // namespace quire::lmdb
