// The index as its format describes it, made plainly from all ids and values, and the index as it
// lies in its databases.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "bitmap_index/block_entry.h"
#include "bitmap_index/databases.h"
#include "bitmap_index/edit.h"
#include "bytes.h"
#include "lmdb/environment.h"
#include "temporary_directory.h"

namespace quire::bitmap_index {

// What each id of each product has.
using Values = std::vector<Value>;
using Products = std::map<Product, std::map<Ulid, Values>>;

// Keys and values, without seals. The ids of a product follow each other in one value.
struct Rows {
  std::map<Product, std::string> ids;
  std::map<std::string, std::string> blocks, counts;
  bool operator==(const Rows&) const = default;
};

inline std::string count_text(std::uint64_t count) {
  std::string text(8, '\0');
  lmdb::put_u64(text.data(), count);
  return text;
}

class RowsOfProduct {
 public:
  RowsOfProduct(const Databases& db, Product product, const std::map<Ulid, Values>& ids)
      : db_(db), product_(product), ids_(ids) {}

  void put(Rows& rows) {
    if (ids_.empty()) return;
    for (const auto& [id, values] : ids_) top_ = std::max(top_, level(id));
    starts_.resize(static_cast<std::size_t>(top_) + 1);
    for (const auto& [id, values] : ids_) {
      rows.ids[product_] += id.view();
      for (int at = 0; at < level(id); ++at) starts_[static_cast<std::size_t>(at)] = id;
      blocks_[starts_[0]].push_back(&values);
      count(every_id, 0, 0);
      for (int at = 1; at <= top_; ++at) {
        count(every_id, 0, at);
        for (const auto& value : values) count(value.facet, value.code, at);
      }
    }
    put_blocks(rows);
    for (const auto& [key, ids] : counts_) rows.counts[key] = count_text(ids);
  }

 private:
  int level(const Ulid& id) const { return id == Ulid{} ? 0 : level_of(db_, id); }

  void count(FacetNumber facet, Code code, int at) {
    auto key = count_key(product_, facet, code, at, starts_[static_cast<std::size_t>(at)]);
    ++counts_[std::string(std::string_view(key))];
  }

  void put_blocks(Rows& rows) const {
    for (const auto& [start, block] : blocks_) {
      std::set<FacetNumber> facets;
      for (const auto* values : block) {
        for (const auto& value : *values) facets.insert(value.facet);
      }
      for (auto facet : facets) {
        auto key = block_key(product_, facet, start);
        rows.blocks[std::string(std::string_view(key))] = row(block, facet);
      }
    }
  }

  static std::string row(const std::vector<const Values*>& block, FacetNumber facet) {
    std::map<Code, BlockEntry> entries;
    bool numbers = false;
    for (std::size_t at = 0; at < block.size(); ++at) {
      for (const auto& value : *block[at]) {
        if (value.facet != facet) continue;
        auto& entry = entries[value.code];
        entry.code = value.code;
        ++entry.count;
        entry.words.resize(words_for(block.size()));
        entry.words[at / 64] |= std::uint64_t{1} << at % 64;
        entry.rests.push_back(value.rest);
        numbers = value.number;
      }
    }
    std::vector<BlockEntry> sorted;
    for (auto& [code, entry] : entries) sorted.push_back(std::move(entry));
    return encode_block_row(block.size(), sorted, numbers);
  }

  const Databases& db_;
  Product product_;
  const std::map<Ulid, Values>& ids_;
  int top_ = 0;
  std::vector<Ulid> starts_;  // of the groups at hand, by level; [0]: of the block
  std::map<Ulid, std::vector<const Values*>> blocks_;
  std::map<std::string, std::uint64_t> counts_;
};

inline Rows rows_of(const Databases& db, const Products& products) {
  Rows rows;
  for (const auto& [product, ids] : products) RowsOfProduct(db, product, ids).put(rows);
  return rows;
}

inline std::map<std::string, std::string> read_rows(const lmdb::Transaction& txn,
                                                    const lmdb::Sealed& database) {
  std::map<std::string, std::string> rows;
  lmdb::Cursor cursor(txn, database);
  for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
    auto value = lmdb::unsealed(database.seed, cursor.key(), cursor.value());
    EXPECT_TRUE(value);
    rows[std::string(cursor.key())] = value.value_or("damaged");
  }
  return rows;
}

inline Rows read_index(const lmdb::Transaction& txn, const Databases& db) {
  Rows rows;
  lmdb::Cursor ids(txn, db.ids);
  for (bool there = ids.move(MDB_FIRST); there; there = ids.move(MDB_NEXT))
    rows.ids[lmdb::get_u32(ids.key().data())] += ids.value();
  rows.blocks = read_rows(txn, db.blocks);
  rows.counts = read_rows(txn, db.counts);
  return rows;
}

// "" if they are the same, or the first row that differs.
inline std::string difference(const std::map<std::string, std::string>& there,
                              const std::map<std::string, std::string>& wanted) {
  for (const auto& [key, value] : there) {
    auto found = wanted.find(key);
    if (found == wanted.end()) return "not wanted: " + hex(key) + " = " + hex(value);
    if (found->second != value)
      return hex(key) + " is " + hex(value) + ", wanted " + hex(found->second);
  }
  for (const auto& [key, value] : wanted) {
    if (!there.contains(key)) return "missing: " + hex(key) + " = " + hex(value);
  }
  return "";
}

// An index in an environment of its own. `block_bits`, `group_bits`: small, for small sets.
class IndexTest : public testing::Test {
 protected:
  explicit IndexTest(int block_bits = 1, int group_bits = 1) {
    lmdb::WriteTransaction txn(environment_);
    db_ = open_databases(txn.get(), MDB_CREATE, 0x1234567890ABCDEF);
    db_.block_bits = block_bits;
    db_.group_bits = group_bits;
    txn.commit();
  }

  ::testing::AssertionResult holds(lmdb::WriteTransaction& txn, const Products& products) {
    auto there = read_index(txn.get(), db_), wanted = rows_of(db_, products);
    if (there == wanted) return ::testing::AssertionSuccess();
    if (there.ids != wanted.ids) return ::testing::AssertionFailure() << "other ids";
    return ::testing::AssertionFailure() << "blocks: " << difference(there.blocks, wanted.blocks)
                                         << "\ncounts: " << difference(there.counts, wanted.counts);
  }

  TemporaryDirectory directory_;
  lmdb::Environment environment_{{.directory = directory_.path()}};
  Databases db_;
};

}  // namespace quire::bitmap_index
