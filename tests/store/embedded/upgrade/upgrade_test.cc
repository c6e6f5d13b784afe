// Opening a store of an earlier format with Access::write upgrades it, and keeps its contents.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <sstream>

#include "base/hash.h"
#include "loop/wait.h"
#include "model/document.h"
#include "store/embedded/fixture.h"
#include "store/embedded/store.h"
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

Rows fixture_rows(int format) {
  Rows rows;
  std::istringstream lines(fixture(format, "export.jsonl.gz"));
  for (std::string line; std::getline(lines, line);) rows.push_back(boost::json::parse(line));
  return rows;
}

std::size_t entries(const Databases& databases, MDB_dbi dbi) {
  lmdb::ReadTransaction txn(*databases.environment);
  MDB_stat stat{};
  lmdb::check("reading", mdb_stat(txn.get(), dbi, &stat));
  return stat.ms_entries;
}

class FromFormat : public testing::TestWithParam<int> {
 protected:
  FromFormat() { put_fixture(format(), directory_.path()); }
  int format() const { return GetParam(); }
  std::string file() const { return directory_.path() + "/data.mdb"; }
  TemporaryDirectory directory_;
};

INSTANTIATE_TEST_SUITE_P(All, FromFormat, testing::Values(2, 3),
                         [](const auto& format) { return std::to_string(format.param); });

TEST_P(FromFormat, AReaderNamesTheCommandThatUpgradesAndChangesNothing) {
  auto before = file_bytes(file());
  auto refused = LmdbStore::open(directory_.path(), Access::read);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("has format " + std::to_string(format()) +
                                         ", this program reads format 5. To upgrade it, "
                                         "run quire compact --store lmdb:" +
                                         directory_.path()),
            std::string::npos)
      << refused.error().message;
  EXPECT_EQ(file_bytes(file()), before);
}

TEST_P(FromFormat, TheUpgradedStoreHasTheSameContents) {
  std::vector<std::string> said;
  std::vector<double> parts;
  Upgrading upgrading{[&](const std::string& sentence) { said.push_back(sentence); },
                      [&](double part, std::uint64_t) { parts.push_back(part); }};
  auto store = LmdbStore::open(directory_.path(), Access::write, upgrading).value();
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said.front().find("has format " + std::to_string(format()) +
                              " and is being upgraded to format 5"),
            std::string::npos);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_EQ(parts.empty(), format() == 2) << "a thousand entries are too few to tell of";
  auto verified = verify(store->databases());
  EXPECT_EQ(verified.differences, 0u) << verified.reports.front();
  EXPECT_EQ(verified.comments, fixture_rows(format()).size());
  EXPECT_EQ(rows_of(*store), fixture_rows(format()));
  EXPECT_EQ(file_bytes(file()).find("\\u003c"), std::string::npos) << "documents are re-encoded";
  store.reset();
  said.clear();
  ASSERT_TRUE(LmdbStore::open(directory_.path(), Access::write, upgrading));
  EXPECT_TRUE(said.empty()) << "once";
}

