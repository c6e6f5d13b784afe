// Compacting leaves no byte of deleted comments.
#include "store/embedded/upkeep/backup.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bytes.h"
#include "loop/loop.h"
#include "model/document.h"
#include "process.h"
#include "store/embedded/facets.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

std::size_t entries(const Databases& databases, MDB_dbi dbi) {
  lmdb::ReadTransaction txn(*databases.environment);
  MDB_stat stat{};
  lmdb::check("reading", mdb_stat(txn.get(), dbi, &stat));
  return stat.ms_entries;
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
    ASSERT_TRUE(wait(store->facets()->declare({.name = "size", .type = FacetType::choice})));
    RequestKey key{{1}, {2}, 5000};
    ASSERT_TRUE(wait(store->insert(comment, key)));
    Comment small = comment_at(1001, 2, "en", 4);
    small.text = secret;
    small.attributes = {{"size", secret}};
    ASSERT_TRUE(wait(store->insert(small, {})));
    for (std::uint64_t i = 10; i < 200; ++i) {
      auto other = comment_at(1000 + i, i, "en", 3);
      other.attributes = {{"size", "size " + std::to_string(i % 7)}};
      ASSERT_TRUE(wait(store->insert(other, {})));
    }
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

// Another process declares a facet while the store is copied, which is then not replaced.
TEST(Compact, KeepsAFacetThatIsDeclaredMeanwhile) {
  TemporaryDirectory directory;
  auto declare = [&](double, std::uint64_t) {
    Process other([&] {
      return declare_beside(directory.path(), {"size", FacetType::choice}) ? 0 : 1;
    });
    EXPECT_EQ(other.exit_status(), 0);
  };
  std::unique_ptr<Databases> databases;
  auto open = [&] {
    databases.reset();  // its lock, too
    databases = open_databases(directory.path(), Access::write).value();
  };
  std::vector<Comment> comments;
  for (std::uint64_t i = 0; i < 400; ++i) comments.push_back(comment_at(1000 + i, i, "en", 3));
  ASSERT_TRUE(
      wait(LmdbStore::open(directory.path(), Access::write).value()->insert_many(comments)));

  open();
  auto compacted = compact(*databases, declare);
  ASSERT_FALSE(compacted);
  EXPECT_NE(compacted.error().message.find("changed while it was copied"), std::string::npos);
  open();
  EXPECT_TRUE(compact(*databases));
  open();
  lmdb::ReadTransaction txn(*databases->environment);
  EXPECT_TRUE(read_schema(txn.get(), *databases).schema.find("size"));
}

}  // namespace
}  // namespace quire::embedded
