// The index as a plain vector: what it must say, and the rows that it must have.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "bitmap_index/block_entry.h"
#include "bitmap_index/databases.h"
#include "bitmap_index/edit.h"
#include "bitmap_index/numbers.h"
#include "lmdb/environment.h"
#include "lmdb/numbers.h"
#include "quire/facet.h"
#include "temporary_directory.h"

namespace quire::bitmap_index {

inline constexpr Product product = 7;  // of most tests

struct PlainId {
  Ulid id;
  std::vector<Value> values;            // sorted by facet, then code
  std::vector<std::string> terms = {};  // of its words
};
using Plain = std::vector<PlainId>;  // sorted by id

// An environment with an empty index.
struct Index {
  TemporaryDirectory directory;
  lmdb::Environment environment{{.directory = directory.path()}};
  Databases databases;

  explicit Index(int block_bits = 10, int group_bits = 5) {
    lmdb::WriteTransaction txn(environment);
    const auto& raw = txn.get();
    databases.ids = lmdb::open_database(raw, ids_name, MDB_CREATE | MDB_DUPSORT | MDB_DUPFIXED);
    databases.blocks = lmdb::open_sealed(raw, blocks_name, MDB_CREATE);
    databases.counts = lmdb::open_sealed(raw, counts_name, MDB_CREATE);
    databases.texts = lmdb::open_sealed(raw, texts_name, MDB_CREATE);
    databases.hash_key = 20'260'731;
    databases.block_bits = block_bits;
    databases.group_bits = group_bits;
    txn.commit();
  }
};

// Writes the rows of a product that has none, from its ids in order.
class PlainBuilder {
 public:
  PlainBuilder(const Databases& databases, lmdb::WriteTransaction& txn, Product product)
      : db_(databases), txn_(txn), product_(product), groups_(1) {}

  void add(PlainId each) {
    auto level = static_cast<std::size_t>(level_of(db_, each.id));
    if (level > 0) write_block();
    for (std::size_t i = 0; i < level; ++i) {
      write(i);
      groups_[i] = {each.id, {}};
      // A new level counts all ids so far.
      if (i + 1 == groups_.size()) groups_.push_back({{}, so_far_});
    }
    for (auto& group : groups_) ++group.counts[{every_id, 0}];
    ++so_far_[{every_id, 0}];
    for (const auto& value : each.values) {
      for (auto& group : groups_) ++group.counts[{value.facet, value.code}];
      ++so_far_[{value.facet, value.code}];
    }
    auto key = ids_key(product_);
    auto k = lmdb::val(key), v = lmdb::val(each.id.view());
    lmdb::check("writing", mdb_put(txn_.get(), db_.ids, &k, &v, MDB_APPENDDUP));
    block_.push_back(std::move(each));
  }

  void finish() {
    write_block();
    for (std::size_t i = 0; i < groups_.size(); ++i) write(i);
  }

 private:
  using Counts = std::map<std::pair<FacetNumber, Code>, std::uint64_t>;
  struct Group {  // that the last id is in
    Ulid start;
    Counts counts;
  };

  void write(std::size_t level) {
    for (const auto& [of, number] : groups_[level].counts) {
      auto [facet, code] = of;
      if (level == 0 && facet != every_id) continue;
      std::string value(8, '\0');
      lmdb::put_u64(value.data(), number);
      txn_.put(db_.counts,
               count_key(product_, facet, code, static_cast<int>(level), groups_[level].start),
               value);
    }
  }

