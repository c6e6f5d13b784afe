// The table as the source of a projection: the changes in its records; and all of it on a real
// server.
#include "store/dynamodb/stream/source.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>

#include "base/clock.h"
#include "store/dynamodb/items/queue_items.h"
#include "store/dynamodb/provision/table.h"
#include "store/dynamodb/statistics/statistics.h"
#include "store/support.h"
#include "store/table_backend.h"

namespace quire::dynamodb {
namespace {

using projection::Lease;
using projection::Leases;
using Changes = std::vector<change::Change>;

Record record_of(Item before, Item after) {
  auto kind = before.empty()  ? Record::Kind::insert
              : after.empty() ? Record::Kind::remove
                              : Record::Kind::modify;
  Item key = after.empty() ? before : after;
  return {kind, "100", key, std::move(before), std::move(after)};
}

const Comment five = comment_at(1000, 1, "en", 5);

Comment with(Comment comment, std::string language, int rating, std::string product = "42") {
  comment.language = std::move(language);
  comment.rating = rating;
  comment.product = std::move(product);
  return comment;
}

change::IndexedValues values(std::string language, int rating) {
  return change::IndexedValues(with(five, std::move(language), rating));
}

Changes told(const Record& record) {
  return changes_of(record).changes;
}

TEST(ChangesOf, AnInsertAModificationAndARemoval) {
  Item is = comment_item(five), moved = comment_item(with(five, "de", 1));
  auto en5 = values("en", 5), de1 = values("de", 1);
  EXPECT_EQ(told(record_of({}, is)), (Changes{{"42", five.id, {}, en5, "100"}}));
  EXPECT_EQ(told(record_of(is, moved)), (Changes{{"42", five.id, en5, de1, "100"}}));
  EXPECT_EQ(told(record_of(is, {})), (Changes{{"42", five.id, en5, {}, "100"}}));
}

TEST(ChangesOf, AChangedTextIsAChangeThatMovesNothing) {
  Comment other = five;
  other.text = "another";
  change::IndexedValues from(five), to(other);
  auto changes = told(record_of(comment_item(five), comment_item(other)));
  EXPECT_EQ(changes, (Changes{{"42", five.id, from, to, "100"}}));
  EXPECT_FALSE(change::moves(changes.front()));
  EXPECT_TRUE(change::rewords(changes.front()));
  other = five;
  other.author = "another";
  EXPECT_TRUE(told(record_of(comment_item(five), comment_item(other))).empty());
}

// Votes, say, leave the words of a comment alone; what is not known to do so does not.
TEST(ChangesOf, ChangesRewordByTextsAndLanguage) {
  Comment voted = five, german = five;
  voted.attributes["votes"] = std::int64_t{8};
  german.language = "de";
  change::IndexedValues is(five), votes(voted), de(german);
  EXPECT_FALSE(change::rewords({"42", five.id, is, votes}));
  EXPECT_TRUE(change::rewords({"42", five.id, is, de}));
  EXPECT_TRUE(change::rewords({"42", five.id, {}, is}));
  EXPECT_TRUE(change::rewords({"42", five.id, is, {}}));
  EXPECT_FALSE(change::rewords({"42", five.id, is, cell("de", 5)})) << "its texts are not known";
  EXPECT_FALSE(change::rewords({"42", five.id, {}, cell("de", 5)}));
}

TEST(ChangesOf, ChangedAttributesAreAChangeOfThemAlone) {
  Comment more = five;
  more.attributes = {{"verified", true}, {"tags", std::vector<std::string>{"fit", "gift"}}};
  Comment votes = more;
  votes.attributes["votes"] = std::int64_t{8};
  change::IndexedValues none(five), some(more), counted(votes);
  auto items = std::array{comment_item(five), comment_item(more), comment_item(votes)};
  EXPECT_EQ(told(record_of({}, items[1])), (Changes{{"42", five.id, {}, some, "100"}}));
  EXPECT_EQ(told(record_of(items[0], items[1])), (Changes{{"42", five.id, none, some, "100"}}));
  EXPECT_EQ(told(record_of(items[1], items[2])), (Changes{{"42", five.id, some, counted, "100"}}));
  EXPECT_EQ(told(record_of(items[2], {})), (Changes{{"42", five.id, counted, {}, "100"}}));
  EXPECT_FALSE(change::moves(told(record_of(items[1], items[2])).front()));
}

// Quire never writes such a record. Two products change, and a step takes both changes or none.
TEST(ChangesOf, ACommentThatIsMovedToAnotherProduct) {
  Item is = comment_item(five), there = comment_item(with(five, "en", 4, "a/b#c"));
  EXPECT_EQ(told(record_of(is, there)), (Changes{{"42", five.id, values("en", 5), {}, "100"},
                                                 {"a/b#c", five.id, {}, values("en", 4), "100"}}));
}

TEST(ChangesOf, OtherItemsGiveNone) {
  Item statistics = statistics_item("42", any, {0, 0, 0, 0, 1});
  for (const auto& item : {statistics, key_of("PRODUCTS", "42"), key_of("PROJECTION#p", "LEASE#s"),
                           key_of("ONCE#abc", "ONCE#abc"), key_of("SEEN#1", "SEEN#1")}) {
    EXPECT_TRUE(told(record_of({}, item)).empty());
    EXPECT_TRUE(told(record_of(item, {})).empty());
  }
}

// Publishing is an insert, and holding a removal, whatever else changes.
TEST(ChangesOf, ACommentThatIsNotPublishedIsNotThere) {
  Comment waiting = with(five, "de", 2);
  waiting.moderation = held({}, "links", 4000);
  Comment refused = waiting;
  refused.moderation = {.status = CommentStatus::rejected, .reason = "spam"};
  Item is = comment_item(five), pending = comment_item(waiting), rejected = comment_item(refused);
  EXPECT_TRUE(told(record_of({}, pending)).empty());
  EXPECT_TRUE(told(record_of(pending, rejected)).empty());
  EXPECT_TRUE(told(record_of(rejected, {})).empty());
  EXPECT_EQ(told(record_of(pending, is)), (Changes{{"42", five.id, {}, values("en", 5), "100"}}));
  EXPECT_EQ(told(record_of(is, rejected)), (Changes{{"42", five.id, values("en", 5), {}, "100"}}));
  EXPECT_FALSE(changes_of(record_of(is, rejected)).damage);
  Item reports = reports_item(five.id, {}, true);
  EXPECT_TRUE(told(record_of({}, reports)).empty());
  EXPECT_FALSE(changes_of(record_of({}, reports)).damage);
}

// A comment that becomes damaged leaves its lists, and returns when it is repaired.
TEST(ChangesOf, ADamagedCommentIsNotThere) {
  Item whole = comment_item(five);
  std::vector<Item> damaged;
  for (const char* name : {"rating", "language"}) {
    damaged.push_back(whole);
    damaged.back().erase(name);
  }
  for (auto rating : {number(0), number(6), string("five")}) {
    damaged.push_back(whole);
    damaged.back().insert_or_assign("rating", rating);
  }
  damaged.push_back(whole);
  damaged.back().insert_or_assign("data", string("{"));
  damaged.push_back(whole);
  for (const char* key : {"PK", "SK"})
    damaged.back().insert_or_assign(key, string("COMMENT#no-id"));
  damaged.push_back(whole);
  for (auto attribute : partition_attributes) damaged.back().erase(std::string(attribute));
  for (const auto& item : damaged) {
    EXPECT_EQ(told(record_of(whole, item)), (Changes{{"42", five.id, values("en", 5), {}, "100"}}));
    EXPECT_EQ(told(record_of(item, whole)), (Changes{{"42", five.id, {}, values("en", 5), "100"}}));
    EXPECT_TRUE(told(record_of({}, item)).empty());
    EXPECT_TRUE(told(record_of(item, item)).empty());
    auto damage = changes_of(record_of(whole, item)).damage;
    ASSERT_TRUE(damage);
    EXPECT_EQ(damage->key, item.at("PK").text);
    EXPECT_FALSE(changes_of(record_of(item, whole)).damage);
  }
}

class SourceTest : public testing::Test {
 protected:
  static Address address(const std::string& table) {
    return table_address(endpoint_of<LocalDynamo>(), table, StatisticsBy::stream);
  }
  static std::string table_name() {
    static int made = 0;
    return "source" + std::to_string(++made);
  }

