// What differs from what the index should have is found, whatever it is.
#include "bitmap_index/verify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "bitmap_index/index_model.h"
#include "bitmap_index/numbers.h"

namespace quire::bitmap_index {
namespace {

class VerifyTest : public IndexTest {
 protected:
  VerifyTest() : IndexTest(2, 1) {
    for (Product product : {3u, 4u, 9u}) {
      auto& ids = products_[product];
      for (std::uint8_t i = 1; i < 24; ++i) {
        Ulid id;
        id.bytes[3] = i;
        id.bytes[9] = static_cast<std::uint8_t>(product);
        auto number = encode_number(1000 + i);
        ids[id] = {{1, i % 3u, 0, false,
                    i % 3 == 0   ? "x"
                    : i % 3 == 1 ? "y"
                                 : "z"},
                   {2, number.code, number.rest, true, {}}};
      }
    }
  }

  void build(lmdb::WriteTransaction& txn) {
    for (const auto& [product, ids] : products_) {
      std::vector<Change> changes;
      for (const auto& [id, values] : ids) changes.push_back({id, values});
      IndexEdit(db_, txn).apply(product, changes);
    }
  }

  std::vector<std::string> differences(const lmdb::Transaction& txn,
                                       std::vector<FacetNumber> ignored = {}) {
    Verification verification(txn, db_, ignored);
    for (const auto& [product, ids] : products_) {
      for (const auto& [id, values] : ids) verification.expect(product, id, values);
    }
    std::vector<std::string> sentences;
    for (const auto& [product, what] : verification.finish())
      sentences.push_back(fmt::format("{}: {}", product, what));
    EXPECT_EQ(verification.differences() > 0, !sentences.empty());
    return sentences;
  }

  Products products_;
};

TEST_F(VerifyTest, AnIndexThatIsRightHasNoDifferences) {
  lmdb::WriteTransaction txn(environment_);
  EXPECT_EQ(differences(txn.get()).size(), Verification::max_differences);
  build(txn);
  EXPECT_EQ(differences(txn.get()), std::vector<std::string>());
  products_.clear();
  EXPECT_GT(differences(txn.get()).size(), 3u);
}

TEST_F(VerifyTest, OneProductIsVerifiedByItself) {
  lmdb::WriteTransaction txn(environment_);
  build(txn);
  for (Product product : {3u, 4u, 9u}) {
    for (const auto& [key, value] : read_rows(txn.get(), db_.counts)) {
      txn.remove(db_.counts, key);
      Verification verification(txn.get(), db_, product);
      for (const auto& [id, values] : products_[product]) verification.expect(product, id, values);
      EXPECT_EQ(verification.finish().empty(), lmdb::get_u32(key.data()) != product);
      txn.put(db_.counts, key, value);
    }
  }
  for (Product product : {3u, 4u, 9u, 10u})
    EXPECT_EQ(Verification(txn.get(), db_, product).finish().empty(), product == 10);
}

TEST_F(VerifyTest, EveryRowThatIsMissingChangedOrTooManyIsFound) {
  lmdb::WriteTransaction txn(environment_);
  build(txn);
  for (const auto* database : {&db_.blocks, &db_.counts, &db_.texts}) {
    for (const auto& [key, value] : read_rows(txn.get(), *database)) {
      auto changed = value, other = key;
      changed.back() ^= 1;
      other.back() ^= 1;
      txn.put(*database, key, changed);
      EXPECT_FALSE(differences(txn.get()).empty()) << hex(key);
      txn.put(database->dbi, key, value + "damaged");
      EXPECT_FALSE(differences(txn.get()).empty()) << hex(key);
      txn.remove(*database, key);
      EXPECT_FALSE(differences(txn.get()).empty()) << hex(key);
      txn.put(*database, key, value);
      if (database == &db_.texts) continue;  // a text may stay when its last comment goes
      for (auto part : {std::size_t{3}, key.size() - 1}) {  // of another product, another start
        other = key;
        other[part] ^= 1;
        if (txn.find(database->dbi, other)) continue;
        txn.put(*database, other, value);
        EXPECT_FALSE(differences(txn.get()).empty()) << hex(key) << ", " << part;
        txn.remove(*database, other);
      }
    }
  }
  EXPECT_TRUE(differences(txn.get()).empty());
}

TEST_F(VerifyTest, ATextOfNoCommentIsCheckedToo) {
  lmdb::WriteTransaction txn(environment_);
  build(txn);
  auto key = text_key(1, 77);
  txn.put(db_.texts, key, "left");
  EXPECT_TRUE(differences(txn.get()).empty());
  txn.put(db_.texts.dbi, key, "damaged before its seal");
  EXPECT_EQ(differences(txn.get()).size(), 1u);
  EXPECT_TRUE(differences(txn.get(), {1}).empty());
}

TEST_F(VerifyTest, EveryOtherIdIsFound) {
  lmdb::WriteTransaction txn(environment_);
  build(txn);
  auto id = products_[4].begin()->first, last = products_[9].rbegin()->first;
  auto remove_id = [&](Product product, const Ulid& of) {
    lmdb::Cursor ids(txn.get(), db_.ids);
    ASSERT_TRUE(ids.seek(ids_key(product), of.view(), MDB_GET_BOTH));
    ids.remove();
  };
  remove_id(4, id);
  EXPECT_EQ(differences(txn.get()),
            std::vector<std::string>{"4: The index lacks " + id.text() + "."});
  txn.put(db_.ids, ids_key(4), id.view());
  for (auto product : {0u, 4u, 9u, 10u}) {
    txn.put(db_.ids, ids_key(product), last.next().view());
    EXPECT_EQ(differences(txn.get()),
              std::vector<std::string>{
                  fmt::format("{}: The index has {}, which is no comment of the product.", product,
                              last.next().text())});
    remove_id(product, last.next());
  }
}

TEST_F(VerifyTest, RowsOfIgnoredFacetsMayBeAnything) {
  lmdb::WriteTransaction txn(environment_);
  build(txn);
  IndexEdit edit(db_, txn);
  EXPECT_TRUE(edit.drop_facet(2, 0, 5));
  EXPECT_FALSE(differences(txn.get()).empty());
  EXPECT_TRUE(differences(txn.get(), {2}).empty());
}

}  // namespace
}  // namespace quire::bitmap_index
