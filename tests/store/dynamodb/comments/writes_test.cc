// The store's writes leave the table consistent whatever fails. The service is in memory, and fails
// as a test asks.
#include "store/dynamodb/comments/writes.h"

#include <gtest/gtest.h>

#include <random>

#include "model/document.h"
#include "store/dynamodb/service.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

using Documents = std::vector<Awaitable<Result<std::string>>>;

constexpr std::uint64_t now_ms = 1'700'000'000'500, day_ms = 86'400'000;

// A test of writes that run concurrently.
Awaitable<Result<std::string>> document_of(Awaitable<Result<Edited>> change) {
  auto edited = co_await std::move(change);
  if (!edited) co_return edited.error();
  co_return edited->after;
}

RequestKey key(std::uint8_t name, std::uint8_t body = 1, std::uint64_t at_ms = now_ms) {
  return {{name}, {body}, at_ms};
}

Comment numbered(std::uint64_t i, std::string product = "42") {
  return comment_at(1000 + i, i, i % 3 ? "en" : "de", static_cast<int>(i % 5) + 1, product);
}

class WritesTest : public testing::TestWithParam<StatisticsBy>, protected Looped {
 protected:
  void TearDown() override {
    if (by_write()) {
      EXPECT_EQ(beside_comments(service_.table), recount(service_.table));
    } else {
      EXPECT_TRUE(beside_comments(service_.table).empty());
    }
    for (const auto& [place, item] : service_.table.items)
      EXPECT_FALSE(item.contains("pending")) << place.first;
  }

  bool by_write() const { return GetParam() == StatisticsBy::write; }
  // The operation that puts a comment.
  std::string insertion() const { return by_write() ? "TransactWriteItems" : "PutItem"; }
  Writes& writes() { return process_.writes; }
  std::vector<Comment> comments() { return comments_in(service_.table); }
  Result<std::string> insert(const Comment& comment, std::optional<RequestKey> once = {}) {
    return run(writes().insert(comment, once));
  }
  // Returns how many were added.
  Result<std::size_t> import(const std::vector<Comment>& comments) {
    std::vector<ImportRow> rows;
    for (const auto& comment : comments) rows.push_back({comment});
    auto imported = run(writes().import_rows(std::move(rows)));
    if (!imported) return imported.error();
    return imported->added;
  }

  PlainService service_;
  Process process_{context, service_, GetParam()};
};

TEST_P(WritesTest, ARepeatedKeyGivesTheFirstAnswer) {
  Comment odd = numbered(1);
  odd.text = "\"<😀>\"\n\t&";
  auto first = insert(odd, key(1)).value();
  EXPECT_EQ(decode_document(first), odd);
  EXPECT_EQ(insert(numbered(2), key(1)).value(), first);
  EXPECT_EQ(insert(numbered(3), key(1, 2)).error().code, ErrorCode::idempotency_conflict);
  EXPECT_EQ(insert(numbered(4), key(1, 1, now_ms + day_ms - 1000)).value(), first);
  EXPECT_EQ(comments(), std::vector<Comment>{odd});
}

TEST_P(WritesTest, AKeyIsForgottenAfterADay) {
  ASSERT_TRUE(insert(numbered(1), key(1)));
  auto second = insert(numbered(2), key(1, 2, now_ms + day_ms + 5000)).value();
  EXPECT_EQ(decode_document(second), numbered(2));
  EXPECT_EQ(insert(numbered(3), key(1, 2, now_ms + 2 * day_ms)).value(), second);
  EXPECT_EQ(comments().size(), 2u);
}

TEST_P(WritesTest, ConcurrentRequestsWithOneKeyPutOneComment) {
  Process other(context, service_, GetParam());
  Documents works;
  for (std::uint64_t i = 0; i < 20; ++i)
    works.push_back((i % 2 ? process_ : other).writes.insert(numbered(i), key(1)));
  std::set<std::string> documents;
  for (const auto& document : run_all(std::move(works))) documents.insert(document.value());
  EXPECT_EQ(documents.size(), 1u);
  EXPECT_EQ(comments().size(), 1u);
}

