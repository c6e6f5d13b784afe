// Verify finds damage of every kind, and rebuild() repairs it from the comments.
#include <gtest/gtest.h>

#include <array>

#include "bitmap_index/databases.h"
#include "damaged_store.h"
#include "model/document.h"

namespace quire::embedded {
namespace {

TEST_F(Verify, AnIntactStoreHasNoDifferences) {
  auto verified = verify(db());
  EXPECT_EQ(verified.comments, 10u);
  EXPECT_EQ(verified.differences, 0u);
}

TEST_F(Verify, AnIdThatTheIndexLacksIsFound) {
  auto found = after([&](auto& txn) {
    std::array<char, 4> product;
    put_u32(product.data(), row(txn).number);
    lmdb::Cursor ids(txn.get(), db().index.ids);
    ASSERT_TRUE(ids.seek({product.data(), product.size()}, id_.view(), MDB_GET_BOTH));
    ids.remove();
  });
  EXPECT_EQ(found.differences, 1u);
  EXPECT_NE(found.reports.front().find("product 42: The index lacks " + id_.text()),
            std::string::npos);
}

TEST_F(Verify, AnIdThatOnlyTheIndexHasIsFound) {
  for (const auto& product : {row_number(), ProductNumber{4000}}) {
    auto found = after([&](auto& txn) {
      std::array<char, 4> key;
      put_u32(key.data(), product);
      txn.put(db().index.ids, {key.data(), key.size()}, id_at(1002, 77).view());
    });
    EXPECT_GE(found.differences, 1u);
    ASSERT_TRUE(wait(store_->rebuild()));
  }
}

TEST_F(Verify, AMissingOrChangedRowOfBlocksIsFound) {
  for (FacetNumber facet : {language_number, rating_number}) {
    auto key = bitmap_index::block_key(row_number(), facet, Ulid{});
    auto missing = after([&](auto& txn) { EXPECT_TRUE(txn.remove(db().index.blocks, key)); });
    EXPECT_GE(missing.differences, 1u);
    ASSERT_TRUE(wait(store_->rebuild()));
    auto changed = after([&](auto& txn) {
      std::string bytes(txn.find(db().index.blocks, key).value());
      bytes.back() ^= 1;
      txn.put(db().index.blocks, key, bytes);
    });
    EXPECT_GE(changed.differences, 1u);
    ASSERT_TRUE(wait(store_->rebuild()));
  }
}

TEST_F(Verify, AMissingTextOfAValueIsFound) {
  EXPECT_GE(after([&](auto& txn) { txn.clear(db().index.texts); }).differences, 1u);
}

TEST_F(Verify, ADamagedHashKeyIsFound) {
  for (const auto& value : {std::string(8, '\1'), std::string("?")}) {
    auto found = after([&](auto& txn) { txn.put(db().meta, "hash_key", value); });
    EXPECT_EQ(found.differences, 1u);
  }
}

// Also one whose key is damaged, so that nothing finds it.
TEST_F(Verify, ADamagedRowOfMetaIsFoundAndRemoved) {
  for (std::string key : {"customer_check", "tuccessor:42"}) {
    auto found = after([&](auto& txn) { txn.put(db().meta.dbi, key, "no seal is here"); });
    EXPECT_EQ(found.differences, 1u) << key;
    ASSERT_TRUE(wait(store_->rebuild()));
    EXPECT_EQ(verify(db()).differences, 0u) << key;
  }
  EXPECT_EQ(wait(store_->keep_customer_check("present")).value(), "present");
}

TEST_F(Verify, FacetsThatContradictThemselvesAreFound) {
  ASSERT_TRUE(wait(store_->facets()->declare({"size", FacetType::choice})));
  ASSERT_TRUE(wait(store_->facets()->declare({"votes", FacetType::number})));
  while (wait(store_->view()->schema()).value()->find("votes")->status.state !=
         FacetStatus::State::ready)
    std::this_thread::yield();
  using State = FacetStatus::State;
  const FacetRow size{.number = 2, .facet = {"size", FacetType::choice}};
  const std::vector<std::pair<FacetRow, bool>> rows = {
      {{.number = 2, .state = State::ready, .facet = size.facet, .built = Key<20>{}}, true},
      {{.number = 2, .state = State::dropping, .facet = size.facet, .built = Key<20>{}}, true},
      {{.number = 2, .state = State::building, .facet = size.facet}, false},
      {size, false}};
  for (const auto& [facet, damaged] : rows) {
    auto found = after([&](auto& txn) { txn.put(db().facets, facet_key(2), encode_facet(facet)); });
    EXPECT_EQ(found.differences > 0, damaged) << static_cast<int>(facet.state);
  }
  for (FacetNumber next : {2, 3}) {
    auto found = after([&](auto& txn) {
      txn.put(db().meta, "schema", encode_schema({1'000'000, next}));
    });
    EXPECT_GE(found.differences, 1u);
  }
  EXPECT_GE(after([&](auto& txn) { txn.put(db().meta, "schema", "?"); }).differences, 1u);
  EXPECT_FALSE(wait(store_->insert(comment_at(9001, 1, "nl", 2), {})));
}

TEST_F(Verify, AFacetWhoseRowIsDamagedIsLost) {
  ASSERT_TRUE(wait(store_->facets()->declare({"size", FacetType::choice})));
  ASSERT_TRUE(wait(store_->facets()->declare({"votes", FacetType::number})));
  auto found = after([&](auto& txn) {
    txn.put(db().facets, facet_key(2), "?");
    auto schema = decode_schema(*txn.find(db().meta, "schema"));
    ++schema.version;  // so that no reader knows it from before
    txn.put(db().meta, "schema", encode_schema(schema));
  });
  EXPECT_GE(found.differences, 1u);
  EXPECT_EQ(wait(store_->view()->schema()).error().code, ErrorCode::damaged);
  auto rebuilt = wait(store_->rebuild()).value();
  EXPECT_EQ(rebuilt.lost_facets, 1u);
  auto schema = wait(store_->view()->schema()).value();
  EXPECT_EQ(schema->find("size"), nullptr);
  EXPECT_EQ(schema->find("votes")->status.state, FacetStatus::State::ready);
  ASSERT_TRUE(wait(store_->facets()->declare({"size", FacetType::choice})));
  EXPECT_EQ(wait(store_->view()->schema()).value()->find("size")->number, 4) << "never 2 again";
}

TEST_F(Verify, AWrongCountIsFound) {
  auto found = after([&](auto& txn) {
    auto changed = row(txn);
    ++changed.languages[0].comments[2];
    txn.put(db().products, "42", encode_product(changed));
  });
  EXPECT_EQ(found.differences, 1u);
}

// A comment is decided on, and reported again: only the row of the queue tells it.
TEST_F(Verify, ReportsWaitForAModeratorAfterARepairAsBefore) {
  auto other = id_at(1004, 4);
  for (const auto& id : {id_, other})
    wait(store_->moderation()->report(id, {{1}, 6000, "spam", "a note"}, 0)).value();
  auto decide = [](const Comment&, Comment& comment) -> Status {
    comment.moderation.decided = true;
    return Done{};
  };
  for (const auto& id : {id_, other})
    ASSERT_TRUE(wait(store_->update(id, {.status = CommentStatus::published}, {}, decide)));
  wait(store_->moderation()->report(id_, {{2}, 7000, "spam", "a note"}, 0)).value();
  auto waiting = [&] {
    lmdb::ReadTransaction txn(*db().environment);
    return lmdb::keys_under(txn.get(), db().reported, {});
  };
  auto before = waiting();
  ASSERT_EQ(before, (std::vector<std::string>{std::string(id_.view())}));
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(waiting(), before);
}

TEST_F(Verify, AMissingIdIsFound) {
  EXPECT_EQ(after([&](auto& txn) { txn.remove(db().ids, id_.view()); }).differences, 1u);
}

TEST_F(Verify, AnIdWithoutACommentIsFound) {
  auto found =
      after([&](auto& txn) { txn.put(db().ids, id_at(7, 7).view(), std::string(4, '\0')); });
  EXPECT_EQ(found.differences, 1u);
}

TEST_F(Verify, AMissingCommentIsFound) {
  auto found =
      after([&](auto& txn) { txn.remove(db().comments, comment_key(row(txn).number, id_)); });
  EXPECT_GE(found.differences, 4u);  // an id, its entry in the index, rows, a count
}

TEST_F(Verify, ADamagedCommentIsFound) {
  auto found = after(
      [&](auto& txn) { txn.put(db().comments, comment_key(row(txn).number, id_), "garbage"); });
  EXPECT_GE(found.differences, 1u);
  set_aside_ = 1;
}

TEST_F(Verify, ACommentUnderAnotherProductIsFound) {
  auto found = after([&](auto& txn) {
    auto from = comment_key(row(txn).number, id_);
    std::string document(txn.find(db().comments, from).value());
    txn.remove(db().comments, from);
    txn.put(db().comments, comment_key(77, id_), document);
  });
  EXPECT_GE(found.differences, 1u);
}

TEST_F(Verify, AStrayCopyDoesNotReplaceTheComment) {
  Comment stale = comment_at(1003, 3, "en", 1);
  auto found = after(
      [&](auto& txn) { txn.put(db().comments, comment_key(77, id_), encode_document(stale)); });
  EXPECT_GE(found.differences, 1u);
  set_aside_ = 1;
  ASSERT_TRUE(wait(store_->rebuild()));
  auto view = store_->view();
  EXPECT_EQ(decode_document(wait(view->get(id_)).value())->rating, 4);
  // A second stray copy under the same key is kept too.
  after([&](auto& txn) {
    stale.rating = 2;
    txn.put(db().comments, comment_key(77, id_), encode_document(stale));
  });
  ASSERT_TRUE(wait(store_->rebuild()));
  EXPECT_EQ(damaged_rows(), 2u);
  set_aside_ = 0;
  lmdb::WriteTransaction txn(*db().environment);
  txn.clear(db().damaged);
  txn.commit();
}

TEST_F(Verify, AnIdenticalCopyIsDropped) {
  after([&](auto& txn) {
    std::string document(txn.find(db().comments, comment_key(row(txn).number, id_)).value());
    txn.put(db().comments, comment_key(77, id_), document);
  });
  repeated_ = 1;
}

TEST_F(Verify, AnIdUsedTwiceIsFound) {
  auto found = after([&](auto& txn) {
    txn.put(db().comments, comment_key(77, id_),
            encode_document(Comment{.id = id_, .product = "43", .language = "en", .rating = 1}));
  });
  EXPECT_GE(found.differences, 1u);
  set_aside_ = 1;
}

TEST_F(Verify, ADamagedProductIsFound) {
  auto found = after([&](auto& txn) { txn.put(db().products, "42", "garbage"); });
  EXPECT_GE(found.differences, 1u);
}

TEST_F(Verify, AMissingProductIsFound) {
  std::uint64_t generation = 0;
  EXPECT_GE(after([&](auto& txn) {
              generation = row(txn).generation;
              txn.remove(db().products, "42");
            }).differences,
            1u);
  ASSERT_TRUE(wait(store_->rebuild()));
  lmdb::WriteTransaction txn(*db().environment);
  EXPECT_GT(row(txn).generation, generation) << "answers that were kept must not come again";
}

TEST_F(Verify, AnOldCounterOfProductsIsFound) {
  for (const auto& value : {std::string(4, '\0'), std::string("?")}) {
    auto found = after([&](auto& txn) { txn.put(db().meta, "next_product", value); });
    EXPECT_EQ(found.differences, 1u);
  }
  EXPECT_FALSE(wait(store_->insert(comment_at(9001, 1, "nl", 2, "43"), {})));
}

// Rows with repeated, unsorted, unused or unknown languages, and with an impossible number.
TEST_F(Verify, AProductRowThatContradictsItselfIsRepaired) {
  ASSERT_TRUE(wait(store_->insert(comment_at(1011, 11, "de", 5), {})));
  using Damage = void (*)(ProductRow&);
  const Damage damages[] = {
      [](ProductRow& row) { row.languages[0].language = row.languages[1].language; },
      [](ProductRow& row) { std::swap(row.languages[0], row.languages[1]); },
      [](ProductRow& row) { row.languages[0].language = ~FacetValue{0}; },
      [](ProductRow& row) {
        row.languages.push_back({~FacetValue{0}, {}});
      },
      [](ProductRow& row) { row.number = max_product; },
      [](ProductRow& row) { row.number = 0xFFFFFFFF; },
  };
  for (auto damage : damages) {
    auto found = after([&](auto& txn) {
      auto changed = row(txn);
      damage(changed);
      txn.put(db().products, "42", encode_product(changed));
    });
    EXPECT_GE(found.differences, 1u);
    ASSERT_TRUE(wait(store_->rebuild()));
    EXPECT_EQ(verify(db()).differences, 0u);
  }
}

TEST_F(Verify, KeysOfWrongSizesAreFound) {
  auto found = after([&](auto& txn) {
    txn.put(db().comments, "odd", "");
    txn.put(db().ids, "odd", "");
    txn.put(db().index.blocks, "odd", "");
    txn.put(db().index.counts, "odd", "");
  });
  EXPECT_GE(found.differences, 4u);
  set_aside_ = 1;
}

TEST_F(Verify, ASuperfluousOrMissingLeaderIsFound) {
  auto found = after([&](auto& txn) {
    auto key = leader_key(LeaderKind::five_star, any, "42", row(txn).ratings()).value();
    txn.remove(db().leaders, key);
    txn.put(db().leaders, leader_prefix(LeaderKind::average, any) + "12345678" + "43", {});
  });
  EXPECT_EQ(found.differences, 2u);
}

}  // namespace
}  // namespace quire::embedded
