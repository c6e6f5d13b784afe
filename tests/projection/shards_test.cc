// Which shards may be read, and when a state can no longer follow.
#include "projection/follower.h"

#include <gtest/gtest.h>

#include "plain_stream.h"

namespace quire {
namespace {

using change::as_of_ms;
using projection::broken_off;
using projection::first_marks;
using projection::forgettable;
using projection::readable;
using Names = std::vector<std::string>;
using Marks = std::map<std::string, Mark>;

constexpr std::uint64_t hour = 3'600'000;
constexpr std::uint64_t now_ms = 1'700'000'000'000;

// "a" open, "b<a" a child of a, "c." ended.
Stream stream_of(const Names& shards) {
  Stream stream{"arn", {}};
  for (const auto& text : shards) {
    bool open = !text.ends_with('.');
    auto name = text.substr(0, text.size() - !open);
    auto child = name.find('<');
    bool root = child == name.npos;
    stream.shards.push_back({name.substr(0, child), root ? "" : name.substr(child + 1), open});
  }
  return stream;
}

State state_of(Marks marks) {
  return {Phase::following, "e", "arn", std::move(marks)};
}
Mark going(std::string place = "1", std::uint64_t as_of = now_ms) {
  return {std::move(place), false, as_of};
}
Mark ended(std::string place = "9", std::uint64_t as_of = now_ms) {
  return {std::move(place), true, as_of};
}
std::string broken(const Marks& marks, const Names& shards) {
  return broken_off(state_of(marks), stream_of(shards), now_ms);
}
Names read(const Marks& marks, const Names& shards) {
  return readable(state_of(marks), stream_of(shards));
}
Names forgotten(const Marks& marks, const Names& shards) {
  return forgettable(state_of(marks), stream_of(shards));
}

TEST(Shards, BeginWithTheOpenShardsAsTheScanHasTheOthers) {
  auto marks = first_marks(stream_of({"a.", "b<a.", "c<b", "d"}), 7);
  EXPECT_EQ(marks, (Marks{{"a", {"", true, 7}},
                          {"b", {"", true, 7}},
                          {"c", {"", false, 7}},
                          {"d", {"", false, 7}}}));
  EXPECT_TRUE(first_marks(stream_of({}), 7).empty());
}

TEST(Shards, AreReadAfterTheirParents) {
  EXPECT_EQ(read({}, {"a", "b"}), (Names{"a", "b"}));
  EXPECT_EQ(read({}, {"a.", "b<a"}), Names{"a"}) << "it has ended, but what it had is not applied";
  EXPECT_EQ(read({{"a", going()}}, {"a.", "b<a", "c<a"}), Names{"a"});
  EXPECT_EQ(read({{"a", ended()}}, {"a.", "b<a", "c<a"}), (Names{"b", "c"}));
  EXPECT_EQ(read({{"a", ended()}, {"b", going()}}, {"a.", "b<a", "c<a"}), (Names{"b", "c"}));
  EXPECT_EQ(read({{"a", ended()}, {"b", ended()}}, {"a.", "b<a.", "c<b.", "d<c"}), Names{"c"});
  EXPECT_EQ(read({{"a", ended()}}, {"b<a"}), Names{"b"}) << "the parent is gone from the stream";
  EXPECT_EQ(read({}, {"b<a"}), Names{"b"}) << "broken_off() has told before";
  EXPECT_EQ(read({{"a", going()}, {"b", going("")}}, {"a.", "b<a"}), Names{"a"})
      << "the follower of a shard begins its children, and ends it afterwards";
  EXPECT_EQ(read({{"a", going()}, {"b", going()}}, {"a", "b<a"}), (Names{"a", "b"}));
  EXPECT_TRUE(read({{"a", ended()}}, {"a."}).empty());
  EXPECT_TRUE(read({}, {}).empty());
}

// No service makes one; it waits for ever, and ends no loop.
TEST(Shards, ARingOfParentsIsNotRead) {
  EXPECT_TRUE(read({}, {"a<b", "b<a"}).empty());
  EXPECT_TRUE(read({}, {"a<a"}).empty());
  EXPECT_EQ(broken({}, {"a<b", "b<a", "c"}), "");
  EXPECT_TRUE(forgotten({{"a", ended()}, {"b", ended()}}, {"a<b", "b<a"}).empty());
  EXPECT_EQ(read({{"a", ended()}}, {"a<b.", "b<a"}), Names{"b"});
}

TEST(Shards, FollowAsLongAsNothingIsMissing) {
  EXPECT_EQ(broken({}, {}), "");
  EXPECT_EQ(broken({}, {"a", "b"}), "");
  EXPECT_EQ(broken({{"a", going()}}, {"a", "b<a"}), "");
  EXPECT_EQ(broken({{"a", ended()}}, {"b<a", "c<b"}), "") << "what has ended may go";
  EXPECT_EQ(broken({{"a", ended()}, {"scan/000/001", going()}}, {"b<a"}), "")
      << "a part of the scan is no shard";
}

TEST(Shards, AreLostWithAnotherStream) {
  auto state = state_of({{"a", going()}});
  state.stream = "another";
  EXPECT_NE(broken_off(state, stream_of({"a"}), now_ms).find("another stream than before"),
            std::string::npos);
}

TEST(Shards, AreLostWhenAnUnfinishedShardGoes) {
  EXPECT_NE(broken({{"a", going()}}, {"b<a"}).find("(shard a)"), std::string::npos);
  EXPECT_NE(broken({{"a", going()}, {"b", going()}}, {"b<a"}), "");
  EXPECT_NE(broken({{"a", going()}}, {}), "");
}

// It came and went while nobody looked.
TEST(Shards, AreLostWhenAParentWasNeverSeen) {
  EXPECT_NE(broken({{"a", ended()}}, {"c<b"}).find("(shard b)"), std::string::npos);
  EXPECT_NE(broken({}, {"c<b"}), "");
  EXPECT_EQ(broken({{"a", ended()}, {"c", going()}}, {"c<b"}), "") << "it was followed already";
}

// A shard is read from its oldest record, which does not tell what was before it.
TEST(Shards, AreLostWhenTheBeginningOfAShardMayBeGone) {
  auto at = [](Marks marks, Names shards, std::uint64_t later) {
    return broken_off(state_of(std::move(marks)), stream_of(shards), now_ms + later);
  };
  EXPECT_EQ(at({{"a", ended()}}, {"b<a"}, 23 * hour), "");
  EXPECT_NE(at({{"a", ended()}}, {"b<a"}, 25 * hour).find("(shard b)"), std::string::npos);
  EXPECT_EQ(at({{"a", ended()}, {"b", going("2")}}, {"b<a"}, 25 * hour), "")
      << "the service tells what is after a place";
  EXPECT_NE(at({{"b", going("")}}, {"b"}, 25 * hour), "");
  EXPECT_EQ(at({{"b", going("", 0)}}, {"b"}, 25 * hour), "") << "it is not known";
  EXPECT_EQ(at({{"b", ended("")}}, {"b."}, 25 * hour), "");
  EXPECT_EQ(at({{"a", ended()}, {"b", ended()}}, {"b<a.", "c<b."}, 23 * hour), "");
}

// Its time is not known while it is read again. But no record is needed from before the build.
TEST(Shards, AreNoOlderThanTheBuild) {
  auto state = state_of({{"b", going("", 0)}});
  state.epoch = Ulid::make(now_ms, {}).text();
  EXPECT_EQ(broken_off(state, stream_of({"b"}), now_ms + 23 * hour), "");
  EXPECT_NE(broken_off(state, stream_of({"b"}), now_ms + 25 * hour).find("(shard b)"),
            std::string::npos);
  state.marks["b"] = going("2", 0);
  EXPECT_EQ(broken_off(state, stream_of({"b"}), now_ms + 25 * hour), "");
}

TEST(Shards, AreForgottenWhenNobodyAsksForThem) {
  EXPECT_EQ(forgotten({{"a", ended()}}, {}), Names{"a"});
  EXPECT_EQ(forgotten({{"a", ended()}, {"scan/000/001", ended()}}, {"b<a"}), Names{"scan/000/001"})
      << "the parent of one that is there tells that nothing is missing";
  EXPECT_TRUE(forgotten({{"a", ended()}}, {"a."}).empty());
  EXPECT_TRUE(forgotten({{"a", going()}}, {}).empty()) << "it was not read to its end";
  EXPECT_EQ(forgotten({{"a", ended()}, {"b", ended()}, {"c", going()}}, {"b<a.", "c<b"}), Names{})
      << "a is the parent of b, which is still there";
  EXPECT_EQ(forgotten({{"a", ended()}, {"b", ended()}, {"c", going()}}, {"c<b"}), Names{"a"});
}

// Whatever is forgotten, the state can follow as before.
TEST(Shards, AreNotMissedOnceForgotten) {
  std::vector<Names> streams;
  Names line{"a.", "b<a.", "c<b.", "d<c.", "e<d"};
  for (std::size_t from = 0; from < line.size(); ++from)
    streams.push_back({line.begin() + static_cast<std::ptrdiff_t>(from), line.end()});
  for (unsigned known = 0; known < 1u << line.size(); ++known) {
    Marks marks;
    for (std::size_t i = 0; i < line.size(); ++i) {
      std::string name(1, static_cast<char>('a' + i));
      if (known & (1u << i)) marks[name] = i + 1 < line.size() ? ended() : going();
    }
    for (const auto& stream : streams) {
      auto before = broken(marks, stream);
      auto to_read = read(marks, stream);
      Marks left = marks;
      for (const auto& name : forgotten(marks, stream)) left.erase(name);
      EXPECT_EQ(broken(left, stream), before);
      EXPECT_EQ(read(left, stream), to_read);
    }
  }
}

TEST(Shards, AreAsOldAsTheOldest) {
  EXPECT_EQ(as_of_ms(state_of({})), 0u);
  EXPECT_EQ(as_of_ms(state_of({{"a", going("1", 5)}, {"b", going("1", 7)}})), 5u);
  EXPECT_EQ(as_of_ms(state_of({{"a", ended("1", 5)}, {"b", going("1", 7)}})), 7u);
  EXPECT_EQ(as_of_ms(state_of({{"a", ended("1", 5)}, {"b", ended("1", 7)}})), 7u);
  EXPECT_EQ(as_of_ms(state_of({{"a", going("", 0)}, {"b", going("1", 7)}})), 0u);
  for (auto phase : {Phase::empty, Phase::building, Phase::lost}) {
    auto state = state_of({{"a", going("1", 5)}});
    state.phase = phase;
    EXPECT_EQ(as_of_ms(state), 0u);
    EXPECT_EQ(as_of_ms(state, stream_of({"a"})), 0u);
  }
}

// A child that nobody has begun is as old as its parent's end, whatever else is newer.
TEST(Shards, AreNoNewerThanAShardThatIsNotBegun) {
  auto as_of = [](Marks marks, Names shards) {
    return as_of_ms(state_of(std::move(marks)), stream_of(shards));
  };
  Marks marks{{"a", ended("9", 5)}, {"c", going("1", 7)}};
  EXPECT_EQ(as_of(marks, {"a.", "c"}), 7u);
  EXPECT_EQ(as_of(marks, {"a.", "b<a", "c"}), 5u);
  EXPECT_EQ(as_of(marks, {"b<a", "c"}), 5u);
  EXPECT_EQ(as_of(marks, {"a.", "b<a.", "d<b", "c"}), 5u) << "nor its child";
  EXPECT_EQ(as_of(marks, {"a.", "c", "d"}), 0u) << "nothing is known of d";
  marks["b"] = going("2", 6);
  EXPECT_EQ(as_of(marks, {"a.", "b<a", "c"}), 6u);
}

TEST(Shards, SegmentsAreNamedSoThatTheySort) {
  EXPECT_EQ(projection::segment_name(3, 64), "scan/003/064");
  EXPECT_LT(projection::segment_name(9, 64), projection::segment_name(10, 64));
  EXPECT_TRUE(projection::is_segment("scan/003/064"));
  EXPECT_FALSE(projection::is_segment("shardId-00000001414576573621-f55eea83"));
}

}  // namespace
}  // namespace quire
