// The items of a table that others made, in a page index in LMDB: the index knows of each comment
// which item it is, and of each item one comment, as a plain map does.
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "loop/loop.h"
#include "page_index/facet_view.h"
#include "page_index/lmdb/index.h"
#include "page_index/lmdb/rows.h"
#include "temporary_directory.h"

namespace quire::page_index {
namespace {

using change::Change;

// The id whose last bytes stand for the hash of the key.
Ulid id_of(std::uint64_t ms, const std::string& key) {
  std::array<std::uint8_t, 10> hash{};
  std::copy(key.begin(), key.end(), hash.begin());
  return Ulid::make(ms, hash);
}

Change put(const std::string& product, std::uint64_t ms, const std::string& key, int rating = 5) {
  Change change{product, id_of(ms, key), {}, cell("en", rating)};
  change.key = key;
  return change;
}

Change removal(const std::string& key) {
  Change change{{}, id_of(0, key)};
  change.key = key;
  return change;
}

// By key: product and id.
using Items = std::map<std::string, std::pair<std::string, Ulid>>;

Items items_of(LmdbIndex& index) {
  Items out;
  auto view = index.facet_view().value();
  auto products = wait(index.products({}, 1000)).value();
  for (const auto& product : products) {
    auto comments = wait(view->comments(product, {}, 10'000)).value();
    for (const auto& comment : comments) {
      auto item = view->item(comment.id).value();
      EXPECT_TRUE(item) << comment.id.text();
      if (!item) continue;
      EXPECT_EQ(item->key, comment.key);
      EXPECT_EQ(item->product, product);
      EXPECT_TRUE(out.emplace(item->key, std::pair(product, comment.id)).second) << item->key;
    }
    EXPECT_EQ(wait(view->flaws(product)).value(), std::vector<std::string>());
  }
  return out;
}

TEST(IndexedItems, FollowTheirKeysThroughRandomChanges) {
  TemporaryDirectory directory;
  auto index = LmdbIndex::open(directory.path(), Access::write).value();
  std::mt19937_64 random(5);
  Items model;
  for (int round = 0; round < 60; ++round) {
    std::vector<Change> changes;
    for (auto n = random() % 30; n > 0; --n) {
      auto key = "k" + std::to_string(random() % 40);
      if (random() % 4 == 0) {
        changes.push_back(removal(key));
        model.erase(key);
        continue;
      }
      auto product = "p" + std::to_string(random() % 3);
      auto ms = 1000 + random() % 20;
      changes.push_back(put(product, ms, key, static_cast<int>(random() % 5) + 1));
      model.insert_or_assign(key, std::pair(product, id_of(ms, key)));
    }
    ASSERT_TRUE(wait(index->put(std::move(changes))));
    ASSERT_EQ(items_of(*index), model) << round;
  }
}

TEST(IndexedItems, TwoKeysWithOneHashDoNoHarm) {
  TemporaryDirectory directory;
  auto index = LmdbIndex::open(directory.path(), Access::write).value();
  auto twin = put("p", 7, "key");
  twin.key = "another key";
  ASSERT_TRUE(wait(index->put({put("p", 5, "key"), twin})));
  EXPECT_EQ(index->facet_view().value()->item(twin.id).value()->key, "another key");
  ASSERT_TRUE(wait(index->put({removal("key")})));
  EXPECT_TRUE(index->facet_view().value()->item(twin.id).value()) << "it is the twin's";
}

TEST(IndexedItems, ABuildBeginsWithout) {
  TemporaryDirectory directory;
  auto index = LmdbIndex::open(directory.path(), Access::write).value();
  ASSERT_TRUE(wait(index->put({put("p", 5, "key")})));
  ASSERT_TRUE(wait(index->reset({})));
  EXPECT_FALSE(index->facet_view().value()->item(id_of(5, "key")).value());
}

TEST(IndexedItems, DeclaredFacetsOutliveABuild) {
  TemporaryDirectory directory;
  auto index = LmdbIndex::open(directory.path(), Access::write).value();
  EXPECT_EQ(wait(index->declared()).value(), Schema());
  Schema facets({{2, {{"verified", FacetType::flag}}}});
  ASSERT_TRUE(wait(index->declare([&](const Schema&, const Schema&) { return facets; })));
  ASSERT_TRUE(wait(index->reset({})));
  EXPECT_EQ(wait(index->declared()).value(), facets);
  auto refused = wait(index->declare([](const Schema&, const Schema&) -> Result<Schema> {
    return Error{ErrorCode::not_found, "none"};
  }));
  EXPECT_EQ(refused.error().message, "none");
  EXPECT_EQ(wait(index->declared()).value(), facets);
}

TEST(IndexedItems, FacetsDeclaredAtOnceAreAllKept) {
  constexpr FacetNumber programs = 8;
  TemporaryDirectory directory;
  auto index = LmdbIndex::open(directory.path(), Access::write).value();
  auto add = [](const Schema& declared, const Schema&) -> Result<Schema> {
    auto facets = declared.facets();
    std::erase_if(facets, [](const auto& each) { return each.number < first_declared_number; });
    FacetNumber number = first_declared_number + static_cast<FacetNumber>(facets.size());
    facets.push_back({number, {{"f" + std::to_string(number), FacetType::flag}}});
    return Schema(std::move(facets));
  };
  std::vector<std::thread> threads;
  for (FacetNumber i = 0; i < programs; ++i)
    threads.emplace_back([&] { EXPECT_TRUE(wait(index->declare(add))); });
  for (auto& thread : threads) thread.join();
  auto last = "f" + std::to_string(first_declared_number + programs - 1);
  EXPECT_TRUE(wait(index->declared()).value().find(last)) << "each saw the facets before it";
}

// As docs/formats/pages-lmdb.md shows it.
TEST(PagesFormat, AnItemHasTheBytesOfTheDocument) {
  ItemRow row{1'732'104'060'123, "42", std::string("S\0\1a", 4)};
  EXPECT_EQ(encode_item(row), std::string("\0\0\1\x93\x49\x72\x7c\xdb\0\0\0\2"
                                          "42S\0\1a",
                                          18));
  EXPECT_EQ(decode_item(encode_item(row)), row);
  EXPECT_EQ(item_place(id_of(5, "0123456789")), "0123456789");
  EXPECT_THROW(decode_item("12345678901"), lmdb::Damaged);
  EXPECT_THROW(decode_item(std::string("\0\0\0\0\0\0\0\0\0\0\0\3ab", 14)), lmdb::Damaged);
}

}  // namespace
}  // namespace quire::page_index
