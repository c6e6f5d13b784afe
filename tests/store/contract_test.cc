#include "contract.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "adopted_stand.h"
#include "base/rounds.h"
#include "stands.h"

namespace quire {
namespace {

constexpr std::size_t many = 1000;

std::optional<Comment> get(Store& store, const Ulid& id) {
  auto view = store.view();
  auto document = wait(view->get(id));
  return document ? decode_document(*document) : std::nullopt;
}

TEST_P(CountingContract, AnEmptyStoreHasNothing) {
  EXPECT_TRUE(wait(store_->ready()));
  EXPECT_EQ(counts().total(), 0u);
  EXPECT_TRUE(ids(Order::newest_first, {Cell{}, {}, many}).empty());
  EXPECT_TRUE(wait(store_->view()->products("", many))->empty());
  auto missing = wait(store_->view()->get(id_at(1, 1)));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

TEST_P(CountingContract, AnInsertedCommentIsInItsFourListsOnly) {
  Comment comment = add(comment_at(1000, 1, "en", 5));
  EXPECT_EQ(get(*store_, comment.id), comment);
  for (FacetValue language : {any, cell("en", 5)[0], cell("de", 5)[0]}) {
    for (FacetValue rating = 0; rating <= 5; ++rating) {
      Cell list{language, rating};
      bool member = covers(list, cell("en", 5));
      EXPECT_EQ(ids(Order::newest_first, {list, {}, many}).size(), member) << list_key("42", list);
    }
  }
}

TEST_P(StoreContract, ListsReadInBothOrdersFromAnyPosition) {
  for (std::uint64_t i = 0; i < 10; ++i) add(comment_at(1000 + i / 3, i, "en", 5));
  std::vector<Ulid> all = ids(Order::oldest_first, {Cell{}, {}, many});
  ASSERT_EQ(all.size(), 10u);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
  for (Cell list : {Cell{}, cell("en", 5), Cell{any, 5}}) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::vector<Ulid> later(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end());
      EXPECT_EQ(ids(Order::oldest_first, {list, all[i], many}), later);
      std::vector<Ulid> earlier(all.rend() - static_cast<std::ptrdiff_t>(i), all.rend());
      EXPECT_EQ(ids(Order::newest_first, {list, all[i], many}), earlier);
      // A position between comments works too.
      EXPECT_EQ(ids(Order::newest_first, {list, all[i].next(), many}).size(), i + 1);
    }
  }
}

TEST_P(StoreContract, ALimitCutsASliceAndTheLastSliceSaysSo) {
  for (std::uint64_t i = 0; i < 5; ++i) add(comment_at(1000, i, "en", 5));
  auto view = store_->view();
  EXPECT_EQ(wait(view->comments("42", Order::newest_first, {}, 5))->entries.size(), 5u);
  auto whole = wait(view->comments("42", Order::newest_first, {}, 6)).value();
  EXPECT_EQ(whole.entries.size(), 5u);
  EXPECT_TRUE(whole.end);
}

TEST_P(StoreContract, TheCommentsOfAProductComeWithTheirDocuments) {
  std::vector<Comment> all;
  for (std::uint64_t i = 0; i < 9; ++i)
    all.push_back(add(comment_at(1000 + i, i, "en", 5, i % 3 ? "42" : "p" + std::to_string(i))));
  auto view = store_->view();
  std::vector<std::string> texts;
  std::optional<Ulid> after;
  for (bool end = false; !end;) {
    auto slice = wait(view->comments("42", Order::newest_first, after, 4)).value();
    for (const auto& entry : slice.entries) {
      auto comment = decode_document(entry.document).value();
      EXPECT_EQ(comment.id, entry.id);
      texts.push_back(comment.text);
      after = entry.id;
    }
    end = slice.end;
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"comment 8", "comment 7", "comment 5", "comment 4",
                                             "comment 2", "comment 1"}));
  auto later = wait(view->comments("42", Order::oldest_first, all[4].id, 2)).value();
  ASSERT_EQ(later.entries.size(), 2u);
  EXPECT_EQ(later.entries[0].id, all[5].id);
  EXPECT_TRUE(wait(view->comments("nobody", Order::oldest_first, {}, 2))->end);
}

TEST_P(CountingContract, DocumentsComeOnRequest) {
  for (std::uint64_t i = 0; i < 5; ++i) add(comment_at(1000, i, "en", static_cast<int>(i) + 1));
  auto view = store_->view();
  std::vector<Entry> entries;
  for (const auto& id : ids(Order::newest_first, {{cell("en", 1)[0], any}, {}, many}))
    entries.push_back({id, {}});
  ASSERT_EQ(entries.size(), 5u);
  ASSERT_TRUE(wait(view->documents("42", entries)));
  for (const auto& entry : entries) EXPECT_EQ(decode_document(entry.document)->id, entry.id);
}