  projection::Stream stream() { return wait(source_.stream()).value(); }
  // Reads on after the record, until there is nothing more.
  Changes read_all(std::string place = {}) {
    auto now = stream();
    auto iterator = wait(source_.iterator(now.arn, now.shards.at(0).id, place)).value();
    EXPECT_FALSE(iterator.gone);
    Changes changes;
    for (int empty = 0; empty < 3;) {
      auto read = wait(source_.read(iterator.text)).value();
      EXPECT_EQ(read.kind, projection::Read::Kind::records);
      EXPECT_FALSE(read.next.empty()) << "an open shard has no end";
      empty = read.records == 0 ? empty + 1 : 0;
      records_ += read.records;
      if (!read.sequence.empty()) last_ = read.sequence;
      changes.insert(changes.end(), read.changes.begin(), read.changes.end());
      iterator.text = read.next;
    }
    return changes;
  }
  void insert(const Comment& comment) { ASSERT_TRUE(wait(store_->insert(comment, {}))); }

  std::string name_ = table_name();
  std::unique_ptr<TableStore> store_ = open_table(address(name_));
  TableSource source_{store_->access(), address(name_)};
  std::size_t records_ = 0;
  std::string last_;
};

TEST_F(SourceTest, AStreamHasAnOpenShard) {
  auto now = stream();
  EXPECT_NE(now.arn.find("table/" + name_ + "/stream/"), std::string::npos) << now.arn;
  ASSERT_EQ(now.shards.size(), 1u);
  EXPECT_TRUE(now.shards[0].open);
  EXPECT_TRUE(read_all().empty());
  EXPECT_EQ(last_, "");
}

TEST_F(SourceTest, RecordsComeInOrderAndAfterAnyRecord) {
  insert(five);
  ASSERT_TRUE(wait(store_->update(five.id, {.language = "de"})));
  ASSERT_TRUE(wait(store_->update(five.id, {.text = "another"})));
  ASSERT_TRUE(wait(store_->update(five.id, {.rating = 1})));
  insert(comment_at(2000, 2, "fr", 3, "a/b"));
  ASSERT_TRUE(wait(store_->remove(five.id)));
  auto changes = read_all();
  Ulid other = id_at(2000, 2);
  auto de5 = values("de", 5), de1 = values("de", 1), fr3 = values("fr", 3), another = de5;
  another.texts->text = de1.texts->text = "another";
  fr3.texts = change::IndexedValues(comment_at(2000, 2, "fr", 3, "a/b")).texts;
  Changes wanted{{"42", five.id, {}, values("en", 5)},
                 {"42", five.id, values("en", 5), de5},
                 {"42", five.id, de5, another},
                 {"42", five.id, another, de1},
                 {"a/b", other, {}, fr3},
                 {"42", five.id, de1, {}}};
  EXPECT_EQ(records_, 6u);
  ASSERT_EQ(changes.size(), wanted.size());
  EXPECT_EQ(last_, changes.back().sequence);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i].sequence = changes[i].sequence;
    EXPECT_EQ(changes[i], wanted[i]) << i;
    if (i > 0) {
      EXPECT_TRUE(earlier(changes[i - 1].sequence, changes[i].sequence));
    }
    Changes later(changes.begin() + static_cast<std::ptrdiff_t>(i) + 1, changes.end());
    EXPECT_EQ(read_all(changes[i].sequence), later);
  }
}

