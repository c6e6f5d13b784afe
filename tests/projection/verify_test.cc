// Comparing what follows a table with a recount, and repairing it.
#include "projection/verify.h"

#include <gtest/gtest.h>

#include "projection/follower.h"
#include "table_world.h"

namespace quire {
namespace {

using projection::Verified;

class PlainInspection : public projection::Inspection {
 public:
  std::vector<std::string> flaws;
  std::size_t repaired = 0;
  std::size_t set_aside = 0;  // by a repair

  Awaitable<Result<std::vector<std::string>>> look_again() override { co_return flaws; }
  Awaitable<Result<projection::RepairedItems>> repair() override {
    ++repaired;
    flaws.clear();
    co_return projection::RepairedItems{.set_aside = set_aside};
  }
};

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    world_.build_all();
    world_.expect_followed_up();
    id_ = world_.stream.comments.begin()->first;
    where_ = world_.stream.comments.begin()->second;
  }

  static projection::Verification options(bool repair) {
    projection::Verification options{.repair = repair, .segments = 2, .recount = hurried()};
    options.between_looks = Milliseconds(2);
    options.stall_timeout = Milliseconds(60);
    options.wait_step = Milliseconds(1);
    return options;
  }
  Result<Verified> verify(const projection::Verification& options) {
    projection::Progress progress;
    return wait(
        projection::verify(world_.table, inspection_, world_.make_index, options, progress));
  }
  // What is found, and that repairing leaves nothing of it.
  std::vector<std::string> found() {
    auto looked = verify(options(false)).value();
    auto repaired = verify(options(true)).value();
    EXPECT_EQ(repaired.found.sentences, looked.found.sentences);
    EXPECT_EQ(repaired.left.differences, 0u);
    expect_right();
    EXPECT_EQ(verify(options(false)).value().found.differences, 0u);
    return looked.found.sentences;
  }
  void expect_right() {
    EXPECT_TRUE(world_.statistics_right());
    EXPECT_TRUE(world_.index_right());
  }
  bool nothing_repaired() {
    return world_.statistics.calls.asked["put"] == puts_ && world_.index.calls.asked["put"] == 0;
  }

  TableWorld world_;
  PlainInspection inspection_;
  Ulid id_;
  PlainStream::Where where_;
  std::size_t puts_ = 1;  // of the build
};

using Sentences = std::vector<std::string>;

TEST_F(VerifyTest, ARightTableHasNoDifference) {
  auto verified = verify(options(true)).value();
  EXPECT_EQ(verified.comments, world_.stream.comments.size());
  EXPECT_EQ(verified.found.differences, 0u);
  EXPECT_TRUE(nothing_repaired());
}

TEST_F(VerifyTest, FindsWrongCounts) {
  world_.statistics.totals[where_.product][any][2] += 5;
  EXPECT_EQ(found(), Sentences{"Statistics: " + where_.product});
}

TEST_F(VerifyTest, FindsStatisticsThatAreMissing) {
  world_.statistics.totals.erase(where_.product);
  EXPECT_EQ(found(), Sentences{"Statistics: " + where_.product});
}

TEST_F(VerifyTest, FindsStatisticsOfAProductWithoutComments) {
  world_.statistics.totals["nothing"][any][4] = 1;
  EXPECT_EQ(found(), Sentences{"Statistics: nothing"});
}

TEST_F(VerifyTest, FindsACommentThatThePageIndexLacks) {
  world_.index.edit({where_.product, id_, where_.cell, {}});
  auto sentences = found();
  ASSERT_EQ(sentences.size(), 4u) << "a list each";
  EXPECT_EQ(sentences[0].find("Page index: PRODUCT#"), 0u) << sentences[0];
  EXPECT_NE(sentences[0].find("1 comments are missing, 0 do not belong there"), std::string::npos)
      << sentences[0];
}