TEST_P(WritingContract, AnUpdateMovesBetweenLists) {
  Comment comment = comment_at(1000, 1, "en", 5);
  insert(comment);
  auto edited =
      wait(store_->update(comment.id, {.language = "de", .rating = 1, .text = "worse"})).value();
  EXPECT_EQ(decode_document(edited.before), comment);
  comment.language = "de";
  comment.rating = 1;
  comment.text = "worse";
  EXPECT_EQ(decode_document(edited.after), comment);
  EXPECT_EQ(get(*store_, comment.id), comment);
  EXPECT_TRUE(ids(Order::newest_first, {cell("en", 5), {}, many}).empty());
  EXPECT_EQ(ids(Order::newest_first, {cell("de", 1), {}, many}).size(), 1u);
  EXPECT_EQ(wait(store_->update(id_at(5, 5), {.rating = 1})).error().code, ErrorCode::not_found);
}

TEST_P(WritingContract, AnUpdateRequiresTheVersionThatItNames) {
  Comment comment = comment_at(1000, 1, "en", 5);
  auto tag = document_tag(insert(comment));
  auto edited = wait(store_->update(comment.id, {.rating = 4}, {.tags = {"\"other\"", tag}}));
  ASSERT_TRUE(edited) << edited.error().message;
  EXPECT_EQ(document_tag(edited->before), tag);
  auto code = [](const auto& refused) { return refused.error().code; };
  EXPECT_EQ(code(wait(store_->update(comment.id, {.rating = 3}, {.tags = {tag}}))),
            ErrorCode::precondition_failed);
  EXPECT_EQ(code(wait(store_->remove(comment.id, {.tags = {tag}}))),
            ErrorCode::precondition_failed);
  EXPECT_EQ(get(*store_, comment.id)->rating, 4) << "nothing changed";
  EXPECT_TRUE(wait(store_->remove(comment.id, {.tags = {document_tag(edited->after)}})));
  EXPECT_EQ(code(wait(store_->remove(comment.id, {.tags = {tag}}))), ErrorCode::not_found);
}

TEST_P(WritingContract, AnUpdateRequiresTheProductThatItNames) {
  Comment comment = comment_at(1000, 1, "en", 5, "shop-a/1");
  insert(comment);
  EXPECT_EQ(wait(store_->update(comment.id, {.rating = 4}, {.product = "shop-b/"})).error().code,
            ErrorCode::forbidden);
  EXPECT_EQ(wait(store_->remove(comment.id, {.product = "shop-b/"})).error().code,
            ErrorCode::forbidden);
  EXPECT_EQ(get(*store_, comment.id), comment);
  EXPECT_TRUE(wait(store_->remove(comment.id, {.product = "shop-a/"})));
}

// Of several updates of the same version exactly one succeeds.
TEST_P(WritingContract, OfConcurrentUpdatesOfOneVersionOneSucceeds) {
  Comment comment = comment_at(1000, 1, "en", 5);
  auto tag = document_tag(insert(comment));
  std::atomic<int> made = 0, refused = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      auto edited = wait(store_->update(comment.id, {.text = std::to_string(i)}, {.tags = {tag}}));
      made += edited.ok();
      refused += !edited && edited.error().code == ErrorCode::precondition_failed;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(refused, 3);
}

TEST_P(WritingContract, ARemovedCommentIsNowhere) {
  Comment comment = comment_at(1000, 1, "en", 5);
  insert(comment);
  EXPECT_EQ(decode_document(wait(store_->remove(comment.id)).value()), comment);
  EXPECT_FALSE(get(*store_, comment.id));
  EXPECT_TRUE(ids(Order::newest_first, {Cell{}, {}, many}).empty());
  EXPECT_EQ(wait(store_->remove(comment.id)).error().code, ErrorCode::not_found);
}

std::vector<Comment> five_hundred() {
  std::vector<Comment> comments;
  for (std::uint64_t i = 0; i < 500; ++i) {
    comments.push_back(comment_at(1000 + i * 7919 % 100, i, i % 3 ? "en" : "de",
                                  static_cast<int>(i % 5) + 1, "p" + std::to_string(i % 4)));
  }
  return comments;
}

TEST_P(WritingContract, InsertManyAddsOnlyMissingComments) {
  auto expect_added = [&](std::vector<Comment> comments, std::size_t wanted) {
    auto before = stand_->retries();
    auto added = wait(store_->insert_many(std::move(comments))).value();
    EXPECT_GE(added, wanted);
    EXPECT_LE(added, wanted + (stand_->retries() - before));
  };
  auto batch = five_hundred();
  expect_added({batch.begin(), batch.begin() + 300}, 300);
  auto twice = batch;
  twice.insert(twice.end(), batch.begin(), batch.end());
  expect_added(std::move(twice), 200);
  expect_added(batch, 0);
  for (const char* product : {"p0", "p1", "p2", "p3"})
    EXPECT_EQ(ids(Order::newest_first, {Cell{}, {}, many}, product).size(), 125u);
}

