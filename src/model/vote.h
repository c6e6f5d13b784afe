// Votes of customers: whether a comment was helpful.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "quire/comment.h"
#include "quire/result.h"

namespace quire {

// The values are part of stores.
enum class Vote : std::uint8_t { helpful = 1, unhelpful = 2 };

// A vote is counted in the attribute of its name.
std::string_view vote_name(Vote vote);
std::optional<Vote> parse_vote(std::string_view name);

// What the comment has in these two attributes. Absent: no whole number.
struct Tally {
  std::optional<std::int64_t> helpful;
  std::optional<std::int64_t> unhelpful;

  std::optional<std::int64_t>& of(Vote vote) { return vote == Vote::helpful ? helpful : unhelpful; }
  friend bool operator==(const Tally&, const Tally&) = default;
};
Tally tally_of(const Attributes& attributes);
void set_tally(Attributes& attributes, const Tally& tally);
// Whether each of the two is a number, or absent.
bool takes_votes(const Attributes& attributes);
// The error of attributes that, without the two, leave no room for both in what a comment may have.
// Else their writer could decide which votes fit.
Status check_room(Attributes attributes);

// How many votes of each kind there are.
struct VoteCounts {
  std::uint64_t helpful = 0, unhelpful = 0;

  std::uint64_t& of(Vote vote) { return vote == Vote::helpful ? helpful : unhelpful; }
  bool none() const { return helpful == 0 && unhelpful == 0; }
  friend bool operator==(const VoteCounts&, const VoteCounts&) = default;
};

// What stands in the attributes of a comment that has these votes, and had `before` without them.
// Without votes of a kind, nothing is added to what stood there.
Tally counted(const Tally& before, const VoteCounts& votes);
// The least that stood there, if it was at least 0, and `present` is what stands there with the
// votes, or is wrong.
Tally without(const Tally& present, const VoteCounts& votes);
// How many votes these are: the difference.
VoteCounts votes_in(const Tally& present, const Tally& before);

// The error of a change of the attributes of a comment that has votes: only votes change these two.
Status check_tally(const Attributes& before, const Attributes& after);
// The errors of a vote on one's own comment, and on one whose attributes take none.
Error own_comment();
Error no_numbers();

// A vote of a customer.
struct VoteRow {
  Ulid comment;
  Vote vote;
};

// After a vote.
struct Voted {
  std::optional<Vote> vote;  // absent: the customer has none
  std::int64_t helpful = 0, unhelpful = 0;
};

}  // namespace quire