TEST_F(VerifyTest, FindsACommentThatThePageIndexHasTooMany) {
  Ulid stranger = Ulid::make(1, {});
  world_.index.edit({where_.product, stranger, {}, where_.cell});
  EXPECT_EQ(found().size(), 4u);
  world_.index.edit({"nothing", stranger, {}, where_.cell});
  EXPECT_EQ(found().size(), 4u);
}

TEST_F(VerifyTest, FindsACommentInAnotherListThanItsOwn) {
  auto other = where_.cell;
  other[rating_facet] = static_cast<FacetValue>(other[rating_facet] % 5 + 1);
  world_.index.add(where_.product, other, id_);
  EXPECT_EQ(found().size(), 1u);
}

TEST_F(VerifyTest, FindsLengthsThatAreWrong) {
  world_.index.lie = 1;
  EXPECT_GT(verify(options(false)).value().found.differences, 4u);
  EXPECT_EQ(verify(options(true)).value().left.differences, 0u);
}

TEST_F(VerifyTest, ATableWithoutAPageIndexIsVerified) {
  world_.table.index = nullptr;
  world_.table.followed.pop_back();
  world_.statistics.totals.erase(where_.product);
  EXPECT_EQ(found(), Sentences{"Statistics: " + where_.product});
}

TEST_F(VerifyTest, StatisticsThatEachWriteKeepsAreVerified) {
  world_.table.followed.clear();
  world_.statistics.now = {};
  world_.statistics.totals.erase(where_.product);
  EXPECT_EQ(found(), Sentences{"Statistics: " + where_.product});
}

TEST_F(VerifyTest, NamesAndMendsItemsAtFault) {
  inspection_.flaws = {"Item a.", "Item b."};
  EXPECT_EQ(verify(options(false)).value().found.sentences, inspection_.flaws);
  EXPECT_EQ(inspection_.repaired, 0u);
  inspection_.set_aside = 1;
  auto repaired = verify(options(true)).value();
  EXPECT_EQ(repaired.found.differences, 2u);
  EXPECT_EQ(repaired.left.differences, 0u);
  EXPECT_EQ(repaired.items.set_aside, 1u);
  EXPECT_EQ(inspection_.repaired, 1u);
}