  void write_block() {
    std::map<FacetNumber, std::map<Code, BlockEntry>> rows;
    std::map<FacetNumber, bool> numbers;
    for (std::size_t at = 0; at < block_.size(); ++at) {
      for (const auto& value : block_[at].values) {
        auto& entry = rows[value.facet][value.code];
        numbers[value.facet] = value.number;
        entry.code = value.code;
        ++entry.count;
        entry.words.resize(words_for(block_.size()));
        entry.words[at / 64] |= std::uint64_t{1} << at % 64;
        if (value.number && rest_size(value.code) > 0) entry.rests.push_back(value.rest);
      }
    }
    for (auto& [facet, by_code] : rows) {
      std::vector<BlockEntry> entries;
      for (auto& [code, entry] : by_code) entries.push_back(std::move(entry));
      txn_.put(db_.blocks, block_key(product_, facet, groups_[0].start),
               encode_block_row(block_.size(), entries, numbers[facet]));
    }
    block_.clear();
  }

  const Databases& db_;
  lmdb::WriteTransaction& txn_;
  Product product_;
  Plain block_;
  std::vector<Group> groups_;  // of each level; level 0 is the block
  Counts so_far_;
};

inline void build(const Databases& databases, lmdb::WriteTransaction& txn, Product product,
                  const Plain& plain) {
  PlainBuilder builder(databases, txn, product);
  for (const auto& each : plain) builder.add(each);
  if (!plain.empty()) builder.finish();
}

// A random id of a few milliseconds.
inline Ulid random_ulid(std::mt19937_64& random) {
  std::array<std::uint8_t, 10> entropy;
  for (auto& byte : entropy) byte = static_cast<std::uint8_t>(random());
  return Ulid::make(1'000'000 + random() % 50, entropy);
}

// Facets with skewed values, for random data.
struct PlainFacet {
  FacetNumber number;
  FacetType type;
  std::vector<Value> values;  // that ids may have, and some that none has at the end
  unsigned none_of_100;       // ids without a value
};

inline PlainFacet random_facet(std::mt19937_64& random, FacetNumber number) {
  PlainFacet facet{number, static_cast<FacetType>(random() % 4), {}, 0};
  if (random() % 2 == 0) facet.none_of_100 = static_cast<unsigned>(random() % 90);
  std::size_t values = facet.type == FacetType::flag ? 2 : 1 + random() % 12;
  auto scale = random() % 4;
  for (std::size_t i = 0; i < values; ++i) {
    if (facet.type != FacetType::number) {
      auto code = facet.type == FacetType::flag ? Code{i} : Code{random()};
      facet.values.push_back({number, code});
      continue;
    }
    std::int64_t value = static_cast<std::int64_t>(random() % 10) - 3;
    if (scale == 1) value = static_cast<std::int64_t>(random() % 90);
    if (scale == 2) value = 1000 + static_cast<std::int64_t>(random() % 200);
    if (scale == 3) value = static_cast<std::int64_t>(random() >> 11) * (random() % 2 ? 1 : -1);
    auto code = encode_number(value);
    facet.values.push_back({number, code.code, code.rest, true});
  }
  return facet;
}

inline std::vector<Value> random_values(std::mt19937_64& random,
                                        const std::vector<PlainFacet>& facets) {
  std::vector<Value> values;
  auto skewed = [&](std::size_t size) { return random() % (1 + random() % size); };
  for (const auto& facet : facets) {
    if (random() % 100 < facet.none_of_100) continue;
    std::set<std::size_t> chosen{skewed(facet.values.size())};
    for (auto more = facet.type == FacetType::tags ? random() % 4 : 0; more > 0; --more)
      chosen.insert(skewed(facet.values.size()));
    for (auto at : chosen) values.push_back(facet.values[at]);
  }
  std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) {
    return std::pair(a.facet, a.code) < std::pair(b.facet, b.code);
  });
  return values;
}

inline Plain random_plain(std::mt19937_64& random, const std::vector<PlainFacet>& facets,
                          std::size_t ids) {
  std::set<Ulid> chosen;
  while (chosen.size() < ids) chosen.insert(random_ulid(random));
  Plain plain;
  for (const auto& id : chosen) plain.push_back({id, random_values(random, facets)});
  return plain;
}

}  // namespace quire::bitmap_index