TEST_P(StatisticsContract, InsertManyUpdatesCounts) {
  ASSERT_TRUE(wait(store_->insert_many(five_hundred())));
  auto products = wait(store_->view()->products("", many)).value();
  ASSERT_EQ(products.size(), 4u);
  for (const auto& [product, comments, ratings] : products) {
    EXPECT_EQ(comments, 125u);
    EXPECT_EQ(ratings, (RatingCounts{25, 25, 25, 25, 25}));
  }
}

TEST_P(FollowingContract, ProductsContinueAfterAName) {
  for (std::uint64_t i = 0; i < 6; ++i)
    add(comment_at(1000 + i, i, "en", 5, "p" + std::to_string(i / 2)));
  auto view = store_->view();
  auto after = wait(view->products("p0", 1)).value();
  ASSERT_EQ(after.size(), 1u);
  EXPECT_EQ(after[0].product, "p1");
  EXPECT_EQ(wait(view->products("", many))->size(), 3u);
}

TEST_P(StatisticsContract, LeadersHaveTheMostFiveStarCommentsOrTheBestAverage) {
  std::uint64_t made = 0;
  auto rated = [&](const char* product, int fives, int others, int other, const char* language) {
    for (int i = 0; i < fives + others; ++i, ++made)
      insert(comment_at(1000 + made, made, language, i < fives ? 5 : other, product));
  };
  rated("many", 4, 9, 1, "en");
  rated("none", 0, 9, 4, "en");
  rated("twin b", 2, 0, 1, "en");
  rated("twin a", 2, 0, 1, "en");
  rated("one", 1, 0, 1, "de");
  using Names = std::vector<std::string>;
  auto leaders = [&](Leaders by, FacetValue language, std::size_t limit) {
    auto view = store_->view();
    Names names;
    auto found = wait(view->leaders(by, language, limit)).value();
    for (const auto& leader : found) names.push_back(leader.product);
    return names;
  };
  EXPECT_EQ(leaders(Leaders::five_star, any, 3), (Names{"many", "twin a", "twin b"}));
  EXPECT_EQ(leaders(Leaders::five_star, cell("de", 1)[0], 3), Names{"one"});
  EXPECT_EQ(leaders(Leaders::five_star, cell("fr", 1)[0], 3), Names{});
  EXPECT_EQ(leaders(Leaders::average, any, 10), (Names{"none", "twin a", "twin b", "one", "many"}))
      << "two fives weigh less than nine fours";
  auto first = wait(store_->view()->leaders(Leaders::five_star, any, 1)).value();
  EXPECT_EQ(first.at(0).ratings, (RatingCounts{9, 0, 0, 0, 4}));
  // A product leaves the leaderboard with its last 5-rated comment.
  ASSERT_TRUE(wait(store_->update(id_at(1000 + made - 1, made - 1), {.rating = 4})));
  EXPECT_EQ(leaders(Leaders::five_star, any, 10).size(), 3u);
}

TEST_P(StoreContract, AScanSeesEachCommentOnce) {
  std::vector<Ulid> all, seen;
  for (std::uint64_t i = 0; i < 9; ++i)
    all.push_back(add(comment_at(1000 + i, i, "en", 5, "p" + std::to_string(i / 2))).id);
  auto view = store_->view();
  std::optional<Ulid> after;
  for (bool end = false; !end;) {
    auto slice = wait(view->scan(after, 4)).value();
    EXPECT_LE(slice.entries.size(), 4u);
    for (const auto& entry : slice.entries) {
      seen.push_back(entry.id);
      EXPECT_EQ(decode_document(entry.document)->id, entry.id);
    }
    if (!slice.entries.empty()) after = seen.back();
    end = slice.end;
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, all);
}