TEST_F(SourceTest, RecordsOfLeasesAndMarksGiveNoChanges) {
  TableStatistics statistics(store_->access());
  ASSERT_TRUE(wait(source_.put_lease("p", "s", {}, Lease{"a", 1})));
  ASSERT_TRUE(wait(statistics.reset({change::Phase::following, "e", "arn", {{"s", {}}}})));
  insert(five);
  auto changes = read_all();
  EXPECT_EQ(changes.size(), 1u);
  EXPECT_GE(records_, 4u);
}

TEST_F(SourceTest, TimesAreThoseOfTheRecords) {
  insert(five);
  auto now = stream();
  auto iterator = wait(source_.iterator(now.arn, now.shards.at(0).id, "")).value();
  auto read = wait(source_.read(iterator.text)).value();
  ASSERT_EQ(read.records, 1u);
  // This server gives times to the minute.
  EXPECT_LE(read.made_ms, system_ms());
  EXPECT_GE(read.made_ms + 120'000, system_ms());
}

TEST_F(SourceTest, AMissingShardIsGone) {
  auto now = stream();
  auto of = [&](std::string arn, std::string shard) {
    return wait(source_.iterator(std::move(arn), std::move(shard), "")).value().gone;
  };
  auto shard = now.shards.at(0).id;
  EXPECT_FALSE(of(now.arn, shard));
  auto other = shard;
  other.back() = other.back() == '0' ? '1' : '0';
  EXPECT_TRUE(of(now.arn, other));
  auto arn = now.arn;
  arn.replace(arn.find("/stream/") + 8, 4, "2001");
  EXPECT_TRUE(of(arn, shard));
}

TEST_F(SourceTest, ATableWithoutAStreamIsAnError) {
  auto& client = store_->access().client;
  auto change = [&](boost::json::object specification) {
    boost::json::object body{{"TableName", name_},
                             {"StreamSpecification", std::move(specification)}};
    Call call{"UpdateTable", boost::json::serialize(body), Repeat::safe};
    auto answer = wait(store_->access().loop.run(client.send(std::move(call))));
    EXPECT_FALSE(answer.failure) << answer.failure->message;
  };
  auto old = stream();
  change({{"StreamEnabled", false}});
  auto none = wait(source_.stream());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::invalid_parameter);
  change({{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}});
  EXPECT_EQ(wait(source_.stream()).error().code, ErrorCode::invalid_parameter);
  change({{"StreamEnabled", false}});
  change({{"StreamEnabled", true}, {"StreamViewType", "NEW_AND_OLD_IMAGES"}});
  EXPECT_NE(stream().arn, old.arn) << "another stream, so a worker notices";
}

