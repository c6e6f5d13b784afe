#include "model/vote.h"

#include <algorithm>

#include "base/limits.h"
#include "base/text.h"
#include "model/attributes.h"
#include "model/validate.h"
#include "quire/customer.h"

namespace quire {
namespace {

std::optional<std::int64_t> number_in(const Attributes& attributes, Vote vote) {
  auto at = attributes.find(vote_name(vote));
  const auto* number = at == attributes.end() ? nullptr : std::get_if<std::int64_t>(&at->second);
  return number ? std::optional(*number) : std::nullopt;
}

// Without votes, what stood there.
std::optional<std::int64_t> sum(std::optional<std::int64_t> before, std::uint64_t votes) {
  if (votes == 0) return before;
  return before.value_or(0) + static_cast<std::int64_t>(votes);
}

}  // namespace

// A vote is of a person, and a customer is one.
std::optional<CustomerHash> CustomerHash::parse(std::string_view text) {
  if (text.size() != text_size) return {};
  auto bytes = base64url_decode(text);
  if (!bytes || bytes->size() != size) return {};
  CustomerHash customer;
  std::copy(bytes->begin(), bytes->end(), customer.bytes.begin());
  return customer;
}

std::string CustomerHash::text() const {
  return base64url_encode(bytes);
}

std::array<std::uint8_t, 16> CustomerHash::person() const {
  std::array<std::uint8_t, 16> person;
  std::copy_n(bytes.begin(), person.size(), person.begin());
  return person;
}

std::string_view vote_name(Vote vote) {
  return vote == Vote::helpful ? "helpful" : "unhelpful";
}

std::optional<Vote> parse_vote(std::string_view name) {
  for (auto vote : {Vote::helpful, Vote::unhelpful})
    if (name == vote_name(vote)) return vote;
  return {};
}

Tally tally_of(const Attributes& attributes) {
  return {number_in(attributes, Vote::helpful), number_in(attributes, Vote::unhelpful)};
}

void set_tally(Attributes& attributes, const Tally& tally) {
  for (auto vote : {Vote::helpful, Vote::unhelpful}) {
    const auto& number = vote == Vote::helpful ? tally.helpful : tally.unhelpful;
    if (number)
      attributes.insert_or_assign(std::string(vote_name(vote)), *number);
    else
      attributes.erase(std::string(vote_name(vote)));
  }
}

Status check_room(Attributes attributes) {
  constexpr std::string_view counts = R"(,"helpful":9007199254740991,"unhelpful":9007199254740991)";
  constexpr auto most = limits::attributes_bytes - counts.size();
  set_tally(attributes, {});
  std::string text;
  append_json(text, attributes);
  if (attributes.size() + 2 <= limits::attributes && text.size() <= most) return Done{};
  return invalid_comment(
      {{"attributes", "has at most " + std::to_string(limits::attributes - 2) + " names and " +
                          std::to_string(most) + " bytes as JSON beside the counts of votes"}});
}

bool takes_votes(const Attributes& attributes) {
  for (auto vote : {Vote::helpful, Vote::unhelpful})
    if (attributes.contains(vote_name(vote)) && !number_in(attributes, vote)) return false;
  return true;
}

Tally counted(const Tally& before, const VoteCounts& votes) {
  return {sum(before.helpful, votes.helpful), sum(before.unhelpful, votes.unhelpful)};
}

Tally without(const Tally& present, const VoteCounts& votes) {
  auto rest = [](std::optional<std::int64_t> with, std::uint64_t count) {
    if (count == 0) return with;
    auto left = with.value_or(0) - static_cast<std::int64_t>(count);
    return left > 0 ? std::optional(left) : std::nullopt;
  };
  return {rest(present.helpful, votes.helpful), rest(present.unhelpful, votes.unhelpful)};
}

Status check_tally(const Attributes& before, const Attributes& after) {
  if (tally_of(before) == tally_of(after) && takes_votes(after)) return Done{};
  return invalid_comment({{"attributes",
                           "has helpful and unhelpful, which are counted from votes; leave them "
                           "out"}});
}

Error own_comment() {
  return {ErrorCode::forbidden, "This comment is the customer's own: it takes no vote of theirs."};
}

Error no_numbers() {
  return invalid_comment({{"attributes",
                           "of this comment has a helpful or unhelpful that is no whole number, so "
                           "nobody can vote on it"}});
}

VoteCounts votes_in(const Tally& present, const Tally& before) {
  auto votes = [](std::optional<std::int64_t> with, std::optional<std::int64_t> without) {
    return static_cast<std::uint64_t>(with.value_or(0) - without.value_or(0));
  };
  return {votes(present.helpful, before.helpful), votes(present.unhelpful, before.unhelpful)};
}

}  // namespace quire
