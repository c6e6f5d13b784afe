// What a store does with votes: one of a customer for a comment, counted exactly, whatever else
// happens.
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "base/rounds.h"
#include "contract.h"
#include "model/vote.h"
#include "stands.h"
#include "store/customer_view.h"
#include "store/embedded/upkeep/verify.h"

namespace quire {
namespace {

CustomerHash voter(std::uint8_t number) {
  CustomerHash hash;
  for (std::size_t i = 0; i < hash.bytes.size(); ++i)
    hash.bytes[i] = static_cast<std::uint8_t>(3 * number + 11 * i);
  return hash;
}

Comment written_by(std::uint8_t writer, std::uint64_t number) {
  auto comment = comment_at(1000 + number, number, "en", 1 + static_cast<int>(number % 5));
  comment.customer = voter(writer);
  return comment;
}

class VotesContract : public WritingContract {
 protected:
  Result<Voted> vote(const Ulid& id, std::uint8_t number, std::optional<Vote> vote) {
    return wait(store_->votes()->vote(id, voter(number), vote));
  }
  Comment find(const Ulid& id) {
    auto view = store_->view();
    return wait(view->find(id)).value();
  }
  Tally tally(const Ulid& id) { return tally_of(find(id).attributes); }
  Erased erase(std::uint8_t number, bool keep_ratings = false) {
    return erase_all_of(voter(number), keep_ratings);
  }
  // Makes it pending, or published again.
  void hold(const Ulid& id, bool pending) {
    auto moderate = [=](const Comment&, Comment& after) -> Status {
      after.moderation = {};
      if (pending) after.moderation.status = CommentStatus::pending;
      return Done{};
    };
    ASSERT_TRUE(wait(store_->update(id, {}, {}, moderate)));
  }
  std::map<Ulid, Vote> votes_by(std::uint8_t number) {
    std::map<Ulid, Vote> out;
    auto view = store_->view();
    auto votes = wait(view->customers()->votes_by(voter(number))).value();
    for (const auto& [id, vote] : votes) out[id] = vote;
    return out;
  }
  Traces traces(std::uint8_t number, std::vector<Ulid> comments) {
    auto view = store_->view();
    auto& customers = *view->customers();
    return wait(customers.traces(voter(number), std::move(comments))).value();
  }
  // Of an embedded store.
  void expect_whole() {
    auto* embedded = dynamic_cast<embedded::LmdbStore*>(store_);
    if (!embedded) return;
    auto verified = embedded::verify(embedded->databases());
    EXPECT_EQ(verified.differences, 0u) << verified.reports.front();
  }
  void expect_error(const Result<Voted>& voted, ErrorCode code) {
    ASSERT_FALSE(voted);
    EXPECT_EQ(voted.error().code, code) << voted.error().message;
  }
};

TEST_P(VotesContract, AVoteIsChangedAndTakenBackExactly) {
  auto comment = written_by(1, 1);
  insert(comment);
  auto voted = vote(comment.id, 2, Vote::helpful).value();
  EXPECT_EQ(voted.vote, Vote::helpful);
  EXPECT_EQ(voted.helpful, 1);
  EXPECT_EQ(voted.unhelpful, 0);
  EXPECT_EQ(tally(comment.id), (Tally{1, {}}));
  vote(comment.id, 2, Vote::helpful).value();
  EXPECT_EQ(tally(comment.id), (Tally{1, {}}));
  vote(comment.id, 3, Vote::helpful).value();
  EXPECT_EQ(vote(comment.id, 2, Vote::unhelpful)->unhelpful, 1);
  EXPECT_EQ(tally(comment.id), (Tally{1, 1}));
  EXPECT_FALSE(vote(comment.id, 2, {})->vote);
  EXPECT_EQ(tally(comment.id), (Tally{1, {}}));
  vote(comment.id, 2, {}).value();
  vote(comment.id, 3, {}).value();
  EXPECT_EQ(find(comment.id), comment);
  expect_whole();
}

TEST_P(VotesContract, VotesAddToWhatAnImportBrought) {
  auto comment = written_by(1, 1);
  comment.attributes = {{"helpful", std::int64_t{8}}, {"size", "L"}};
  ASSERT_EQ(wait(store_->insert_many({comment})).value(), 1u);
  vote(comment.id, 2, Vote::helpful).value();
  vote(comment.id, 3, Vote::unhelpful).value();
  EXPECT_EQ(tally(comment.id), (Tally{9, 1}));
  reopen();
  vote(comment.id, 2, {}).value();
  vote(comment.id, 3, {}).value();
  EXPECT_EQ(find(comment.id), comment);
  expect_whole();
}

TEST_P(VotesContract, NobodyVotesOnTheirOwnOnNoneAndOnOneThatIsNotPublished) {
  auto comment = written_by(1, 1);
  insert(comment);
  expect_error(vote(comment.id, 1, Vote::helpful), ErrorCode::forbidden);
  expect_error(vote(id_at(7, 7), 2, Vote::helpful), ErrorCode::not_found);
  expect_error(vote(id_at(7, 7), 2, {}), ErrorCode::not_found);
  vote(comment.id, 2, Vote::helpful).value();
  hold(comment.id, true);
  expect_error(vote(comment.id, 3, Vote::helpful), ErrorCode::not_found);
  expect_error(vote(comment.id, 2, {}), ErrorCode::not_found);
  EXPECT_EQ(tally(comment.id), (Tally{1, {}}));
  hold(comment.id, false);
  EXPECT_EQ(tally(comment.id), (Tally{1, {}})) << "votes survive a hold";
  EXPECT_EQ(vote(comment.id, 3, Vote::helpful)->helpful, 2);
  expect_whole();
}

TEST_P(VotesContract, NothingElseChangesTheCountsOfACommentThatHasVotes) {
  auto comment = written_by(1, 1);
  insert(comment);
  Patch patch{.text = "new", .attributes = {{"helpful", std::int64_t{50}}}};
  vote(comment.id, 2, Vote::helpful).value();
  auto refused = wait(store_->update(comment.id, patch));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid_comment);
  EXPECT_FALSE(wait(store_->update(comment.id, {.clear_attributes = true})));
  ASSERT_TRUE(wait(store_->update(comment.id, {.text = "new"})));
  EXPECT_EQ(tally(comment.id), (Tally{1, {}}));
  vote(comment.id, 2, {}).value();
  ASSERT_TRUE(wait(store_->update(comment.id, patch)));
  vote(comment.id, 2, Vote::helpful).value();
  EXPECT_EQ(tally(comment.id), (Tally{51, {}}));
  expect_whole();
}

TEST_P(VotesContract, VotesDoNotComeBetweenAModeratorAndADecision) {
  auto comment = written_by(1, 1);
  insert(comment);
  auto seen = tag_without_votes(comment);
  vote(comment.id, 2, Vote::helpful).value();
  vote(comment.id, 3, Vote::unhelpful).value();
  Patch patch{.status = CommentStatus::published};
  EXPECT_TRUE(wait(store_->update(comment.id, patch, {.tags = {seen}})));
  ASSERT_TRUE(wait(store_->update(comment.id, {.text = "new"})));
  auto refused = wait(store_->update(comment.id, patch, {.tags = {seen}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::precondition_failed);
}

TEST_P(VotesContract, ARefusedDecisionAnswersNoReports) {
  auto comment = written_by(1, 1);
  insert(comment);
  vote(comment.id, 2, Vote::helpful).value();
  wait(store_->moderation()->report(comment.id, {{1}, 6000, "spam", ""}, 0)).value();
  Patch patch{.attributes = {{"helpful", std::int64_t{50}}}, .status = CommentStatus::published};
  EXPECT_FALSE(wait(store_->update(comment.id, patch)));
  auto view = store_->view();
  auto reported = wait(view->moderation()->queue({.kind = QueueQuestion::Kind::reported})).value();
  EXPECT_EQ(reported.rows.size(), 1u);
}

TEST_P(VotesContract, ACommentWhoseAttributeIsNoNumberTakesNoVotes) {
  auto comment = written_by(1, 1);
  comment.attributes = {{"unhelpful", "no"}};
  insert(comment);
  expect_error(vote(comment.id, 2, Vote::helpful), ErrorCode::invalid_comment);
  EXPECT_EQ(find(comment.id), comment);
}

TEST_P(VotesContract, ACommentWithoutRoomForACountTakesNoVotes) {
  auto comment = written_by(1, 1);
  for (int i = 0; i < 31; ++i) comment.attributes["a" + std::to_string(i)] = true;
  comment.attributes["helpful"] = (std::int64_t{1} << 53) - 1;
  ASSERT_EQ(wait(store_->insert_many({comment})).value(), 1u);
  for (auto which : {Vote::helpful, Vote::unhelpful})
    expect_error(vote(comment.id, 2, which), ErrorCode::invalid_comment);
  EXPECT_EQ(find(comment.id), comment);
  EXPECT_TRUE(votes_by(2).empty());
  ASSERT_TRUE(wait(store_->update(comment.id, {.attributes = {{"a0", {}}}})));
  EXPECT_EQ(vote(comment.id, 2, Vote::unhelpful)->unhelpful, 1);
  EXPECT_FALSE(wait(store_->update(comment.id, {.attributes = {{"a0", true}}})))
      << "the count keeps its room";
  expect_whole();
}

TEST_P(VotesContract, AnErasureTakesVotesBackAndLeavesThoseOfOthers) {
  for (std::uint64_t i = 0; i < 3; ++i) insert(written_by(1, i));
  auto held = written_by(1, 2).id;
  for (std::uint64_t i = 0; i < 3; ++i) {
    vote(written_by(1, i).id, 2, Vote::helpful).value();
    vote(written_by(1, i).id, 3, Vote::unhelpful).value();
  }
  hold(held, true);
  EXPECT_EQ(votes_by(2).size(), 3u);
  EXPECT_EQ(erase(2).votes, 3u);
  EXPECT_EQ(erase(2).votes, 0u);
  EXPECT_TRUE(votes_by(2).empty());
  EXPECT_EQ(votes_by(3).size(), 3u);
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(tally(written_by(1, i).id), (Tally{{}, 1})) << i;
  EXPECT_EQ(erase(1, true).emptied, 2u);
  EXPECT_EQ(tally(written_by(1, 0).id), (Tally{{}, 1})) << "a rating of nobody keeps its votes";
  expect_whole();
}

TEST_P(VotesContract, OfARemovedCommentNoVoteIsLeft) {
  auto comment = written_by(1, 1), other = written_by(1, 2);
  insert(comment);
  insert(other);
  for (std::uint8_t i = 2; i < 7; ++i) vote(comment.id, i, Vote::helpful).value();
  vote(other.id, 2, Vote::helpful).value();
  ASSERT_TRUE(wait(store_->remove(comment.id)));
  while (wait(store_->votes()->sweep()).value()) {
  }
  EXPECT_EQ(votes_by(2), (std::map<Ulid, Vote>{{other.id, Vote::helpful}}));
  EXPECT_TRUE(votes_by(3).empty());
  expect_whole();
}

TEST_P(VotesContract, VotesAtOnceAreAllCounted) {
  constexpr std::uint8_t voters = 6;
  auto comment = written_by(1, 1);
  insert(comment);
  std::vector<std::thread> threads;
  for (std::uint8_t i = 2; i < 2 + voters; ++i) {
    threads.emplace_back([&, i] {
      auto cast = [&](std::optional<Vote> which) {
        while (!wait(store_->votes()->vote(comment.id, voter(i), which))) {
        }
      };
      cast(Vote::unhelpful);
      cast(Vote::helpful);
      if (i % 2) cast({});
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(tally(comment.id), (Tally{voters / 2, {}}));
  expect_whole();
}

// Random deeds beside plain maps.
TEST_P(VotesContract, RandomDeedsLeaveTheCountsOfTheModel) {
  std::mt19937 random(31);
  struct Known {
    std::uint8_t writer;
    bool pending = false;
    std::map<std::uint8_t, Vote> votes = {};
  };
  std::map<Ulid, Known> model;
  auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  for (std::uint64_t i = 0; i < (sanitized ? 80 : 400); ++i) {
    auto person = static_cast<std::uint8_t>(below(5));
    auto deed = below(100);
    auto at = model.begin();
    if (!model.empty()) std::advance(at, static_cast<long>(below(model.size())));
    if (model.empty() || deed < 8) {
      auto comment = written_by(person, i);
      insert(comment);
      at = model.insert_or_assign(comment.id, Known{person}).first;
    } else if (deed < 80) {
      std::optional<Vote> which;
      if (deed < 65) which = deed % 2 ? Vote::helpful : Vote::unhelpful;
      auto& [writer, pending, votes] = at->second;
      auto voted = vote(at->first, person, which);
      if (pending || writer == person) {
        expect_error(voted, pending ? ErrorCode::not_found : ErrorCode::forbidden);
      } else {
        ASSERT_TRUE(voted) << voted.error().message;
        votes.erase(person);
        if (which) votes[person] = *which;
      }
    } else if (deed < 88) {
      at->second.pending = !at->second.pending;
      hold(at->first, at->second.pending);
    } else if (deed < 94) {
      ASSERT_TRUE(wait(store_->remove(at->first)));
      model.erase(at);
      at = model.begin();
    } else if (deed < 96) {
      auto erased = erase(person);
      std::size_t cast = 0;
      for (auto& [id, known] : model) cast += known.writer != person && known.votes.erase(person);
      EXPECT_GE(erased.votes, cast);
      std::erase_if(model, [&](const auto& each) { return each.second.writer == person; });
      at = model.begin();
    } else {
      reopen();
    }
    if (model.empty()) continue;
    VoteCounts wanted;
    for (const auto& each : at->second.votes) ++wanted.of(each.second);
    ASSERT_EQ(tally(at->first), counted({}, wanted)) << i;
  }
  while (wait(store_->votes()->sweep()).value()) {
  }
  for (std::uint8_t person = 0; person < 5; ++person) {
    std::map<Ulid, Vote> wanted;
    for (const auto& [id, known] : model)
      if (known.votes.contains(person)) wanted[id] = known.votes.at(person);
    EXPECT_EQ(votes_by(person), wanted);
  }
  expect_whole();
}

TEST_P(VotesContract, ACustomersTracesAreThoseOfTheNamedCommentsAlone) {
  std::mt19937 random(9);
  std::vector<Comment> comments;
  std::map<Ulid, std::map<std::uint8_t, Vote>> votes;
  for (std::uint64_t i = 0; i < 12; ++i) {
    comments.push_back(written_by(static_cast<std::uint8_t>(random() % 3), i));
    insert(comments.back());
    for (std::uint8_t person = 0; person < 3; ++person) {
      auto kind = random() % 3;
      if (kind == 0 || comments.back().customer == voter(person)) continue;
      auto cast = kind == 1 ? Vote::helpful : Vote::unhelpful;
      vote(comments.back().id, person, cast).value();
      votes[comments.back().id][person] = cast;
    }
  }
  hold(comments[3].id, true);
  wait(store_->remove(comments[5].id)).value();
  votes.erase(comments[5].id);
  auto removed = comments[5].id;
  for (int round = 0; round < 20; ++round) {
    std::vector<Ulid> named = {Ulid::make(7, {})};
    for (const auto& comment : comments)
      if (random() % 2) named.push_back(comment.id);
    std::shuffle(named.begin(), named.end(), random);
    for (std::uint8_t person = 0; person < 3; ++person) {
      std::vector<Ulid> own;
      std::vector<std::pair<Ulid, Vote>> cast, found;
      for (const auto& id : named) {
        auto at = std::find_if(comments.begin(), comments.end(),
                               [&](const auto& comment) { return comment.id == id; });
        if (at != comments.end() && at->customer == voter(person) && id != removed)
          own.push_back(id);
        if (votes[id].contains(person)) cast.emplace_back(id, votes[id][person]);
      }
      auto traces = this->traces(person, named);
      for (const auto& [id, vote] : traces.votes) found.emplace_back(id, vote);
      ASSERT_EQ(found, cast);
      ASSERT_EQ(traces.own, own);
      ASSERT_EQ(traces.damaged, 0u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, VotesContract, testing::Values(on_embedded, on_local, on_stream),
                         name_of);

}  // namespace
}  // namespace quire