TEST_P(WritingContract, ARepeatedRequestGetsItsFirstResponse) {
  constexpr std::uint64_t day = 86'400'000;
  auto all = [&] { return ids(Order::newest_first, {Cell{}, {}, many}).size(); };
  RequestKey key{{1}, {7}, 1'000'000};
  auto first = wait(store_->insert(comment_at(1000, 1, "en", 5), key)).value();
  EXPECT_EQ(wait(store_->insert(comment_at(1000, 2, "en", 5), key)).value(), first);
  EXPECT_EQ(all(), 1u);
  RequestKey other_body{{1}, {8}, 1'000'001};
  EXPECT_EQ(wait(store_->insert(comment_at(1000, 3, "en", 5), other_body)).error().code,
            ErrorCode::idempotency_conflict);
  EXPECT_EQ(all(), 1u);
  RequestKey a_day_later{{1}, {8}, 1'000'000 + day};
  EXPECT_NE(wait(store_->insert(comment_at(1000, 4, "en", 5), a_day_later)).value(), first);
  EXPECT_EQ(all(), 2u);
  // The second use of the key is kept, although the first one has expired.
  RequestKey again{{1}, {8}, 1'000'001 + day};
  insert(comment_at(1000, 5, "en", 5));
  ASSERT_TRUE(
      wait(store_->insert(comment_at(1000, 6, "en", 5), RequestKey{{2}, {8}, 1'000'001 + day})));
  EXPECT_TRUE(wait(store_->insert(comment_at(1000, 7, "en", 5), again)));
  EXPECT_EQ(all(), 4u);
}

TEST_P(StoreContract, ReopeningKeepsEverything) {
  for (std::uint64_t i = 0; i < 20; ++i)
    add(comment_at(1000 + i, i, "en", static_cast<int>(i % 5) + 1));
  auto before = ids(Order::newest_first, {Cell{}, {}, many});
  reopen();
  EXPECT_EQ(ids(Order::newest_first, {Cell{}, {}, many}), before);
  EXPECT_EQ(before.size(), 20u);
}

TEST_P(SnapshotContract, AViewSeesOneState) {
  insert(comment_at(1000, 1, "en", 5));
  auto view = store_->view();
  EXPECT_EQ(wait(view->counts("42"))->total(), 1u);
  insert(comment_at(1001, 2, "en", 5));
  EXPECT_EQ(wait(view->comments("42", Order::newest_first, {}, many))->entries.size(), 1u);
}

// The bitmap index of a view sees the same state as the view.
TEST_P(CountingContract, TheIndexFollowsTheWrites) {
  const std::size_t comments = sanitized ? 60 : 150;
  std::vector<Comment> written;
  for (std::uint64_t i = 0; i < comments; ++i) {
    written.push_back(add(
        comment_at(1000 + i * 7919 % 100, i, i % 3 ? "en" : "de", static_cast<int>(i % 5) + 1)));
  }
  for (std::size_t i = 0; i < comments; i += 7) stand_->remove(written[i]);
  for (std::size_t i = 1; i < comments; i += 7) {
    written[i].rating = 3;
    stand_->change(written[i]);
  }
  auto view = store_->view();
  auto source = stand_->bitmaps(*view, "42");
  if (!source) return;
  std::vector<Comment> all;
  auto slice = wait(view->comments("42", Order::oldest_first, {}, many)).value();
  for (const auto& entry : slice.entries) all.push_back(decode_document(entry.document).value());
  auto& reader = *source->reader;
  EXPECT_EQ(reader.length(), all.size());
  for (FacetNumber facet : {language_number, rating_number}) {
    std::uint64_t sum = 0;
    for (auto [code, ids] : reader.values(facet)) {
      std::vector<Ulid> members;
      for (const auto& comment : all) {
        auto values = bitmap_index::values_of(source->hash_key, Schema(), comment);
        bool member = std::any_of(values.begin(), values.end(), [&](const auto& value) {
          return value.facet == facet && value.code == code;
        });
        if (member) members.push_back(comment.id);
      }
      EXPECT_EQ(ids, members.size());
      sum += ids;
      for (std::size_t n = 0; n < members.size(); n += 11) {
        EXPECT_EQ(reader.nth(facet, code, n), members[n]);
        EXPECT_EQ(reader.rank(facet, code, members[n]), n);
      }
      EXPECT_EQ(reader.nth(facet, code, members.size()), std::nullopt);
    }
    EXPECT_EQ(sum, all.size());
  }
  EXPECT_EQ(stand_->bitmaps(*view, "nobody")->reader, nullptr);
}

INSTANTIATE_TEST_SUITE_P(All, StoreContract,
                         testing::Values(on_embedded, on_local, on_parts, on_dynalite,
                                         adopted_with_lmdb, adopted_by_time, adopted_by_lists),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, CountingContract,
                         testing::Values(on_embedded, on_local, on_parts, on_dynalite,
                                         adopted_with_lmdb),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, FollowingContract,
                         testing::Values(on_embedded, on_local, on_parts, adopted_with_lmdb),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, WritingContract, testing::Values(on_embedded, on_parts, on_dynalite),
                         name_of);
INSTANTIATE_TEST_SUITE_P(All, StatisticsContract, testing::Values(on_embedded, on_parts), name_of);
INSTANTIATE_TEST_SUITE_P(All, SnapshotContract, testing::Values(on_embedded), name_of);

}  // namespace
}  // namespace quire
