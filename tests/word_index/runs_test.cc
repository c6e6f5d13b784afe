// Slots of the ids of a block, beside a plain vector of slots; and the row of segments.
#include "word_index/runs.h"

#include <gtest/gtest.h>

#include <random>

#include "base/rounds.h"
#include "bytes.h"
#include "lmdb/sealed.h"
#include "word_index/merge.h"

namespace quire::word_index {
namespace {

Runs runs_of(const std::vector<Slot>& slots) {
  Runs runs;
  for (std::size_t i = 0; i < slots.size(); ++i) runs.insert(i, slots[i]);
  return runs;
}

std::vector<Slot> slots_of(const Runs& runs) {
  std::vector<Slot> slots;
  for (const auto& run : runs.all()) {
    for (std::uint32_t i = 0; i < run.length; ++i) slots.push_back(run.slot + i);
  }
  EXPECT_EQ(slots.size(), runs.ids());
  return slots;
}

// The bytes in docs/formats/words.md.
TEST(RunsFormat, IsDistancesAndLengths) {
  auto runs = runs_of({300, 301, 302, 7, 8, 9'000});
  EXPECT_EQ(hex(runs.encode()),
            "b10901"
            "9f0900"
            "fc9802");
  EXPECT_EQ(runs.all(), (std::vector<SlotRun>{{300, 3}, {7, 2}, {9'000, 1}}));
  Ulid start = *Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV");
  EXPECT_EQ(hex(runs_key(7, start)), "00000007019349727cfbd6764c61efb99302bd5b");
}

TEST(Runs, FollowInsertionsRemovalsAndSplits) {
  std::mt19937_64 random(75);
  for (int round = 0; round < rounds(100); ++round) {
    Runs runs;
    std::vector<Slot> plain;
    Slot next = 0;
    for (int i = 0; i < 100; ++i) {
      auto at = static_cast<long>(random() % 3 ? plain.size() : random() % (plain.size() + 1));
      auto position = static_cast<std::size_t>(at);
      if (random() % 20 == 0) {
        auto behind = runs.split(position);
        std::vector<Slot> others(plain.begin() + at, plain.end());
        ASSERT_EQ(slots_of(behind), others);
        runs.append(behind);
      } else if (position < plain.size() && random() % 2) {
        ASSERT_EQ(runs.slot(position), plain[position]);
        ASSERT_EQ(runs.erase(position), plain[position]);
        plain.erase(plain.begin() + at);
      } else {
        next = random() % 50 ? next + 1 : static_cast<Slot>(random());
        runs.insert(position, next);
        plain.insert(plain.begin() + at, next);
      }
      ASSERT_EQ(slots_of(runs), plain);
      ASSERT_EQ(Runs::decode(runs.encode()).all(), runs.all());
      for (std::size_t j = 1; j < runs.all().size(); ++j)
        ASSERT_NE(runs.all()[j - 1].slot + runs.all()[j - 1].length, runs.all()[j].slot);
    }
  }
}

TEST(Runs, OfOtherBytesAreDamagedAtWorst) {
  std::mt19937_64 random(76);
  int whole = 0;
  for (int round = 0; round < rounds(5000); ++round) {
    std::string bytes;
    for (auto left = random() % 12; left > 0; --left)
      bytes += static_cast<char>(random() % (random() % 2 ? 256 : 16));
    try {
      auto runs = Runs::decode(bytes);
      EXPECT_LE(runs.ids(), 65'535u);
      ++whole;
    } catch (const lmdb::Damaged&) {
    }
  }
  EXPECT_GT(whole, 0);
}

TEST(SegmentsFormat, IsRulesNextSlotStemmersAndSegments) {
  auto stemmers = words::only(words::unstemmed) | words::only(words::stemmer_of("en"));
  Segments segments{
      0x0123456789ABCDEF, 1000, 7, stemmers, {{0, 128, 3, 0}, {128, 16, 0, 8}, {300, 5, 0, 0}}};
  auto bytes = encode(segments);
  EXPECT_EQ(hex(bytes),
            "0123456789abcdef"
            "000003e8"
            "00000007"
            "020000656e"
            "00800103"
            "00"
            "00100008"
            "9c01050000");
  EXPECT_EQ(decode_segments(bytes), segments);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    if (size == 21 || size == 26 || size == 30) continue;  // between segments
    EXPECT_THROW(decode_segments(bytes.substr(0, size)), lmdb::Damaged) << size;
  }
  segments.next_slot = 304;
  EXPECT_THROW(decode_segments(encode(segments)), lmdb::Damaged);
}

// Merges and renumbers what is due. Returns how many slots were moved.
std::uint64_t merge_all(std::vector<Segment>& segments, Slot& next_slot) {
  std::uint64_t moved = 0;
  while (auto due = merge_due(segments)) {
    EXPECT_GE(due->count, 2u);
    auto first = segments.begin() + static_cast<long>(due->from);
    auto last = first + static_cast<long>(due->count);
    for (auto at = first + 1; at != last; ++at) first->length += at->length;
    EXPECT_LE(first->length, tiers[3]);
    moved += first->length;
    segments.erase(first + 1, last);
  }
  auto due = renumbering_due(segments);
  if (due.empty()) return moved;
  Segment all{next_slot, 0};
  for (const auto& segment : due) {
    all.length += segment.length;
    EXPECT_EQ(std::erase(segments, segment), 1u);
  }
  EXPECT_LE(all.length, max_segment);
  segments.push_back(all);
  next_slot += all.length;
  return moved + all.length;
}

// As a store posts: of all comments, each is in few merges, and there are few segments, since those
// that came while others were renumbered are in the next renumbering.
TEST(Segments, BecomeLargerByEights) {
  std::vector<Segment> segments;
  std::uint64_t moved = 0;
  Slot next_slot = 0;
  for (int comment = 0; comment < 400'000; ++comment, ++next_slot) {
    bool open = !segments.empty() && segments.back().length < tiers[0] &&
                segments.back().start + segments.back().length == next_slot;
    if (!open) segments.push_back({next_slot, 0});
    if (++segments.back().length < tiers[0]) continue;
    Slot behind = next_slot + 1;
    moved += merge_all(segments, behind);
    next_slot = behind - 1;
  }
  EXPECT_LE(segments.size(), 6u + 7 * 4);
  EXPECT_LE(moved, 400'000u * 4);
  EXPECT_EQ(segments[0].length, tiers[4]);
}

// Whatever lies between: segments that are large already, and gaps.
TEST(Segments, ThatAreNoNeighboursAreRenumberedTogether) {
  std::vector<Segment> segments, expected;
  Slot slot = 0;
  auto add = [&](std::uint32_t length, bool due) {
    segments.push_back({slot, length});
    if (due) expected.push_back(segments.back());
    slot += length + 1;
  };
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(renumbering_due(segments).empty());
    add(i % 2 ? 5 : tiers[2], true);
    add(tiers[2] + 1, true);
    if (i < 7) add(tiers[4], false);
  }
  add(16, false);
  EXPECT_EQ(renumbering_due(segments), expected);
}

// As a store takes groups of posts and imports of any size.
TEST(Segments, OfAnySizesStayFew) {
  std::mt19937_64 random(81);
  std::vector<Segment> segments;
  std::uint64_t moved = 0, comments = 0;
  Slot end = 0;
  while (comments < 1'000'000) {
    auto length = static_cast<std::uint32_t>(1 + random() % (random() % 50 ? 60 : 3000));
    segments.push_back({end, length});
    end += length;
    comments += length;
    moved += merge_all(segments, end);
  }
  EXPECT_LE(segments.size(), 1'000'000u / tiers[3] + 8 * 8);
  EXPECT_LE(moved, 1'000'000u * 4);
}

}  // namespace
}  // namespace quire::word_index