// What an upgrade writes is what the comments written anew give.
TEST_P(FromFormat, TheUpgradedStoreCountsAsOneThatIsFilledAnew) {
  TemporaryDirectory elsewhere;
  auto upgraded = LmdbStore::open(directory_.path(), Access::write).value();
  auto anew = LmdbStore::open(elsewhere.path(), Access::write).value();
  auto view = upgraded->view();
  std::vector<Comment> comments;
  auto slice = wait(view->scan({}, 10'000)).value();
  for (const auto& entry : slice.entries)
    comments.push_back(decode_document(entry.document).value());
  ASSERT_TRUE(wait(anew->insert_many(comments)));
  auto other = anew->view();
  auto products = wait(view->products("", 100)).value();
  EXPECT_GT(products.size(), 1u);
  for (const auto& [name, total, ratings] : products) {
    auto mine = wait(view->counts(name)).value(), theirs = wait(other->counts(name)).value();
    EXPECT_EQ(mine.total(), total);
    for (const auto& row : mine.rows()) EXPECT_EQ(theirs.length(row.cell), row.comments) << name;
    EXPECT_EQ(mine.rows().size(), theirs.rows().size()) << name;
  }
  for (auto by : {Leaders::five_star, Leaders::average}) {
    for (FacetValue language : {any, cell("en", 1)[0], cell("de", 1)[0], cell("fra", 1)[0]}) {
      auto mine = wait(view->leaders(by, language, 100)).value();
      auto theirs = wait(other->leaders(by, language, 100)).value();
      ASSERT_EQ(mine.size(), theirs.size());
      for (std::size_t i = 0; i < mine.size(); ++i) {
        EXPECT_EQ(mine[i].product, theirs[i].product);
        EXPECT_EQ(mine[i].ratings, theirs[i].ratings);
      }
    }
  }
}

TEST_P(FromFormat, TheUpgradedStoreTakesWrites) {
  auto store = LmdbStore::open(directory_.path(), Access::write).value();
  auto rows = rows_of(*store).size();
  Comment comment = comment_at(1000, 1, "zh-Hant", 5, "a new product");
  ASSERT_TRUE(wait(store->insert(comment, {})));
  ASSERT_TRUE(wait(store->insert(comment_at(1000, 2, "en", 5, "42"), {})));
  ASSERT_TRUE(wait(store->update(comment.id, {.rating = 2})));
  auto verified = verify(store->databases());
  EXPECT_EQ(verified.differences, 0u) << verified.reports.front();
  EXPECT_EQ(verified.comments, rows + 2);
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

TEST_P(FromFormat, RequestKeysGiveTheirFirstResponseUnlessTheirCommentIsDeleted) {
  auto store = LmdbStore::open(directory_.path(), Access::write).value();
  for (auto dbi : {store->databases().once.dbi, store->databases().once_by_id.dbi,
                   store->databases().once_by_time})
    EXPECT_EQ(entries(store->databases(), dbi), format() == 2 ? 1u : 2u);
  const char* id = format() == 2 ? "01M80MMS6VTGD0FJ579YYJK2HE" : "01M81CPKK0STEGKDFV098VTP09";
  // Programs of format 3 join the key with the hash of the token that sent it.
  std::string key = format() == 2
                        ? "kept"
                        : "kept\n3c06f34d152119d5d8c0c828bea8fd87333af45647560ef61e6afa918535646c";
  auto kept = Ulid::parse(id).value();
  auto view = store->view();
  auto rows = rows_of(*store).size();
  Comment comment = decode_document(wait(view->get(kept)).value()).value();
  auto again = wait(store->insert(comment_at(kept.ms() + 1000, 1, "en", 5),
                                  request(key, comment, kept.ms() + 1000)));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(decode_document(*again), comment);
  EXPECT_EQ(rows_of(*store).size(), rows);
}

// One flipped bit turns format 3 into 2, and 2 into 3.
TEST_P(FromFormat, AStoreThatOnlyClaimsAFormatIsRefused) {
  auto other = static_cast<std::uint32_t>(5 - format());
  auto bytes = file_bytes(file()), now = format_row(static_cast<std::uint32_t>(format()));
  std::size_t flipped = 0;
  for (auto at = bytes.find(now); at != bytes.npos; at = bytes.find(now, at + 1), ++flipped)
    bytes[at + now.size() - 1] = static_cast<char>(other);
  ASSERT_GE(flipped, 1u);
  put_file(file(), bytes);
  auto refused = LmdbStore::open(directory_.path(), Access::write);
  ASSERT_FALSE(refused);
  EXPECT_NE(
      refused.error().message.find("is damaged: it is not of format " + std::to_string(other)),
      std::string::npos)
      << refused.error().message;
  EXPECT_EQ(file_bytes(file()), bytes);
}

TEST_P(FromFormat, TheFileOfAKilledUpgradeIsRemoved) {
  put_file(file() + ".new", std::string(100'000, 'x'));
  auto store = LmdbStore::open(directory_.path(), Access::write).value();
  EXPECT_FALSE(std::filesystem::exists(file() + ".new"));
  EXPECT_EQ(rows_of(*store), fixture_rows(format()));
}

// What cannot be read stays as it is: quire verify --repair sets it aside.
TEST_P(FromFormat, DamagedRowsStayDamaged) {
  std::string bytes = file_bytes(file());
  std::size_t damaged = 0;
  for (const char* text : {"edited 4", "request kept"}) {
    for (auto at = bytes.find(text); at != bytes.npos; at = bytes.find(text, at + 1), ++damaged)
      bytes[at] ^= 1;
  }
  if (format() == 2) return;  // without checksums nobody can tell
  ASSERT_GE(damaged, 3u);
  put_file(file(), bytes);
  auto store = LmdbStore::open(directory_.path(), Access::write).value();
  EXPECT_GT(verify(store->databases()).differences, 0u);
  auto rebuilt = wait(store->rebuild()).value();
  EXPECT_GE(rebuilt.set_aside.size(), 2u);
  EXPECT_EQ(rebuilt.set_aside.size() + rebuilt.comments, fixture_rows(3).size());
  EXPECT_EQ(verify(store->databases()).differences, 0u);
}

}  // namespace
}  // namespace quire::embedded
