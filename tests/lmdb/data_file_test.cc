// Every page of an environment is whole and accounted for after any changes, and damaged pages are
// found.
#include "lmdb/data_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>

#include "lmdb/environment.h"
#include "temporary_directory.h"

namespace quire::lmdb {
namespace {

class DataFileTest : public testing::Test {
 protected:
  std::string path() const { return directory_.path() + "/data.mdb"; }

  std::vector<std::string> faults(Environment& environment) {
    ReadTransaction txn(environment);
    DataFile file(path());
    return walk(file, state_of(file, txn.number()).value(), true).faults;
  }

  // Inserts, changes and removes entries, long values too.
  void change(Environment& environment, int times) {
    WriteTransaction txn(environment);
    for (auto name : {"one", "two", "three"}) {
      MDB_dbi dbi = txn.open(name);
      for (int i = 0; i < times; ++i) {
        std::string key = std::to_string(random_() % 3000);
        if (random_() % 3 == 0) txn.remove(dbi, key);
        if (random_() % 3 != 0)
          txn.put(dbi, key, std::string(random_() % (i % 50 ? 200 : 20'000), 'v'));
      }
    }
    txn.commit();
  }

  TemporaryDirectory directory_;
  std::mt19937_64 random_{20240607};
};

TEST_F(DataFileTest, IsWholeAfterEachOfManyTransactions) {
  Environment environment({.directory = directory_.path()});
  for (int round = 0; round < 60; ++round) {
    change(environment, round % 7 == 0 ? 2000 : 10);
    auto found = faults(environment);
    ASSERT_TRUE(found.empty()) << "round " << round << ": " << found.front();
    if (round % 10 == 3) {
      WriteTransaction txn(environment);
      txn.clear(txn.open("two"));
      txn.commit();
    }
    if (round % 10 == 5) {
      WriteTransaction given_up(environment);
      given_up.put(given_up.open("one"), "key", std::string(100'000, 'x'));
    }
  }
}

TEST_F(DataFileTest, AnOldPageInPlaceOfANewOneIsFound) {
  Environment environment({.directory = directory_.path()});
  for (int round = 0; round < 5; ++round) change(environment, 300);
  DataFile file(path());
  auto metas = file.metas();
  auto& newest = metas[metas[1].transaction > metas[0].transaction];
  auto& before = metas[metas[1].transaction <= metas[0].transaction];
  Meta mixed = newest;
  mixed.main = before.main;
  EXPECT_TRUE(walk(file, newest, true).faults.empty());
  EXPECT_FALSE(walk(file, mixed, true).faults.empty());
  mixed = before;
  mixed.transaction += 2;  // an old state that claims to be the newest
  EXPECT_FALSE(walk(file, mixed, true).faults.empty());
}

TEST_F(DataFileTest, AnEnvironmentWithContradictingMetaPagesIsRefused) {
  {
    Environment environment({.directory = directory_.path()});
    for (int round = 0; round < 5; ++round) change(environment, 30);
  }
  std::ifstream in(path(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t at : {144u, 4096u + 144u}) {
    for (int bit = 0; bit < 64; ++bit) {
      auto damaged = bytes;
      damaged[at + static_cast<std::size_t>(bit / 8)] ^= static_cast<char>(1 << bit % 8);
      std::ofstream(path(), std::ios::binary) << damaged;
      EXPECT_THROW(Environment({.directory = directory_.path(), .read_only = true}), Damaged)
          << at << ": " << bit;
    }
  }
}

}  // namespace
}  // namespace quire::lmdb
