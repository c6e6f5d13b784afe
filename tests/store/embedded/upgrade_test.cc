// Opening a store of format 2 with Access::write upgrades it, and keeps its contents.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <sstream>

#include "base/hash.h"
#include "loop/wait.h"
#include "model/document.h"
#include "store/embedded/find.h"
#include "store/embedded/fixture.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/backup.h"
#include "store/embedded/upkeep/compact.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

using Rows = std::vector<boost::json::value>;

Rows rows_of(Store& store) {
  Rows rows;
  auto view = store.view();
  auto found = wait(view->scan({}, 10'000)).value();
  for (const auto& entry : found.entries)
    rows.push_back(boost::json::parse(document_json(entry.document)));
  return rows;
}

Rows fixture_rows() {
  Rows rows;
  std::istringstream lines(export_of_format_2());
  for (std::string line; std::getline(lines, line);) rows.push_back(boost::json::parse(line));
  return rows;
}

std::size_t entries(const Databases& databases, MDB_dbi dbi) {
  lmdb::ReadTransaction txn(*databases.environment);
  MDB_stat stat{};
  lmdb::check("reading", mdb_stat(txn.get(), dbi, &stat));
  return stat.ms_entries;
}

class FromFormatTwo : public testing::Test {
 protected:
  FromFormatTwo() { put_format_2(directory_.path()); }
  std::string file() const { return directory_.path() + "/data.mdb"; }
  TemporaryDirectory directory_;
};

TEST_F(FromFormatTwo, AReaderNamesTheCommandThatUpgradesAndChangesNothing) {
  auto before = file_bytes(file());
  auto refused = LmdbStore::open(directory_.path(), Access::read);
  ASSERT_FALSE(refused);
  EXPECT_NE(
      refused.error().message.find("has format 2, this program reads format 3. To upgrade it, "
                                   "run quire compact --store lmdb:" +
                                   directory_.path()),
      std::string::npos)
      << refused.error().message;
  EXPECT_EQ(file_bytes(file()), before);
}

TEST_F(FromFormatTwo, TheUpgradedStoreHasTheSameContents) {
  std::vector<std::string> said;
  std::vector<double> parts;
  Upgrading upgrading{[&](const std::string& sentence) { said.push_back(sentence); },
                      [&](double part, std::uint64_t) { parts.push_back(part); }};
  auto store = LmdbStore::open(directory_.path(), Access::write, upgrading).value();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said.front().find("has format 2 and is being upgraded to format 3"), std::string::npos);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  auto verified = verify(store->databases());
  EXPECT_EQ(verified.differences, 0u) << verified.reports.front();
  EXPECT_EQ(verified.comments, 89u);
  EXPECT_EQ(rows_of(*store), fixture_rows());
  EXPECT_EQ(file_bytes(file()).find("\\u003c"), std::string::npos) << "documents are re-encoded";
  store.reset();
  said.clear();
  ASSERT_TRUE(LmdbStore::open(directory_.path(), Access::write, upgrading));
  EXPECT_TRUE(said.empty()) << "once";
}

RequestKey request(const std::string& key, const Comment& comment, std::uint64_t now) {
  auto half = [](const Digest& digest) {
    std::array<std::uint8_t, 16> out;
    std::copy_n(digest.begin(), out.size(), out.begin());
    return out;
  };
  return {half(sha256({comment.product, key})),
          half(sha256({comment.language, std::to_string(comment.rating), comment.author,
                       comment.title, comment.text, "now"})),
          now};
}

TEST_F(FromFormatTwo, RequestKeysGiveTheirFirstResponseUnlessTheirCommentIsDeleted) {
  auto store = LmdbStore::open(directory_.path(), Access::write).value();
  for (auto dbi : {store->databases().once.dbi, store->databases().once_by_id.dbi,
                   store->databases().once_by_time})
    EXPECT_EQ(entries(store->databases(), dbi), 1u);
  auto kept = Ulid::parse("01M80MMS6VTGD0FJ579YYJK2HE").value();
  auto view = store->view();
  Comment comment = decode_document(wait(view->get(kept)).value()).value();
  auto again = wait(store->insert(comment_at(kept.ms() + 1000, 1, "en", 5),
                                  request("kept", comment, kept.ms() + 1000)));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(decode_document(*again), comment);
  EXPECT_EQ(rows_of(*store).size(), 89u);
}

// One flipped bit turns format 3 into 2. The upgrade must not take checksums for parts of values.
TEST_F(FromFormatTwo, AStoreThatOnlyClaimsFormatTwoIsRefused) {
  { ASSERT_TRUE(LmdbStore::open(directory_.path(), Access::write)); }
  auto bytes = file_bytes(file()), now = format_row(3);
  std::size_t flipped = 0;
  for (auto at = bytes.find(now); at != bytes.npos; at = bytes.find(now, at + 1), ++flipped)
    bytes[at + now.size() - 1] = 2;
  ASSERT_GE(flipped, 1u);
  put_file(file(), bytes);
  auto refused = LmdbStore::open(directory_.path(), Access::write);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("is damaged: it is not of format 2"), std::string::npos);
  EXPECT_EQ(file_bytes(file()), bytes);
}