// The comment may be there or not; either way the repetition leaves it there once.
TEST_P(WritesTest, ARepetitionSettlesARequestWithoutAnswer) {
  std::uint8_t name = 0;
  for (Fault what : {Fault::applied, Fault::not_applied}) {
    // The key and the comment are written; with statistics kept by a stream, then the key again.
    for (std::size_t good = 0; good < (by_write() ? 1u : 3u); ++good) {
      service_.fault = [&, seen = std::size_t{0}](const std::string& operation,
                                                  const auto&) mutable {
        return operation == insertion() && seen++ >= good ? what : Fault::none;
      };
      auto before = comments().size();
      auto number = static_cast<std::uint64_t>(++name) * 10;
      EXPECT_EQ(insert(numbered(number), key(name)).error().code, ErrorCode::unavailable);
      service_.fault = {};
      auto document = insert(numbered(number + 1), key(name));
      ASSERT_TRUE(document);
      ASSERT_EQ(comments().size(), before + 1) << good;
      EXPECT_EQ(comments().back(), decode_document(*document));
      EXPECT_EQ(insert(numbered(number + 2), key(name)).value(), *document);
    }
  }
}

// The key's item holds all of the comment that a repetition puts.
TEST_P(WritesTest, ARepetitionKeepsTheStatusOfAHeldComment) {
  Comment comment = numbered(1);
  comment.moderation = held({}, "links", 4000);
  comment.moderation.note = "look";
  service_.fault = [&, left = by_write() ? 0 : 1](const std::string& operation,
                                                  const auto&) mutable {
    return operation == insertion() && --left < 0 ? Fault::not_applied : Fault::none;
  };
  EXPECT_FALSE(insert(comment, key(1)));
  service_.fault = {};
  auto document = insert(by_write() ? comment : numbered(2), key(1)).value();
  EXPECT_EQ(document, encode_document(comment, Members::kept));
  EXPECT_EQ(comments(), std::vector<Comment>{comment});
  EXPECT_EQ(insert(numbered(3), key(1)).value(), document);
}

// Another process removes the comment between the two steps of the repetition.
TEST_P(WritesTest, ARepetitionDoesNotBringARemovedCommentBack) {
  if (by_write()) return;  // the key and the comment are written at once
  auto at_put = [&](int number, Fault what, std::function<void()> before) {
    service_.fault = [this, number, what, before, seen = 0](const std::string& operation,
                                                            const auto&) mutable {
      if (operation != insertion() || ++seen != number) return Fault::none;
      before();
      return what;
    };
  };
  at_put(3, Fault::refused, [] {});
  EXPECT_FALSE(insert(numbered(1), key(1)));
  EXPECT_EQ(comments().size(), 1u);
  at_put(1, Fault::none, [&] { service_.table.items.clear(); });
  EXPECT_EQ(insert(numbered(2), key(1)).value(), encode_document(numbered(1)));
  EXPECT_TRUE(service_.table.items.empty());
}

TEST_P(WritesTest, AnIdThatIsTakenIsAnError) {
  ASSERT_TRUE(insert(numbered(1)));
  EXPECT_EQ(insert(numbered(1)).error().code, ErrorCode::unavailable);
  EXPECT_EQ(comments().size(), 1u);
}

TEST_P(WritesTest, ADamagedCommentIsNotChangedAndCanBeRemoved) {
  Comment comment = numbered(1);
  Item damaged = comment_item(comment);
  damaged.erase("language");
  damaged["data"] = {Type::other, R"({"L":[]})"};
  service_.table.items[PlainTable::key_in(damaged)] = damaged;
  EXPECT_EQ(run(writes().update(comment.id, {.rating = 4})).error().code, ErrorCode::not_found);
  EXPECT_FALSE(run(writes().remove(comment.id, {.product = "4"})));
  EXPECT_EQ(run(writes().remove(comment.id)).value(), "") << "there is no document to return";
  EXPECT_TRUE(service_.table.items.empty());
  EXPECT_EQ(run(writes().remove(comment.id)).error().code, ErrorCode::not_found);
}

