// Parts are announced to readers before writers use them.
#include "store/dynamodb/parts/known_parts.h"

#include <gtest/gtest.h>

#include "store/dynamodb/service.h"
#include "store/support.h"

namespace quire::dynamodb {
namespace {

constexpr std::size_t rating_index = 2;

class PartsOfATable : public testing::Test, protected Looped {
 protected:
  // As a process finds them that has just started.
  ListParts found(const std::string& product = "42") {
    KnownParts fresh(process_.client);
    return run(fresh.get())->value->of(product);
  }
  bool announce(std::uint8_t parts, const std::string& product = "42") {
    return run(parts_.announce({product, rating_index}, parts)).value();
  }
  bool begin(std::uint8_t parts, const std::string& product = "42") {
    return bool(run(parts_.begin({product, rating_index}, parts)));
  }
  void damage() { service_.table.items.at({"PARTS", "PARTS"})["parts"] = string("{"); }

  PlainService service_;
  Process process_{context, service_};
  KnownParts parts_{process_.client};
};

TEST_F(PartsOfATable, WithoutTheItemListsHaveOnePart) {
  EXPECT_EQ(found().written, undivided);
  EXPECT_EQ(found().read, undivided);
  EXPECT_TRUE(service_.table.items.empty());
}

TEST_F(PartsOfATable, ReadersAskAnnouncedPartsBeforeWritersUseThem) {
  EXPECT_TRUE(announce(4));
  EXPECT_EQ(found().written, undivided);
  EXPECT_EQ(found().read, (Parts{1, 1, 4, 1}));
  EXPECT_TRUE(begin(4));
  EXPECT_EQ(found().written, (Parts{1, 1, 4, 1}));
  EXPECT_FALSE(announce(4)) << "writers use these already";
  EXPECT_FALSE(announce(2));
  EXPECT_TRUE(announce(5));
  EXPECT_EQ(found("other").read, undivided);
  EXPECT_EQ(run(parts_.read()).value().rows.size(), 1u);
}

// The command that announced them may have been a second ago, and have ended before it began.
TEST_F(PartsOfATable, PartsThatAnotherHasAnnouncedAreWaitedForAllTheSame) {
  KnownParts other(process_.client);
  ASSERT_TRUE(run(other.announce({"42", rating_index}, 4)).value());
  EXPECT_TRUE(announce(4));
  EXPECT_TRUE(announce(3));
}

TEST_F(PartsOfATable, FewerPartsAreWrittenAndAllAreReadOn) {
  ASSERT_TRUE(begin(8));
  ASSERT_TRUE(begin(2));
  EXPECT_EQ(found().written[rating_index], 2);
  EXPECT_EQ(found().read[rating_index], 8);
}

// At the moment of need, all new comments would go into one part.
TEST_F(PartsOfATable, AProductsFirstDeclarationBeginsWithThoseOfTheTable) {
  ASSERT_TRUE(begin(4, ""));
  EXPECT_TRUE(announce(8));
  EXPECT_EQ(found().written[rating_index], 4);
  EXPECT_EQ(found().read[rating_index], 8);
  ASSERT_TRUE(begin(8));
  EXPECT_EQ(found().written[rating_index], 8);
  EXPECT_EQ(found("other").read[rating_index], 4);
  EXPECT_FALSE(announce(1, "cold"));
  ASSERT_TRUE(begin(1, "cold"));
  EXPECT_EQ(found("cold").written[rating_index], 1);
  EXPECT_EQ(found("cold").read[rating_index], 4);
}

TEST_F(PartsOfATable, NewCommentsGoIntoTheWrittenPartsAndEditsStay) {
  ASSERT_TRUE(begin(4));
  std::vector<Awaitable<Result<std::string>>> works;
  for (std::uint64_t i = 0; i < 40; ++i)
    works.push_back(process_.writes.insert(comment_at(1000 + i, i, "en", 5), {}));
  for (const auto& made : run_all(std::move(works))) ASSERT_TRUE(made);
  std::set<std::string> lists;
  for (const auto& [key, item] : service_.table.items)
    if (is_comment(item)) lists.insert(item.at("GSI3PK").text);
  EXPECT_EQ(lists, (std::set<std::string>{"PRODUCT#42/5", "PRODUCT#42/5#part1",
                                          "PRODUCT#42/5#part2", "PRODUCT#42/5#part3"}));
  ASSERT_TRUE(begin(1));
  Process later(context, service_);
  for (const auto& comment : comments_in(service_.table)) {
    auto before = service_.table.find(comment_key(comment.id))->at("GSI3PK");
    Patch patch;
    patch.text = "changed";
    ASSERT_TRUE(run(later.writes.update(comment.id, patch)));
    EXPECT_EQ(service_.table.find(comment_key(comment.id))->at("GSI3PK"), before);
  }
}

TEST_F(PartsOfATable, ProcessesThatDeclareAtOnceLoseNothing) {
  KnownParts other(process_.client);
  std::vector<Awaitable<Status>> works;
  for (std::uint8_t i = 1; i < 5; ++i) {
    works.push_back(parts_.begin({"42", rating_index}, i));
    works.push_back(other.begin({"p" + std::to_string(i), rating_index}, i));
  }
  for (const auto& made : run_all(std::move(works))) EXPECT_TRUE(made);
  EXPECT_EQ(found().read[rating_index], 4);
  EXPECT_EQ(found("p3").written[rating_index], 3);
}

// A put that was applied though its answer was lost is a declaration that was made.
TEST_F(PartsOfATable, ALostAnswerIsMadeUpFor) {
  service_.fault = [n = 0](const std::string& operation, const auto&) mutable {
    return operation == "PutItem" && n++ == 0 ? Fault::applied : Fault::none;
  };
  EXPECT_TRUE(announce(4));
  EXPECT_EQ(found().read[rating_index], 4);
}

// Then no comment is missed, whatever was declared.
TEST_F(PartsOfATable, OfADamagedItemAllPartsAreRead) {
  ASSERT_TRUE(begin(4));
  damage();
  EXPECT_EQ(found().read, (Parts{16, 16, 16, 16}));
  EXPECT_EQ(found().written, undivided);
  EXPECT_EQ(run(parts_.read()).error().code, ErrorCode::damaged);
}

TEST_F(PartsOfATable, ADeclarationWritesADamagedItemAnewAndNoPartIsUnread) {
  ASSERT_TRUE(begin(4));
  damage();
  EXPECT_TRUE(announce(2));
  EXPECT_EQ(found().read, (Parts{16, 16, 16, 16}));
  EXPECT_EQ(found("other").read, (Parts{16, 16, 16, 16}));
  ASSERT_TRUE(begin(2));
  EXPECT_EQ(found().read, (Parts{16, 16, 16, 16}));
  EXPECT_EQ(found().written, (Parts{1, 1, 2, 1}));
  service_.table.items.at({"PARTS", "PARTS"}).erase("version");
  ASSERT_TRUE(begin(3, ""));
  EXPECT_EQ(found("other").written, (Parts{1, 1, 3, 1}));
  EXPECT_EQ(run(parts_.read()).value().version, 1u);
}

// Another may have written the item anew in the meantime.
TEST_F(PartsOfATable, OnlyTheDamagedItemThatWasReadIsWrittenAnew) {
  ASSERT_TRUE(begin(4));
  auto whole = service_.table.items.at({"PARTS", "PARTS"});
  damage();
  service_.fault = [&, puts = 0](const std::string& operation, const auto&) mutable {
    if (operation == "PutItem" && puts++ == 0) service_.table.items.at({"PARTS", "PARTS"}) = whole;
    return Fault::none;
  };
  ASSERT_TRUE(begin(5));
  EXPECT_EQ(found().read, (Parts{1, 1, 5, 1}));
}

TEST_F(PartsOfATable, WhatAReaderGoesByIsReadOnceAndNeverOld) {
  ASSERT_TRUE(run(parts_.get()));
  ASSERT_TRUE(run(parts_.get()));
  EXPECT_EQ(service_.asked, (std::map<std::string, std::size_t>{{"GetItem", 1}}));
  EXPECT_TRUE(parts_.fresh());
  EXPECT_LT(KnownParts::max_age, KnownParts::settled);
  service_.fault = [](const auto&...) { return Fault::refused; };
  KnownParts fresh(process_.client);
  EXPECT_EQ(run(fresh.get()).error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace quire::dynamodb
