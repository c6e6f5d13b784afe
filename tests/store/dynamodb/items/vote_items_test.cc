// The items of votes, as docs/formats/table.md has them.
#include "store/dynamodb/items/customer_items.h"

#include <gtest/gtest.h>

#include "store/dynamodb/items/layout.h"
#include "store/dynamodb/items/reading.h"

namespace quire::dynamodb {
namespace {

const std::string voter_text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const CustomerHash known_voter = CustomerHash::parse(voter_text).value();
const std::string voted_text = "01JD4Q4Z7VTSV4RRFFQ69G5FAV";
const Ulid voted_id = Ulid::parse(voted_text).value();

TEST(VoteItems, HaveTheKeysOfTheirFormat) {
  EXPECT_EQ(vote_item(voted_id, known_voter, Vote::helpful),
            (Item{{"PK", string("COMMENT#" + voted_text)},
                  {"SK", string("VOTE#" + voter_text)},
                  {"GSI4PK", string("CUSTOMER#" + voter_text)},
                  {"GSISK", string(voted_text)},
                  {"vote", string("helpful")}}));
  EXPECT_EQ(sweep_item(voted_id), (Item{{"PK", string("COMMENT#" + voted_text)},
                                        {"SK", string("SWEEP")},
                                        {"GSI4PK", string("SWEEP")},
                                        {"GSISK", string(voted_text)}}));
}

TEST(VoteItems, AreReadBack) {
  auto item = vote_item(voted_id, known_voter, Vote::unhelpful);
  EXPECT_TRUE(is_vote(item));
  EXPECT_EQ(read_vote(item), Vote::unhelpful);
  EXPECT_EQ(comment_of_partition(item), voted_id);
  EXPECT_FALSE(is_vote(sweep_item(voted_id)));
  EXPECT_FALSE(is_comment(item));
  EXPECT_FALSE(is_listed(item));
  item["vote"] = string("up");
  EXPECT_TRUE(is_vote(item));
  EXPECT_FALSE(read_vote(item));
}

TEST(VoteItems, ACommentKeepsWhatItHadWithoutVotes) {
  for (Tally tally : {Tally{}, {8, {}}, {0, -1}}) {
    Item item{{"unvoted", string(encode_tally(tally))}};
    EXPECT_EQ(unvoted_in(item), tally);
  }
  EXPECT_EQ(encode_tally({8, {}}), R"({"helpful":8})");
  for (auto damaged : {"", "[]", R"({"helpful":"8"})", R"({"size":8})"})
    EXPECT_FALSE(unvoted_in({{"unvoted", string(damaged)}})) << damaged;
  EXPECT_FALSE(unvoted_in({}));
}

}  // namespace
}  // namespace quire::dynamodb