// Other programs leave out empty texts, and add attributes of their own.
TEST_P(WritesTest, AForeignCommentIsChangedAndKeepsItsOtherAttributes) {
  Comment comment = numbered(1);
  ASSERT_TRUE(insert(comment));
  auto place = PlainTable::key_in(comment_key(comment.id));
  service_.table.items[place].erase("data");
  service_.table.items[place]["mine"] = string("kept");
  comment.author = comment.text = "";
  comment.title = "New";
  ASSERT_TRUE(run(writes().update(comment.id, {.title = "New"})));
  EXPECT_EQ(comments(), std::vector<Comment>{comment});
  EXPECT_EQ(service_.table.items[place]["mine"], string("kept"));
  service_.table.items[place].erase("data");
  EXPECT_TRUE(run(writes().remove(comment.id)));
  EXPECT_TRUE(comments().empty());
}

// The first answer to the key has the comment's text.
TEST_P(WritesTest, ARemovedCommentsKeyIsRemovedToo) {
  ASSERT_TRUE(insert(numbered(1), key(1)));
  ASSERT_TRUE(run(writes().update(numbered(1).id, {.title = "New"})));
  ASSERT_TRUE(run(writes().remove(numbered(1).id)));
  EXPECT_TRUE(service_.table.items.empty()) << service_.table.items.begin()->first.first;
  EXPECT_EQ(decode_document(insert(numbered(2), key(1)).value()), numbered(2));
  EXPECT_EQ(insert(numbered(3), key(1)).value(), encode_document(numbered(2)));
}

// Another process changes the comment between the removal of its key and its own.
TEST_P(WritesTest, ARemovalThatIsRefusedInTheEndLeavesTheKey) {
  auto first = insert(numbered(1), key(1)).value();
  auto place = PlainTable::key_in(comment_key(numbered(1).id));
  int removals = by_write() ? 0 : -1;  // in the table's own operation; the key's comes first
  service_.fault = [&](const std::string& operation, const auto&) {
    bool removal = operation == (by_write() ? "TransactWriteItems" : "DeleteItem");
    if (removal && ++removals == 1) service_.table.items[place].erase("data");
    return Fault::none;
  };
  auto removed = run(writes().remove(numbered(1).id, {.tags = {document_tag(first)}}));
  EXPECT_EQ(removed.error().code, ErrorCode::precondition_failed);
  EXPECT_EQ(removals, 1);
  service_.fault = {};
  EXPECT_EQ(insert(numbered(2), key(1)).value(), first);
  EXPECT_EQ(comments().size(), 1u);
}

TEST_P(WritesTest, AKeyTakenByAnotherCommentIsLeftAlone) {
  ASSERT_TRUE(insert(numbered(1), key(1)));
  auto second = insert(numbered(2), key(1, 1, now_ms + day_ms + 5000)).value();
  ASSERT_TRUE(run(writes().remove(numbered(1).id)));
  EXPECT_EQ(insert(numbered(3), key(1, 1, now_ms + day_ms + 6000)).value(), second);
}

TEST_P(WritesTest, AMissingCommentIsNotFound) {
  ASSERT_TRUE(insert(numbered(1)));
  Ulid id = numbered(1).id;
  EXPECT_EQ(run(writes().update(id_at(9, 9), {.rating = 4})).error().code, ErrorCode::not_found);
  EXPECT_EQ(run(writes().remove(id_at(9, 9))).error().code, ErrorCode::not_found);
  service_.asked.clear();
  ASSERT_TRUE(run(writes().update(id, {.author = "Ann"})));
  EXPECT_EQ(service_.asked, (std::map<std::string, std::size_t>{{"GetItem", 1}}))
      << "it is so already";
}