// Comments that are written while it compares, and workers that have them a little later.
TEST_F(VerifyTest, WritesMeanwhileAreNoDifferences) {
  for (bool repair : {false, true}) {
    world_.hire();
    std::optional<Result<Verified>> verified;
    world_.statistics.totals["nothing"][any][4] = 1;
    world_.statistics.calls.fault = [&](const std::string& name) {
      if (name == "differences") world_.writer.write(2);
      return Fault::none;
    };
    auto patient = options(repair);
    patient.between_looks = Milliseconds(30);
    patient.stall_timeout = Milliseconds(10'000);
    auto& member = world_.crew.run([](TableWorld& world, PlainInspection& inspection,
                                      const projection::Verification& options,
                                      std::optional<Result<Verified>>& out) -> Awaitable<void> {
      projection::Progress progress;
      out =
          co_await projection::verify(world.table, inspection, world.make_index, options, progress);
    }(world_, inspection_, patient, verified));
    ASSERT_TRUE(world_.crew.until([&] { return member.ended; }));
    ASSERT_TRUE(verified && *verified) << (*verified).error().message;
    const auto& sentences = (*verified)->found.sentences;
    EXPECT_EQ(std::count(sentences.begin(), sentences.end(), "Statistics: nothing"), 1);
    world_.on_calls({});
    if (!repair) world_.statistics.totals.erase("nothing");
    ASSERT_TRUE(world_.crew.stop());
    world_.crew.members.clear();
    world_.expect_followed_up();
  }
}

TEST_F(VerifyTest, ATargetThatLagsAndDoesNotMoveIsNamedAndNotRepaired) {
  struct Case {
    change::Target* works;
    const char* lags;
  };
  for (auto [works, lags] :
       {Case{&world_.index, "statistics"}, Case{&world_.statistics, "page index"}}) {
    world_.write(20);
    world_.crew.hire(world_.stream, *works);
    bool statistics = works == &world_.statistics;
    ASSERT_TRUE(world_.crew.until(
        [&] { return world_.has_all(statistics ? world_.statistics.now : world_.index.now); }));
    ASSERT_TRUE(world_.crew.stop());
    world_.crew.members.clear();
    auto verified = verify(options(true));
    ASSERT_FALSE(verified);
    EXPECT_EQ(verified.error().message, std::string("There are differences, but the table's ") +
                                            lags +
                                            " is behind. Run quire verify again when quire project "
                                            "runs and is in step.");
    EXPECT_TRUE(nothing_repaired());
    world_.expect_followed_up();
    EXPECT_EQ(verify(options(true)).value().found.differences, 0u);
  }
}

TEST_F(VerifyTest, StatisticsOfLambdaThatLackAChangeAreNamed) {
  auto again = TableWorld::options();
  again.again = again.lambda = true;
  for (const auto& each : world_.table.followed) ASSERT_TRUE(world_.build(each, again));
  puts_ = 2;
  EXPECT_EQ(verify(options(false)).value().found.differences, 0u);
  world_.write(20);
  auto verified = verify(options(true));
  ASSERT_FALSE(verified);
  EXPECT_NE(verified.error().message.find("see IteratorAge"), std::string::npos);
  EXPECT_TRUE(nothing_repaired());
}

TEST_F(VerifyTest, ATargetThatDoesNotFollowIsNotCompared) {
  for (auto phase : {Phase::empty, Phase::building, Phase::lost}) {
    world_.index.now.phase = phase;
    auto verified = verify(options(true));
    ASSERT_FALSE(verified);
    EXPECT_EQ(verified.error().message,
              "The page index does not follow the table: run quire backfill.");
  }
}

TEST_F(VerifyTest, StopsWhereTooManyProductsDiffer) {
  for (int i = 0; i < 40; ++i) world_.statistics.totals["n" + std::to_string(i)][any][4] = 1;
  auto few = options(false);
  few.max_products = 10;
  auto verified = verify(few).value();
  EXPECT_GE(verified.found.differences, 10u);
  EXPECT_LT(verified.found.differences, 40u);
  EXPECT_EQ(verified.found.sentences.back(),
            "Too many products differ; the others were not compared.");
  few.repair = true;
  verified = verify(few).value();
  EXPECT_EQ(verified.found.differences, 40u) << "all are repaired, a few at a time";
  EXPECT_EQ(verified.left.differences, 0u);
  expect_right();
}

TEST_F(VerifyTest, OfManyDifferencesTheFirstAreTold) {
  for (int i = 0; i < 1200; ++i) world_.statistics.totals["n" + std::to_string(i)][any][4] = 1;
  auto verified = verify(options(false)).value();
  EXPECT_EQ(verified.found.differences, 1200u);
  EXPECT_EQ(verified.found.sentences.size(), 1000u);
}

TEST_F(VerifyTest, AFailureEndsItAndNothingIsRepaired) {
  world_.statistics.totals.erase(where_.product);
  for (const std::string call : {"differences", "products", "state"}) {
    world_.statistics.calls.fault = [&](const std::string& name) {
      return name == call ? Fault::before : Fault::none;
    };
    EXPECT_FALSE(verify(options(true))) << call;
    EXPECT_TRUE(nothing_repaired());
  }
}

// A table that is too busy to be repaired: the next round, or the next run, tries again.
TEST_F(VerifyTest, AProductThatCannotBePutIsLeft) {
  world_.statistics.totals.erase(where_.product);
  world_.statistics.calls.fault = [](const std::string& name) {
    return name == "put" ? Fault::before : Fault::none;
  };
  auto verified = verify(options(true)).value();
  EXPECT_EQ(verified.found.differences, 1u);
  EXPECT_EQ(verified.left.differences, 1u);
}

}  // namespace
}  // namespace quire
