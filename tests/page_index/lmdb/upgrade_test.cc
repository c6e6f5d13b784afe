// An index of format 1, as the program of that format made it, is upgraded when it is opened to
// write, and keeps its contents. One of format 2 stays as it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "gunzip.h"
#include "lmdb/numbers.h"
#include "page_index/index_compare.h"
#include "page_index/lmdb/from_1.h"
#include "page_index/lmdb/index.h"
#include "page_index/lmdb/process.h"
#include "page_index/lmdb/rows.h"

namespace quire::page_index {
namespace {

// The comments of the fixture: product, id, language and rating, a line each.
PlainIndex fixture_comments() {
  PlainIndex plain;
  std::ifstream lines(QUIRE_PAGES_FIXTURES "/format-1/comments.tsv");
  for (std::string product, id, language, rating; std::getline(lines, product, '\t');) {
    std::getline(lines, id, '\t');
    std::getline(lines, language, '\t');
    std::getline(lines, rating);
    plain.products[product][Ulid::parse(id).value()] = cell(language, std::stoi(rating));
  }
  return plain;
}

State fixture_state() {
  return {Phase::following,
          "01JD4Q4Z7VTSV4RRFFQ69G5FAV",
          "arn:aws:dynamodb:eu-west-1:1:table/comments/stream/2026-11-22T08:00:00.000",
          {{"shardId-00000001790000000000-aaaa", {"100000000000000000001", true, 1795000000000}},
           {"shardId-00000001790000000001-bbbb", {"100000000000000000100", false, 1795000100000}}}};
}

class FromFormatOne : public testing::Test {
 protected:
  std::string file() const { return directory_.path() + "/data.mdb"; }
  void put_fixture() {
    std::ofstream(file(), std::ios::binary) << gunzip(QUIRE_PAGES_FIXTURES "/format-1/data.mdb.gz");
  }
  TemporaryDirectory directory_;
};

TEST_F(FromFormatOne, TheUpgradedIndexHasTheSameContents) {
  put_fixture();
  std::vector<std::string> said;
  std::vector<double> parts;
  Upgrading upgrading{[&](const std::string& sentence) { said.push_back(sentence); },
                      [&](double part, std::uint64_t) { parts.push_back(part); }};
  auto index = LmdbIndex::open(directory_.path(), Access::write, upgrading);
  ASSERT_TRUE(index) << index.error().message;
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("has format 1 and is being upgraded to format 3"), std::string::npos);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_EQ(wait((*index)->state()).value(), fixture_state());
  auto plain = fixture_comments();
  std::mt19937_64 random(1);
  expect_same(**index, plain, random);
  ASSERT_TRUE(wait((*index)->put({plain.wander(random, "42"), plain.wander(random, "new")})));
  expect_same(**index, plain, random);
  index->reset();
  ASSERT_TRUE(LmdbIndex::open(directory_.path(), Access::write, upgrading));
  EXPECT_EQ(said.size(), 1u) << "once";
}

TEST_F(FromFormatOne, AReaderWaitsForTheUpgradeAndChangesNothing) {
  put_fixture();
  auto reader = LmdbIndex::open(directory_.path(), Access::read).value();
  auto refused = wait(reader->state());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_NE(refused.error().message.find("has format 1, this program reads format 3. quire project "
                                         "upgrades it when it starts."),
            std::string::npos)
      << refused.error().message;
  Process upgrade([&] { return LmdbIndex::open(directory_.path(), Access::write) ? 0 : 1; });
  ASSERT_EQ(upgrade.exit_status(), 0);
  EXPECT_EQ(wait(reader->state()).value(), fixture_state());
}

// A row of format 1, as that program wrote it.
std::string old_entry(std::uint32_t list, const Ulid& id) {
  std::string key(5, '\0');
  lmdb::put_u32(key.data(), list);
  return key + std::string(id.view());
}

// An index of format 1 with so many comments of three products. The levels above the lists are
// left out, because the upgrade does not read them.
PlainIndex make_old_index(const std::string& directory, std::uint64_t comments) {
  PlainIndex plain;
  lmdb::Environment environment({.directory = directory});
  lmdb::WriteTransaction txn(environment);
  auto meta = txn.open("meta"), products = txn.open("products"), lists = txn.open("lists");
  txn.open("marks");
  txn.put(meta, "format", format_row(1));
  txn.put(meta, "next_block", encode_number(100));
  txn.put(meta, "phase", encode_phase(Phase::following));
  txn.put(meta, "epoch", "e");
  txn.put(meta, "stream", "arn");
  for (std::uint32_t product = 0; product < 3; ++product) {
    auto block = product * 4;
    // German and English: the letters behind a zero.
    txn.put(products, std::to_string(product),
            encode_number(block) + encode_number(0x00646500) + encode_number(block + 1) +
                encode_number(0x00656e00) + encode_number(block + 2));
  }
  for (std::uint64_t i = 0; i < comments; ++i) {
    auto product = static_cast<std::uint32_t>(i % 16 == 0 ? 0 : i % 16 == 1 ? 1 : 2);
    bool german = i % 3 == 0;
    auto rating = static_cast<std::uint32_t>(i % 5) + 1;
    Ulid id = Ulid::make(1'700'000'000'000 + i / 3, {static_cast<std::uint8_t>(i % 3)});
    txn.put(lists, old_entry((product * 4 + (german ? 1 : 2)) << 3 | rating, id), {});
    plain.products[std::to_string(product)][id] =
        cell(german ? "de" : "en", static_cast<int>(rating));
  }
  txn.commit();
  return plain;
}

void expect_upgraded(const std::string& directory, const PlainIndex& plain) {
  auto index = LmdbIndex::open(directory, Access::write);
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(wait((*index)->state())->epoch, "e");
  EXPECT_EQ(wait((*index)->products("", 10)).value(), plain.names());
  for (const auto& [product, comments] : plain.products) {
    std::vector<IndexedComment> wanted;
    for (const auto& [id, cell] : comments) {
      wanted.push_back({id,
                        {{language_number, list_facets[language_facet].text(cell[language_facet])},
                         {rating_number, static_cast<std::int64_t>(cell[rating_facet])}}});
    }
    auto view = (*index)->facet_view().value();
    EXPECT_TRUE(wait(view->comments(product, {}, 1'000'000)).value() == wanted) << product;
  }
}

// Killed after any number of transactions, it goes on where it was.
TEST_F(FromFormatOne, AKilledUpgradeGoesOn) {
  auto plain = make_old_index(directory_.path(), 70'000);
  for (int killed = 0; killed < 3; ++killed) {
    Process upgrade([&] {
      lmdb::Environment environment({.directory = directory_.path()});
      int transactions = 0;
      upgrade_from_1(environment, [&](double, std::uint64_t) {
        if (++transactions == 1) _exit(7);
      });
      return 0;
    });
    ASSERT_EQ(upgrade.exit_status(), 7);
  }
  expect_upgraded(directory_.path(), plain);
}

TEST_F(FromFormatOne, TwoProcessesUpgradeTogether) {
  auto plain = make_old_index(directory_.path(), 70'000);
  auto work = [&] { return LmdbIndex::open(directory_.path(), Access::write) ? 0 : 1; };
  Process first(work), second(work);
  EXPECT_EQ(first.exit_status(), 0);
  EXPECT_EQ(second.exit_status(), 0);
  expect_upgraded(directory_.path(), plain);
}

// A program of format 1 that has the index open cannot apply a step meanwhile or later: the row of
// the epoch, which it compares, is gone. Only a new build puts it there, and begins all anew.
TEST_F(FromFormatOne, ABuildByAProgramOfFormatOneBeginsTheUpgradeAnew) {
  make_old_index(directory_.path(), 70'000);
  Process upgrade([&] {
    lmdb::Environment environment({.directory = directory_.path()});
    upgrade_from_1(environment, [](double, std::uint64_t) { _exit(7); });
    return 0;
  });
  ASSERT_EQ(upgrade.exit_status(), 7);
  {
    lmdb::Environment environment({.directory = directory_.path()});
    lmdb::WriteTransaction txn(environment);
    auto meta = txn.open("meta"), products = txn.open("products"), lists = txn.open("lists");
    EXPECT_FALSE(txn.find(meta, "epoch"));
    txn.clear(products);
    txn.clear(lists);
    txn.put(meta, "epoch", "e");
    txn.put(products, "1", encode_number(0) + encode_number(0x00646500) + encode_number(1));
    txn.put(lists, old_entry(1 << 3 | 4, Ulid::make(5, {})), {});
    txn.commit();
  }
  PlainIndex plain;
  plain.products["1"][Ulid::make(5, {})] = cell("de", 4);
  expect_upgraded(directory_.path(), plain);
}

TEST_F(FromFormatOne, DamageIsAnErrorAndChangesNothing) {
  make_old_index(directory_.path(), 100);
  write_row(directory_.path(), "products", "1", "short");
  auto refused = LmdbIndex::open(directory_.path(), Access::write);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("is damaged"), std::string::npos);
}

// The comments of the fixture of format 2: as above, with votes.
std::vector<IndexedComment> comments_of_format_two(FacetNumber votes) {
  std::vector<IndexedComment> comments;
  std::ifstream lines(QUIRE_PAGES_FIXTURES "/format-2/comments.tsv");
  for (std::string line; std::getline(lines, line);) {
    std::istringstream row(line);
    std::string product, id, language;
    std::int64_t rating = 0, helpful = 0;
    row >> product >> id >> language >> rating >> helpful;
    comments.push_back({Ulid::parse(id).value(),
                        {{language_number, language}, {rating_number, rating}, {votes, helpful}}});
  }
  return comments;
}

// Format 2 is read and written as it is: its blocks stay as small as they are.
TEST_F(FromFormatOne, FormatTwoStaysAsItIs) {
  std::ofstream(file(), std::ios::binary) << gunzip(QUIRE_PAGES_FIXTURES "/format-2/data.mdb.gz");
  auto reader = LmdbIndex::open(directory_.path(), Access::read).value();
  auto schema = wait(reader->state())->schema;
  auto wanted = comments_of_format_two(schema.find("helpful")->number);
  ASSERT_EQ(wanted.size(), 1500u);
  auto held = [&](LmdbIndex& index) {
    auto view = index.facet_view().value();
    EXPECT_EQ(wait(view->flaws("42")).value(), std::vector<std::string>());
    return wait(view->comments("42", {}, 1'000'000)).value();
  };
  EXPECT_TRUE(held(*reader) == wanted);
  Upgrading upgrading{[](const std::string& sentence) { ADD_FAILURE() << sentence; }, {}};
  auto index = LmdbIndex::open(directory_.path(), Access::write, upgrading).value();
  std::vector<change::Change> changes;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    auto id = Ulid::make(1'800'000'000'000 + i, {});
    changes.push_back({"42", id, {}, cell("de", 4)});
    wanted.push_back({id, {{language_number, "de"}, {rating_number, std::int64_t{4}}}});
  }
  ASSERT_TRUE(wait(index->put(changes)));
  EXPECT_TRUE(held(*index) == wanted);
  EXPECT_TRUE(held(*reader) == wanted);
}

}  // namespace
}  // namespace quire::page_index
