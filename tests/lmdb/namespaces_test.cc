// Processes of several PID namespaces share an environment: all have PID 1, and none is seen by
// another.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <set>
#include <string>

#include "lmdb/cursor.h"
#include "lmdb/first_process.h"
#include "lmdb/held_environment.h"
#include "temporary_directory.h"

namespace quire::lmdb {
namespace {

constexpr int rows = 1000;

std::string key(int number) {
  return std::to_string(1'000'000 + number);
}

class Namespaces : public testing::Test {
 protected:
  Namespaces() {
    FirstProcess made([this] {
      Environment environment(options());
      WriteTransaction txn(environment);
      auto dbi = txn.open("rows");
      for (int i = 0; i < rows; ++i) txn.put(dbi, key(i), "before");
      txn.commit();
      return 0;
    });
    EXPECT_EQ(made.exit_status(), 0);
  }

  Options options() const { return {.directory = directory_.path()}; }
  // Each of the rows, and no other, is there as it was. 0: so it is.
  static int expect_rows(ReadTransaction& txn, MDB_dbi dbi) {
    int found = 0;
    for (const auto& entry : Entries(txn, dbi))
      if (entry.key() != key(found++) || entry.value() != "before") return 10;
    return found == rows ? 0 : 11;
  }
  static MDB_dbi open_rows(Environment& environment) {
    ReadTransaction txn(environment);
    auto dbi = open_database(txn.get(), "rows", 0);
    txn.keep_handles();
    return dbi;
  }
  // Puts and removes this many rows, and puts other values into those that were there.
  static void write(Environment& environment, int writes) {
    MDB_dbi dbi = 0;
    for (int made = 0; made < writes;) {
      WriteTransaction txn(environment);
      dbi = txn.open("rows");
      for (int i = 0; i < 100; ++i, ++made) {
        txn.put(dbi, key(made % rows), std::to_string(made));
        txn.put(dbi, key(rows + made % 500), std::string(200, 'x'));
        if (made >= 250) txn.remove(dbi, key(rows + (made - 250) % 500));
      }
      txn.commit();
    }
  }

  // Reads the rows in a state that it keeps until `over`. 0: they are as they were.
  int read_while(Signal& reading, Signal& over) const {
    Environment environment(options());
    auto dbi = open_rows(environment);
    ReadTransaction txn(environment);
    reading.give();
    over.await();
    return expect_rows(txn, dbi);
  }

  TemporaryDirectory directory_;
};

// How many other processes have slots in the table of readers.
std::size_t other_readers(Environment& environment) {
  ReadTransaction own(environment);
  std::set<int> numbers;
  auto add = [](const char* line, void* out) {
    if (int number = std::atoi(line)) static_cast<std::set<int>*>(out)->insert(number);
    return 0;
  };
  mdb_reader_list(environment.get(), add, &numbers);
  return numbers.size() - 1;
}

TEST_F(Namespaces, FirstProcessesOpenAnEnvironmentTogether) {
  Signal reading, written;
  FirstProcess reader([&] { return read_while(reading, written); });
  reading.await();
  FirstProcess writer([&] {
    Environment environment(options());
    write(environment, 100);
    open_rows(environment);
    return other_readers(environment) == 1 ? 0 : 12;
  });
  EXPECT_EQ(writer.exit_status(), 0);
  written.give();
  EXPECT_EQ(reader.exit_status(), 0);
}

// The writer comes first, asks whether readers live, and would use their pages again.
TEST_F(Namespaces, AReaderKeepsItsStateWhileAnotherNamespaceWrites) {
  Signal open, reading, written;
  FirstProcess writer([&] {
    Environment environment(options());
    open_rows(environment);
    open.give();
    reading.await();
    write(environment, 100'000);
    bool there = other_readers(environment) == 1;
    written.give();
    return there ? 0 : 12;
  });
  open.await();
  FirstProcess reader([&] { return read_while(reading, written); });
  EXPECT_EQ(reader.exit_status(), 0);
  EXPECT_EQ(writer.exit_status(), 0);
}

TEST_F(Namespaces, TheSlotOfAKilledReaderIsFreed) {
  Signal reading, never;
  std::optional<FirstProcess> reader(std::in_place, [&] {
    Environment environment(options());
    ReadTransaction txn(environment);
    reading.give();
    never.await();
    return 0;
  });
  reading.await();
  Signal seen, killed;
  FirstProcess writer([&] {
    Environment environment(options());
    open_rows(environment);
    bool there = other_readers(environment) == 1;
    seen.give();
    killed.await();
    for (int i = 0; i < 200 && other_readers(environment) > 0; ++i) write(environment, 100);
    return there && other_readers(environment) == 0 ? 0 : 13;
  });
  seen.await();
  reader->end();
  killed.give();
  EXPECT_EQ(writer.exit_status(), 0);
}

TEST_F(Namespaces, AWriterThatIsKilledLeavesTheOthersToGoOn) {
  for (int round = 0; round < 5; ++round) {
    Signal writing, never;
    FirstProcess killed([&] {
      Environment environment(options());
      WriteTransaction txn(environment);
      auto dbi = txn.open("rows");
      txn.put(dbi, "half", "done");
      writing.give();
      never.await();
      return 0;
    });
    Signal reading, over;
    writing.await();
    FirstProcess reader([&] {
      Environment environment(options());
      auto dbi = open_rows(environment);
      ReadTransaction txn(environment);
      reading.give();
      over.await();
      return txn.find(dbi, "half") ? 14 : 0;
    });
    reading.await();
    killed.end();
    FirstProcess next([&] {
      Environment environment(options());
      write(environment, 5000);
      return other_readers(environment) == 1 ? 0 : 12;
    });
    EXPECT_EQ(next.exit_status(), 0) << round;
    over.give();
    EXPECT_EQ(reader.exit_status(), 0) << round;
  }
}

}  // namespace
}  // namespace quire::lmdb