TEST_F(FromFormatTwo, TheFileOfAKilledUpgradeIsRemoved) {
  put_file(file() + ".new", std::string(100'000, 'x'));
  auto store = LmdbStore::open(directory_.path(), Access::write).value();
  EXPECT_FALSE(std::filesystem::exists(file() + ".new"));
  EXPECT_EQ(rows_of(*store), fixture_rows());
}

TEST(Compact, RemovesAllBytesOfDeletedComments) {
  TemporaryDirectory directory, elsewhere;
  const std::string secret = "a text that nobody may find again";
  Comment comment = comment_at(1000, 1, "en", 5);
  comment.text = secret + std::string(6000, '.') + secret;
  auto holds = [&](const std::string& where) {
    for (const auto& file : std::filesystem::directory_iterator(where)) {
      if (file.is_regular_file() && file_bytes(file.path()).find(secret) != std::string::npos)
        return true;
    }
    return false;
  };
  {
    auto store = LmdbStore::open(directory.path(), Access::write).value();
    RequestKey key{{1}, {2}, 5000};
    ASSERT_TRUE(wait(store->insert(comment, key)));
    Comment small = comment_at(1001, 2, "en", 4);
    small.text = secret;
    ASSERT_TRUE(wait(store->insert(small, {})));
    for (std::uint64_t i = 10; i < 200; ++i)
      ASSERT_TRUE(wait(store->insert(comment_at(1000 + i, i, "en", 3), {})));
    ASSERT_TRUE(wait(store->remove(comment.id)));
    ASSERT_TRUE(wait(store->remove(small.id)));
    EXPECT_EQ(entries(store->databases(), store->databases().once), 0u);
    EXPECT_EQ(entries(store->databases(), store->databases().once_by_time), 0u);
    // The request key of the deleted comment makes a new comment.
    Comment again = comment_at(2000, 3, "en", 5);
    EXPECT_EQ(decode_document(wait(store->insert(again, key)).value()), again);
    EXPECT_EQ(verify(store->databases()).differences, 0u);
    ASSERT_TRUE(holds(directory.path())) << "free pages keep old bytes until LMDB reuses them";
    ASSERT_TRUE(backup(store->databases(), directory.path(), elsewhere.path() + "/copy"));
    EXPECT_FALSE(holds(elsewhere.path() + "/copy"));
  }
  auto databases = open_databases(directory.path(), Access::write).value();
  ASSERT_TRUE(compact(*databases));
  databases.reset();
  EXPECT_FALSE(holds(directory.path()));
  auto store = LmdbStore::open(directory.path(), Access::write).value();
  auto verified = verify(store->databases());
  EXPECT_EQ(verified.differences, 0u);
  EXPECT_EQ(verified.comments, 191u);
  EXPECT_TRUE(wait(store->insert(comment_at(3000, 4, "en", 5), {})));
}

}  // namespace
}  // namespace quire::embedded
