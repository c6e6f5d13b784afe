// A store of format 4 is read and written as it is: its index keeps the smaller blocks it began
// with.
#include <gtest/gtest.h>

#include "bitmap_index/databases.h"
#include "loop/wait.h"
#include "store/embedded/fixture.h"
#include "store/embedded/store.h"
#include "store/embedded/upkeep/verify.h"
#include "store/support.h"

namespace quire::embedded {
namespace {

class FormerFormat : public testing::Test {
 protected:
  FormerFormat() { put_fixture(former_version, directory_.path()); }

  std::unique_ptr<LmdbStore> open(Access access) const {
    return LmdbStore::open(directory_.path(), access).value();
  }

  static std::string export_of(Store& store) {
    std::string lines;
    auto view = store.view();
    auto found = wait(view->scan({}, 10'000)).value();
    for (const auto& entry : found.entries)
      lines += std::string(document_json(entry.document)) + "\n";
    return lines;
  }

  static std::string format_of(LmdbStore& store) {
    lmdb::ReadTransaction txn(*store.databases().environment);
    return std::string(lmdb::find(txn.get(), store.databases().meta.dbi, "format").value());
  }

  TemporaryDirectory directory_;
};

void expect_sound(LmdbStore& store, std::size_t comments) {
  auto verified = verify(store.databases());
  EXPECT_EQ(verified.differences, 0u) << verified.reports.front();
  EXPECT_EQ(verified.comments, comments);
}

std::vector<Comment> new_comments(std::uint64_t from, std::uint64_t count) {
  std::vector<Comment> comments;
  for (std::uint64_t i = from; i < from + count; ++i)
    comments.push_back(comment_at(1'800'000'000'000 + i * 1000, 9, "en", 1 + i % 5, "42"));
  return comments;
}

TEST_F(FormerFormat, AReaderReadsIt) {
  auto before = file_bytes(directory_.path() + "/data.mdb");
  auto store = open(Access::read);
  EXPECT_EQ(store->databases().index.block_bits, 10);
  EXPECT_EQ(export_of(*store), fixture(former_version, "export.jsonl.gz"));
  expect_sound(*store, 1755);
  store.reset();
  EXPECT_EQ(file_bytes(directory_.path() + "/data.mdb"), before);
}

TEST_F(FormerFormat, AWriterKeepsItsBlocksAndItsFormat) {
  auto store = open(Access::write);
  ASSERT_TRUE(wait(store->insert_many(new_comments(0, 3000))));
  for (const auto& comment : new_comments(10'000, 50)) {
    ASSERT_TRUE(wait(store->insert(comment, {})));
    ASSERT_TRUE(wait(store->update(comment.id, {.rating = 2})));
  }
  expect_sound(*store, 1755 + 3000 + 50);
  store = nullptr;
  store = open(Access::write);
  EXPECT_EQ(store->databases().index.block_bits, 10);
  EXPECT_EQ(format_of(*store), format_row(former_version));
  ASSERT_TRUE(wait(store->insert_many(new_comments(3000, 1000))));
  expect_sound(*store, 1755 + 3000 + 50 + 1000);
}

TEST_F(FormerFormat, ARepairKeepsItsBlocks) {
  auto store = open(Access::write);
  EXPECT_EQ(wait(store->rebuild()).value().comments, 1755u);
  store = nullptr;
  store = open(Access::write);
  EXPECT_EQ(store->databases().index.block_bits, 10);
  expect_sound(*store, 1755);
}

// So the tests above would see that a program takes its blocks for longer ones.
TEST_F(FormerFormat, VerifyFindsBlocksOfAnotherSize) {
  {
    auto store = open(Access::write);
    const auto& databases = store->databases();
    auto index = databases.index;
    index.block_bits = 11;
    lmdb::WriteTransaction txn(*databases.environment);
    txn.put(databases.meta, "hash_key", bitmap_index::encode_hash_key(index));
    txn.commit();
  }
  auto store = open(Access::write);
  EXPECT_EQ(store->databases().index.block_bits, 11);
  EXPECT_GT(verify(store->databases()).differences, 0u);
}

}  // namespace
}  // namespace quire::embedded
