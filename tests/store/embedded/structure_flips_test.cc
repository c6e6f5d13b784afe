// Flips bits of the structure of pages: their heads, the offsets of their nodes and the heads of
// nodes. Exports, copies, pages and writes then end with the right data, an error, or damage that
// is counted; never by a signal, nor without end.
#include "store/embedded/structure_flips.h"

#include <gtest/gtest.h>

namespace quire::embedded {
namespace {

TEST_F(StructureFlips, EndReadingWithTheRightDataOrAnError) {
  auto bits = some(2500);
  RecordProperty("bits", static_cast<int>(places().size()));
  try_all(std::move(bits), [&](std::size_t bit) { return reading(bit); });
}

// The flags of a database are 16 bits of its record, behind the first 32.
TEST_F(StructureFlips, OfADatabasesFlagsLoseNothingUnnoticed) {
  std::vector<std::size_t> bits;
  for (const auto& database : nodes(newest().main.root)) {
    auto record = static_cast<std::size_t>(database.value.data() - bytes_.data()) * 8;
    for (std::size_t bit = record + 32; bit < record + 48; ++bit) bits.push_back(bit);
  }
  ASSERT_GT(bits.size(), 100u);
  std::shuffle(bits.begin(), bits.end(), std::mt19937_64(20240609));
  bits.resize(std::min(bits.size(), rounds<std::size_t>(400)));
  try_all(std::move(bits), [&](std::size_t bit) { return reading(bit); });
}

TEST_F(StructureFlips, OfAProductsNameAreNotTakenForItsAbsence) {
  std::vector<std::size_t> bits;
  for (std::size_t page = 2; page < bytes_.size() / page_size; ++page) {
    std::string_view bytes(&bytes_[page * page_size], page_size);
    if (lmdb::load<std::uint16_t>(&bytes[10]) != lmdb::page_leaf) continue;
    for (const auto& node : lmdb::nodes_of(bytes, page)) {
      auto at = static_cast<std::size_t>(node.key.data() - bytes_.data()) * 8;
      for (std::size_t bit = at; node.key == "42" && bit < at + 16; ++bit) bits.push_back(bit);
    }
  }
  ASSERT_FALSE(bits.empty());
  try_all(std::move(bits), [&](std::size_t bit) { return reading(bit); });
}

// A pointer of a branch leads to the leaf behind, which is known to be whole.
TEST_F(StructureFlips, OfAPointerRefuseEachWriteThatFollowsIt) {
  auto ms_of = [](std::string_view key) {
    Ulid id;
    std::copy_n(key.begin() + 4, Ulid::size, id.bytes.begin());
    return id.ms();
  };
  {
    // Where values have pages of their own, the writer looks for the key in the leaf.
    auto store = LmdbStore::open(directory_.path(), Access::write).value();
    for (std::uint64_t i = 7; i < 700; i += 100)
      ASSERT_TRUE(wait(store->remove(id_at(1000 + i, i))));
    wanted_ = export_of(*store).lines;
  }
  bytes_ = file_bytes(file());
  int tried = 0;
  for (std::size_t page = 2; page < bytes_.size() / page_size; ++page) {
    std::string_view bytes(&bytes_[page * page_size], page_size);
    if (lmdb::load<std::uint16_t>(&bytes[10]) != lmdb::page_branch) continue;
    auto nodes = lmdb::nodes_of(bytes, page);
    if (nodes.size() < 4 || nodes[3].key.size() != 20 || nodes[3].key[3] != 1) continue;
    auto place = [&](const lmdb::Node& node) {
      return static_cast<std::size_t>(node.key.data() - bytes_.data()) - lmdb::node_head;
    };
    auto damaged = bytes_;
    damaged.replace(place(nodes[2]), 6, bytes_, place(nodes[3]), 6);
    put_file(file(), damaged);
    auto store = LmdbStore::open(directory_.path(), Access::write).value();
    auto found = export_of(*store).lines.size();
    if (found == wanted_.size()) continue;  // the page is free
    ++tried;
    // The leaf behind is visited first, then by the wrong pointer, twice.
    EXPECT_TRUE(wait(store->insert(comment_at(ms_of(nodes[3].key) + 1, 900, "en", 4), {})));
    for (std::uint64_t i : {1, 2})
      EXPECT_FALSE(wait(store->insert(comment_at(ms_of(nodes[2].key) + 1, 900 + i, "en", 4), {})));
    EXPECT_EQ(export_of(*store).lines.size(), found + 1);
  }
  EXPECT_GT(tried, 0);
}

// Several writes lose no comment that was there, and none that was acknowledged.
TEST_F(StructureFlips, EndWritingWithoutASignalOrALoss) {
  try_all(some(400), [&](std::size_t bit) { return writing(bit); });
}

// Keys and pointers of branches, roots of databases, and numbers of the list of free pages that
// become numbers of pages in use. Pages without keys are left out: only a walk through all trees
// would find that they are in use.
TEST_F(StructureFlips, OfNumbersOfPagesLoseNothingByWrites) {
  std::vector<std::size_t> bits;
  auto add = [&](const char* byte) {
    for (std::size_t bit = 0; bit < 8; ++bit)
      bits.push_back(static_cast<std::size_t>(byte - bytes_.data()) * 8 + bit);
  };
  for (const auto& node : nodes(newest().free.root)) {
    for (std::size_t at = sizeof(lmdb::PageNumber); at < node.value.size(); at += 8) {
      auto number = lmdb::load<lmdb::PageNumber>(&node.value[at]);
      for (std::size_t bit = 0; bit < 8 && number < bytes_.size() / page_size; ++bit) {
        auto page = number ^ 1u << bit;
        auto flags = page < bytes_.size() / page_size ? bytes_[page * page_size + 10] : 0;
        bool has_keys = (flags == lmdb::page_leaf || flags == lmdb::page_branch) &&
                        lmdb::load<lmdb::PageNumber>(&bytes_[page * page_size]) == page;
        auto place = static_cast<std::size_t>(&node.value[at] - bytes_.data());
        if (has_keys) bits.push_back(place * 8 + bit);
      }
    }
  }
  for (const auto& database : nodes(newest().main.root)) {
    auto tree = lmdb::read_tree(database.value.data());
    add(&database.value[40]);
    if (tree.depth < 2) continue;
    for (const auto& node : nodes(tree.root)) {
      add(node.key.data() - lmdb::node_head);
      if (node.key.size() == 20) add(&node.key[2]), add(&node.key[3]);
    }
  }
  std::shuffle(bits.begin(), bits.end(), std::mt19937_64(20240608));
  ASSERT_GT(bits.size(), 300u);
  bits.resize(std::min(bits.size(), rounds<std::size_t>(300)));
  try_all(std::move(bits), [&](std::size_t bit) { return writing(bit); });
}

TEST_F(StructureFlips, OfAnEntryCostACopyThatEntryAlone) {
  for (const auto& database : nodes(newest().main.root)) {
    if (database.key != "comments") continue;
    auto branch = nodes(lmdb::read_tree(database.value.data()).root);
    auto leaf = nodes(branch[5].child);
    auto offset = branch[5].child * page_size + lmdb::page_head + 2 * (leaf.size() - 1);
    auto number = static_cast<std::size_t>(&leaf.back().key[3] - bytes_.data());
    for (std::size_t bit : {offset * 8 + 1, number * 8 + 7}) {
      flip(bit);
      auto store = LmdbStore::open(directory_.path(), Access::read).value();
      lmdb::ReadTransaction txn(*store->databases().environment);
      lmdb::NewFile copy(directory_.path() + "/copy");
      EXPECT_LE(copy_all(store->databases(), txn, copy, {}).comments, 1u) << bit;
    }
  }
}

TEST_F(StructureFlips, APageOfCommentsAmongIdsIsRepairedInACopy) {
  lmdb::PageNumber from = 0, to = 0;
  for (const auto& database : nodes(newest().main.root)) {
    auto root = lmdb::read_tree(database.value.data()).root;
    if (database.key == "comments") from = nodes(root)[5].child;
    if (database.key == "index_ids") to = root;
  }
  auto damaged = bytes_;
  damaged.replace(to * page_size + 8, page_size - 8, bytes_, from * page_size + 8, page_size - 8);
  put_file(file(), damaged);
  auto copy = directory_.path() + "/copy";
  {
    auto store = LmdbStore::open(directory_.path(), Access::read).value();
    ASSERT_TRUE(backup(store->databases(), directory_.path(), copy));
  }
  auto store = LmdbStore::open(copy, Access::write).value();
  ASSERT_TRUE(wait(store->rebuild()));
  EXPECT_EQ(verify(store->databases()).differences, 0u);
  EXPECT_EQ(export_of(*store).lines, wanted_);
}

}  // namespace
}  // namespace quire::embedded