// Each comment is in exactly one segment, and pages go on where the last one ended.
TEST_F(SourceTest, AScanInSegmentsHasEachCommentOnce) {
  std::vector<Comment> comments;
  for (std::uint64_t i = 0; i < 2500; ++i)
    comments.push_back(comment_at(1000 + i, i, i % 2 ? "en" : "de", static_cast<int>(i % 5) + 1));
  // A write whose answer comes too late is sent again, and then counts as there before.
  ASSERT_TRUE(wait(store_->insert_many(comments)));
  ASSERT_TRUE(wait(source_.put_lease("p", "s", {}, Lease{"a", 1})));
  for (std::size_t segments : {1u, 3u, 8u}) {
    std::map<Ulid, change::Change> found;
    std::size_t pages = 0;
    for (std::size_t segment = 0; segment < segments; ++segment) {
      std::string place;
      for (bool ended = false; !ended; ++pages) {
        auto scanned = wait(source_.scan(segment, segments, place)).value();
        for (const auto& change : scanned.changes)
          EXPECT_TRUE(found.emplace(change.id, change).second) << "twice";
        place = scanned.read_to;
        ended = scanned.ended;
        EXPECT_EQ(place.empty(), ended);
      }
    }
    EXPECT_GE(pages, std::max<std::size_t>(segments, 3));
    ASSERT_EQ(found.size(), comments.size());
    for (const auto& comment : comments) {
      change::Change wanted{"42", comment.id, {}, change::IndexedValues(comment)};
      EXPECT_EQ(found[comment.id], wanted);
    }
  }
  for (const char* damaged : {"x", "{}x", "[]"}) EXPECT_FALSE(wait(source_.scan(0, 1, damaged)));
}

TEST_F(SourceTest, ALeaseReplacesOnlyTheLeaseThatWasRead) {
  auto put = [&](std::string projection, std::optional<Lease> before, std::optional<Lease> after) {
    return wait(source_.put_lease(projection, "shard/1", before, after)).value();
  };
  auto leases = [&](std::string projection) { return wait(source_.leases(projection)).value(); };
  Lease a{"a", 1}, b{"b", 7};
  EXPECT_TRUE(leases("p").empty());
  EXPECT_FALSE(put("p", a, b)) << "there is none";
  EXPECT_FALSE(put("p", a, {}));
  EXPECT_TRUE(put("p", {}, a));
  EXPECT_EQ(leases("p"), (Leases{{"shard/1", a}}));
  EXPECT_FALSE(put("p", {}, b)) << "there is one";
  EXPECT_FALSE(put("p", Lease{"a", 2}, b));
  EXPECT_FALSE(put("p", Lease{"b", 1}, b));
  EXPECT_FALSE(put("p", b, {}));
  EXPECT_EQ(leases("p"), (Leases{{"shard/1", a}}));
  EXPECT_TRUE(put("q", {}, b)) << "another projection's";
  EXPECT_TRUE(put("p", a, Lease{"", 2}));
  EXPECT_TRUE(put("p", Lease{"", 2}, b));
  EXPECT_TRUE(put("p", b, {}));
  EXPECT_TRUE(leases("p").empty());
  EXPECT_EQ(leases("q"), (Leases{{"shard/1", b}}));
}

// Leases lie in the same partition as the marks.
TEST_F(SourceTest, LeasesOfTheStatisticsAreNoMarks) {
  TableStatistics statistics(store_->access());
  change::State state{
      change::Phase::following, "e", "arn", {{"shard/1", {"4", false, 5}}, {"t", {}}}};
  ASSERT_TRUE(wait(statistics.reset(state)));
  ASSERT_TRUE(wait(source_.put_lease("statistics", "shard/1", {}, Lease{"a", 1})).value());
  EXPECT_EQ(wait(source_.leases("statistics")).value(), (Leases{{"shard/1", {"a", 1}}}));
  EXPECT_EQ(wait(statistics.state()).value(), state);
}

TEST_F(SourceTest, AnUnreachableServiceIsUnavailable) {
  auto nowhere = table_address("http://127.0.0.1:1", name_, StatisticsBy::stream);
  TableAccess access(nowhere);
  TableSource source(access, nowhere);
  for (auto code : {wait(source.stream()).error().code, wait(source.read("x")).error().code,
                    wait(source.iterator("arn", "s", "")).error().code,
                    wait(source.scan(0, 1, "")).error().code, wait(source.leases("p")).error().code,
                    wait(source.put_lease("p", "s", {}, Lease{"a", 1})).error().code})
    EXPECT_EQ(code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace quire::dynamodb