TEST_P(WritesTest, ConcurrentUpdatesOfOneCommentAreAllMade) {
  ASSERT_TRUE(insert(numbered(1)));
  Ulid id = numbered(1).id;
  Documents works;
  works.push_back(document_of(writes().update(id, {.rating = 4})));
  works.push_back(document_of(writes().update(id, {.author = "Bo"})));
  works.push_back(document_of(writes().update(id, {.language = "fr"})));
  works.push_back(document_of(writes().update(id, {.text = "other"})));
  for (const auto& document : run_all(std::move(works))) EXPECT_TRUE(document);
  auto after = comments().front();
  EXPECT_EQ(after.rating, 4);
  EXPECT_EQ(after.author, "Bo");
  EXPECT_EQ(after.language, "fr");
  EXPECT_EQ(after.text, "other");
}

TEST_P(WritesTest, AnImportOfLongCommentsFitsTheServicesLimits) {
  std::vector<Comment> comments;
  for (std::uint64_t i = 0; i < 60; ++i) {
    comments.push_back(numbered(i, "p" + std::to_string(i % 2)));
    for (int j = 0; j < 50'000; ++j) comments.back().text += "é";
  }
  EXPECT_EQ(import(comments).value(), 60u);
}

TEST_P(WritesTest, AnImportGoesOnAfterAFailure) {
  std::vector<Comment> all;
  for (std::uint64_t i = 0; i < 300; ++i) all.push_back(numbered(i));
  service_.fault = [&, seen = 0](const std::string& operation, const auto&) mutable {
    return operation == insertion() && ++seen == 2 ? Fault::refused : Fault::none;
  };
  ASSERT_TRUE(import(all));
  EXPECT_EQ(comments().size(), 300u);
}

TEST_P(WritesTest, AnImportStopsWhenFailuresGoOn) {
  std::vector<Comment> all;
  for (std::uint64_t i = 0; i < 300; ++i) all.push_back(numbered(i));
  service_.fault = [&, seen = 0](const std::string& operation, const auto&) mutable {
    return operation == insertion() && ++seen >= 2 ? Fault::refused : Fault::none;
  };
  EXPECT_EQ(import(all).error().code, ErrorCode::unavailable);
  EXPECT_LT(comments().size(), 300u);
  auto there = comments().size();
  service_.fault = {};
  EXPECT_EQ(import(all).value(), 300 - there) << "again adds the rest";
}

// Answers are lost, and requests; clients send each again.
TEST_P(WritesTest, AnImportPassesOverWhatWasRemovedWhateverFails) {
  std::vector<ImportRow> rows;
  for (std::uint64_t i = 0; i < 40; ++i) rows.push_back({numbered(i, i % 3 ? "a" : "b")});
  for (auto& row : rows) row.comment.attributes["source_id"] = "r";
  std::mt19937 random(3);
  service_.fault = [&](const std::string&, const auto&) {
    auto drawn = random() % 32;
    return drawn == 0 ? Fault::applied : drawn == 1 ? Fault::not_applied : Fault::none;
  };
  auto import_all = [&](ImportTerms terms = {}) {
    return run(writes().import_rows(rows, std::move(terms))).value();
  };
  import_all();
  std::vector<Comment> left;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % 2) {
      left.push_back(rows[i].comment);
      continue;
    }
    EXPECT_TRUE(run(writes().remove(rows[i].comment.id)));
  }
  EXPECT_EQ(comments(), left);
  for (auto& row : rows) row.comment.author = "Bo";
  for (auto& comment : left) comment.author = "Bo";
  auto again = import_all({.update = true});
  EXPECT_EQ(again.updated, left.size());
  EXPECT_EQ(again.removed_here, rows.size() - left.size());
  EXPECT_EQ(comments(), left);
  import_all({.again = true});
  EXPECT_EQ(comments().size(), rows.size());
}

