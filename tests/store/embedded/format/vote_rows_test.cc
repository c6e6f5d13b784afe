// Rows of votes, byte for byte as docs/formats/store.md shows them. A change makes stores on disk
// unreadable, so it needs a new format version.
#include "store/embedded/format/rows.h"

#include <gtest/gtest.h>

#include "store/embedded/format/golden.h"

namespace quire::embedded {
namespace {

TEST(VoteRow, IsUnderTheCommentAndItsCustomer) {
  CustomerHash customer{{0xAA, 0xBB}};
  auto key = vote_key(golden_id, customer);
  EXPECT_EQ(hex(key), "019349727cfbd6764c61efb99302bd5baabb" + std::string(60, '0'));
  EXPECT_EQ(hex(voter_key(customer, golden_id)),
            "aabb" + std::string(60, '0') + "019349727cfbd6764c61efb99302bd5b");
  EXPECT_EQ(vote_comment(key), golden_id);
  EXPECT_EQ(vote_customer(key), customer);
  EXPECT_EQ(hex(encode_vote(Vote::helpful)), "01");
  EXPECT_EQ(hex(encode_vote(Vote::unhelpful)), "02");
  EXPECT_EQ(decode_vote(key, encode_vote(Vote::unhelpful)), Vote::unhelpful);
  for (std::string_view damaged : {"", "\x03", "\x01\x01"}) EXPECT_FALSE(decode_vote(key, damaged));
  EXPECT_FALSE(decode_vote(std::string_view(key).substr(1), "\x01"));
}

TEST(TallyRow, SaysWhichNumbersStandThere) {
  EXPECT_EQ(hex(encode_tally({8, {}})),
            "01"
            "0000000000000008"
            "0000000000000000");
  for (Tally tally : {Tally{}, {8, {}}, {{}, -1}, {0, 0}})
    EXPECT_EQ(decode_tally(encode_tally(tally)), tally);
  EXPECT_FALSE(decode_tally(""));
  EXPECT_FALSE(decode_tally("\x04" + std::string(16, '\0')));
}

}  // namespace
}  // namespace quire::embedded
