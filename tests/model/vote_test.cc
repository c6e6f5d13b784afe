// Votes, and what they make of the two attributes.
#include "model/vote.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "model/attributes.h"

namespace quire {
namespace {

TEST(Votes, AreCountedOnTopOfWhatStoodThereAndLeaveItAsItWas) {
  const Tally none, imported{8, {}};
  EXPECT_EQ(counted(none, {}), none);
  EXPECT_EQ(counted(none, {2, 0}), (Tally{2, {}}));
  EXPECT_EQ(counted(imported, {2, 1}), (Tally{10, 1}));
  EXPECT_EQ(counted(imported, {}), imported);
  for (const auto& before : {none, imported, Tally{0, -3}})
    for (VoteCounts votes : {VoteCounts{}, {1, 0}, {0, 2}, {3, 4}}) {
      EXPECT_EQ(votes_in(counted(before, votes), before), votes);
    }
}

TEST(Votes, WhatStoodThereIsAtMostWhatTheVotesLeave) {
  EXPECT_EQ(without({10, 1}, {2, 1}), (Tally{8, {}}));
  EXPECT_EQ(without({1, 5}, {2, 0}), (Tally{{}, 5}));
}

TEST(Votes, StandInAttributesOfTheirNames) {
  Attributes attributes{{"helpful", std::int64_t{3}}, {"size", "L"}};
  EXPECT_EQ(tally_of(attributes), (Tally{3, {}}));
  EXPECT_TRUE(takes_votes(attributes));
  set_tally(attributes, {{}, 7});
  EXPECT_EQ(attributes, (Attributes{{"size", "L"}, {"unhelpful", std::int64_t{7}}}));
  attributes["helpful"] = "very";
  EXPECT_FALSE(takes_votes(attributes));
  EXPECT_EQ(parse_vote("helpful"), Vote::helpful);
  EXPECT_EQ(parse_vote("unhelpful"), Vote::unhelpful);
  EXPECT_FALSE(parse_vote("Helpful"));
}

TEST(Votes, HaveRoomInWhatAWriterSends) {
  auto of = [](std::size_t bytes) {  // as JSON: {"a":["…","…"]}
    std::vector<std::string> texts(bytes / 103, std::string(100, 'x'));
    if (auto rest = bytes % 103; rest > 3) texts.push_back(std::string(rest - 3, 'y'));
    return Attributes{{"a", texts}};
  };
  EXPECT_TRUE(check_room({}));
  for (std::size_t bytes = 3900; bytes < 4200; ++bytes) {
    auto sent = of(bytes), counted = sent;
    set_tally(counted, {limits::attribute_number, limits::attribute_number});
    std::string text;
    append_json(text, counted);
    EXPECT_EQ(check_room(sent).ok(), text.size() <= limits::attributes_bytes) << bytes;
    EXPECT_EQ(check_room(counted).ok(), check_room(sent).ok()) << bytes;
  }
  Attributes many;
  for (int i = 0; i < 30; ++i) many["a" + std::to_string(i)] = true;
  EXPECT_TRUE(check_room(many));
  many["b"] = true;
  EXPECT_FALSE(check_room(many));
}

TEST(Votes, NothingElseChangesTheCounts) {
  const Attributes counted{{"helpful", std::int64_t{3}}};
  EXPECT_TRUE(check_tally(counted, counted));
  EXPECT_TRUE(check_tally(counted, {{"helpful", std::int64_t{3}}, {"size", "L"}}));
  EXPECT_FALSE(check_tally(counted, {{"helpful", std::int64_t{4}}}));
  EXPECT_FALSE(check_tally(counted, {}));
  EXPECT_FALSE(check_tally({}, {{"unhelpful", "no"}}));
}

}  // namespace
}  // namespace quire