TEST_P(WritesTest, CursorKeysAreTheSameForAllProcesses) {
  Process other(context, service_, GetParam());
  for (int round = 0; round < 50; ++round) {
    service_.table.items.clear();
    service_.fault = [round, seen = 0](const std::string& operation, const auto&) mutable {
      return operation == "PutItem" && ++seen == round % 3 ? Fault::applied : Fault::none;
    };
    Documents works;
    works.push_back(writes().keys("CURSOR-KEYS", "mine"));
    works.push_back(other.writes.keys("CURSOR-KEYS", "theirs"));
    auto keys = run_all(std::move(works));
    EXPECT_EQ(keys[0].value(), keys[1].value());
    EXPECT_EQ(run(writes().keys("CURSOR-KEYS", "new")).value(), keys[0].value());
  }
  service_.table.items.begin()->second.erase("keys");
  EXPECT_EQ(run(writes().keys("CURSOR-KEYS", "new")).error().code, ErrorCode::damaged);
  service_.table.items.clear();
}

// Two processes write to a few products at once, and about every tenth request fails.
TEST_P(WritesTest, TwoProcessesMakeEveryWriteTheyAcknowledge) {
  Process other(context, service_, GetParam());
  std::mt19937 random(20261121);
  service_.fault = [&](const auto&, const auto&) {
    constexpr Fault faults[] = {Fault::applied, Fault::not_applied, Fault::conflict};
    auto draw = random() % 30;
    bool conflicts = by_write() || draw < 2;
    return draw < std::size(faults) && conflicts ? faults[draw] : Fault::none;
  };
  std::map<Ulid, Comment> known;
  auto turn = [](const Comment&, Comment& after) -> Status {
    if (after.rating % 2) after.moderation = held(after.moderation, "words", 4000);
    return Done{};
  };
  for (std::uint64_t round = 0; round < 60; ++round) {
    std::map<Ulid, std::optional<Comment>> wanted;
    Documents works;
    std::vector<Ulid> ids;
    for (std::uint64_t i = 0; i < 6; ++i) {
      Process& process = i % 2 ? process_ : other;
      Comment comment = numbered(round * 10 + i, i % 3 ? "a" : "b");
      if (i >= 3 && known.size() > 6) {
        comment = std::next(known.begin(), static_cast<std::ptrdiff_t>(i))->second;
        comment.rating = comment.rating % 5 + 1;
        ASSERT_TRUE(turn({}, comment));
        works.push_back(
            document_of(process.writes.update(comment.id, {.rating = comment.rating}, {}, turn)));
      } else {
        works.push_back(process.writes.insert(
            comment, key(static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(round),
                         now_ms + round * 2 * day_ms)));
      }
      ids.push_back(comment.id);
      wanted[comment.id] = comment;
    }
    auto results = run_all(std::move(works));
    std::map<Ulid, Comment> found;
    for (const auto& comment : comments()) found.emplace(comment.id, comment);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!results[i]) continue;
      ASSERT_TRUE(found.contains(ids[i]));
      EXPECT_EQ(found.at(ids[i]), *wanted[ids[i]]);
    }
    for (const auto& [id, comment] : known) EXPECT_TRUE(found.contains(id));
    known = std::move(found);
  }
  service_.fault = {};
  // A request without an answer may leave a pending key until it is repeated.
  std::erase_if(service_.table.items,
                [](const auto& row) { return row.second.contains("pending"); });
  for (const auto& [id, comment] : known) {
    if (id.bytes.back() % 2) continue;
    EXPECT_TRUE(run(writes().remove(id)));
  }
}

INSTANTIATE_TEST_SUITE_P(KeptBy, WritesTest, each_way, name_of_way);

}  // namespace
}  // namespace quire::dynamodb
