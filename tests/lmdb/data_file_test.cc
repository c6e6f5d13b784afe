// Every page of an environment is whole and accounted for after any changes, and damaged pages are
// found.
#include "lmdb/data_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "base/rounds.h"
#include "lmdb/environment.h"
#include "lmdb/new_file.h"
#include "lmdb/numbers.h"
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

// Databases with several values of one size under a key: values that are alone, pages within
// entries, and trees.
class SeveralValuesTest : public DataFileTest {
 protected:
  static constexpr unsigned kind = MDB_DUPSORT | MDB_DUPFIXED;

  static std::string text(std::uint64_t number) {
    auto text = std::to_string(number * 0x9E3779B97F4A7C15 % 1'000'000'007);
    return std::string(16 - text.size(), '0') + text;
  }

  // Keys differ in how many values they have.
  void change(Environment& environment, int times) {
    WriteTransaction txn(environment);
    MDB_dbi dbi = txn.open("several", kind);
    std::optional<Cursor> cursor(std::in_place, txn.get(), dbi);
    for (int i = 0; i < times; ++i) {
      auto number = random_() % 40;
      auto key = "key " + std::to_string(number);
      auto value = text(random_() % (std::uint64_t{1} << number % 13));
      auto& values = model_[key];
      if (random_() % 3 == 0) {
        bool there = cursor->seek(key, value, MDB_GET_BOTH);
        EXPECT_EQ(there, values.erase(value) > 0);
        if (there) cursor->remove();
      } else {
        txn.put(dbi, key, value);
        values.insert(value);
      }
    }
    cursor.reset();  // a commit ends cursors
    txn.commit();
  }

  std::map<std::string, std::set<std::string>> read(const Transaction& txn, MDB_dbi dbi) const {
    std::map<std::string, std::set<std::string>> found;
    Cursor cursor(txn, dbi);
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT))
      found[std::string(cursor.key())].insert(std::string(cursor.value()));
    return found;
  }

  auto model() {
    std::erase_if(model_, [](const auto& entry) { return entry.second.empty(); });
    return model_;
  }

  std::map<std::string, std::set<std::string>> model_;
};

TEST_F(SeveralValuesTest, AreWholeAfterEachOfManyTransactions) {
  Environment environment({.directory = directory_.path()});
  for (int round = 0; round < 60; ++round) {
    change(environment, round % 7 == 0 ? 3000 : 20);
    DataFileTest::change(environment, 10);
    auto found = faults(environment);
    ASSERT_TRUE(found.empty()) << "round " << round << ": " << found.front();
  }
  ReadTransaction txn(environment);
  EXPECT_EQ(read(txn.get(), open_database(txn.get(), "several", 0)), model());
}

TEST_F(SeveralValuesTest, PagesOfValuesAreRead) {
  Environment environment({.directory = directory_.path()});
  change(environment, 20'000);
  ReadTransaction txn(environment);
  Cursor cursor(txn.get(), open_database(txn.get(), "several", 0));
  for (const auto& [key, values] : model()) {
    for (const auto& value : values) {
      ASSERT_TRUE(cursor.seek(key, value, MDB_GET_BOTH_RANGE));
      std::vector<std::string> page;
      const char* at = cursor.value().data();
      cursor.move(MDB_GET_MULTIPLE);
      auto bytes = cursor.value();
      ASSERT_TRUE(at >= bytes.data() && at + 16 <= bytes.data() + bytes.size());
      EXPECT_EQ(std::string_view(at, 16), value);
      if (!cursor.move(MDB_NEXT_MULTIPLE)) continue;
      EXPECT_GT(cursor.value().substr(0, 16), bytes.substr(bytes.size() - 16));
    }
  }
}

TEST_F(SeveralValuesTest, ACopyKeepsThem) {
  Environment environment({.directory = directory_.path()});
  change(environment, 20'000);
  auto path = directory_.path() + "/copy/data.mdb";
  std::filesystem::create_directory(directory_.path() + "/copy");
  {
    ReadTransaction txn(environment);
    NewFile copy(path);
    MDB_dbi dbi = open_database(txn.get(), "several", 0);
    Copying(txn.get(), 1, {}).copy(dbi, "several", copy, ValuesPerKey::several);
    copy.finish();
    copy.keep();
  }
  Environment copied({.directory = directory_.path() + "/copy"});
  ReadTransaction txn(copied);
  EXPECT_EQ(read(txn.get(), open_database(txn.get(), "several", 0)), model());
  DataFile file(path);
  EXPECT_TRUE(walk(file, state_of(file, txn.number()).value(), true).faults.empty());
}

// Flips bits of a file, and walks it.
class FlippedBitsTest : public SeveralValuesTest {
 protected:
  void fill() {
    {
      Environment environment({.directory = directory_.path()});
      change(environment, 20'000);
    }
    std::ifstream in(path(), std::ios::binary);
    bytes_ = {std::istreambuf_iterator<char>(in), {}};
    auto metas = DataFile(path()).metas();
    state_ = metas[metas[1].transaction > metas[0].transaction];
  }

  bool finds_flipped(std::size_t byte, int bit) {
    auto damaged = static_cast<char>(bytes_[byte] ^ 1 << bit);
    std::fstream(path(), std::ios::binary | std::ios::in | std::ios::out)
        .seekp(static_cast<std::streamoff>(byte))
        .put(damaged);
    DataFile file(path());
    bool found = !walk(file, state_, true).faults.empty();
    std::fstream(path(), std::ios::binary | std::ios::in | std::ios::out)
        .seekp(static_cast<std::streamoff>(byte))
        .put(bytes_[byte]);
    return found;
  }

  std::string bytes_;
  Meta state_;
};

TEST_F(FlippedBitsTest, InTheHeadOfAPageOfValuesAreFound) {
  fill();
  std::size_t pages = 0;
  for (std::size_t page = 2 * 4096; page < bytes_.size(); page += 4096) {
    if (load<std::uint16_t>(&bytes_[page + 10]) != (page_leaf | page_fixed)) continue;
    if (++pages % 4 != 1) continue;
    for (std::size_t i = 0; i < page_head; ++i) {
      for (int bit = 0; bit < 8; ++bit)
        ASSERT_TRUE(finds_flipped(page + i, bit)) << page << ", " << i << ", " << bit;
    }
  }
  EXPECT_GT(pages, 20u);
}

TEST_F(FlippedBitsTest, InAPageWithinAnEntryAreFound) {
  fill();
  std::size_t pages = 0;
  for (std::size_t at = 2 * 4096; at + page_head < bytes_.size(); at += 2) {
    if (load<std::uint16_t>(&bytes_[at + 8]) != 16 ||
        load<std::uint16_t>(&bytes_[at + 10]) !=
            (page_leaf | page_fixed | page_within | page_dirty))
      continue;
    if (!finds_flipped(at + 8, 0)) continue;  // in a page that is not in use
    ++pages;
    for (std::size_t i = 8; i < page_head; ++i) {  // the number of the page is not kept here
      for (int bit = 0; bit < 8; ++bit) {
        bool mark = i == 10 && 1 << bit == page_dirty;
        ASSERT_TRUE(mark || finds_flipped(at + i, bit)) << at << ", " << i << ", " << bit;
      }
    }
  }
  EXPECT_GT(pages, 5u);
}

TEST_F(FlippedBitsTest, AnywhereEndNoProgram) {
  fill();
  std::size_t found = 0;
  for (std::size_t i = 0; i < rounds(8000u); ++i)
    found += finds_flipped(random_() % bytes_.size(), static_cast<int>(random_() % 8));
  EXPECT_GT(found, 10u);
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
