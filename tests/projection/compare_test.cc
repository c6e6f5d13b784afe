// A damaged page index beside one that is right: all of it is found, and repaired.
#include "projection/compare.h"

#include <gtest/gtest.h>

#include "base/rounds.h"
#include "loop/loop.h"
#include "plain_target.h"

namespace quire {
namespace {

using projection::both;
using projection::compare;
using projection::Repairing;
using Names = std::vector<std::string>;

Ulid id_number(std::uint64_t number) {
  std::array<std::uint8_t, 10> entropy{};
  for (std::size_t i = 9; number > 0; --i, number >>= 8)
    entropy[i] = static_cast<std::uint8_t>(number);
  return Ulid::make(1'700'000'000'000, entropy);
}

class Comparing : public testing::Test {
 protected:
  // In both.
  void fill(std::uint64_t count) {
    constexpr const char* languages[] = {"de", "en", "fr"};
    for (std::uint64_t i = 1; i <= count; ++i) {
      auto at = cell(languages[i % 3], static_cast<int>(i % 5) + 1);
      for (auto* index : {&truth_, &index_}) index->edit({"42", id_number(i), {}, at});
      cells_[id_number(i)] = at;
    }
  }
  Names found() { return wait(compare(truth_, index_, "42")).value(); }
  // Mends it, and it is as it must be; says how many lists were wrong.
  std::size_t repair() {
    auto differences = found();
    EXPECT_EQ(wait(compare(truth_, index_, "42", Repairing::yes)).value(), differences);
    EXPECT_TRUE(index_.lists == truth_.lists);
    EXPECT_TRUE(found().empty());
    return differences.size();
  }

  PlainTarget truth_, index_;
  std::map<Ulid, Cell> cells_;
};

TEST_F(Comparing, EqualIndexesHaveNoDifferences) {
  EXPECT_EQ(repair(), 0u) << "nor what is in neither";
  fill(100);
  EXPECT_EQ(repair(), 0u);
}

TEST_F(Comparing, ACommentMissingFromOneListIsFound) {
  fill(30);
  for (const auto& [id, at] : cells_) {
    for (const auto& index : indexes) {
      index_.take("42", list_of(index, at), id);
      auto differences = found();
      ASSERT_EQ(differences.size(), 1u);
      EXPECT_EQ(differences[0], list_key("42", list_of(index, at)) +
                                    ": 1 comments are missing, 0 do not belong there.");
      EXPECT_EQ(repair(), 1u);
    }
  }
}

// Also where it belongs to other lists, and where the whole language is not there.
TEST_F(Comparing, ACommentTooManyInOneListIsFound) {
  fill(30);
  for (const auto& id : {id_number(7), id_number(1000)}) {
    for (const char* language : {"en", "yue"}) {
      for (FacetValue rating = any; rating <= 5; ++rating) {
        for (FacetValue value : {any, cell(language, 1)[language_facet]}) {
          Cell list{value, rating};
          if (cells_.contains(id) && covers(list, cells_[id])) continue;
          index_.add("42", list, id);
          auto differences = found();
          ASSERT_EQ(differences.size(), 1u);
          EXPECT_EQ(differences[0],
                    list_key("42", list) + ": 0 comments are missing, 1 do not belong there.");
          EXPECT_EQ(repair(), 1u);
        }
      }
    }
  }
}

TEST_F(Comparing, ACommentInListsWithoutALanguageAloneIsFound) {
  for (FacetValue rating = any; rating <= 5; ++rating) {
    index_.add("42", {any, rating}, id_number(1));
    EXPECT_EQ(repair(), 1u);
  }
}

TEST_F(Comparing, ACommentOfAnotherLanguageOrRatingIsMoved) {
  fill(30);
  for (auto wrong : {cell("yue", 1), cell("de", 5), cell("fr", 3)}) {
    for (const auto& [id, at] : cells_) {
      index_.edit({"42", id, at, wrong});
      repair();
    }
  }
}

TEST_F(Comparing, AWholeProductIsMissingOrTooMuch) {
  fill(30);
  index_.lists.clear();
  EXPECT_EQ(repair(), 6 + 3 + 15u);
  truth_.lists.clear();
  EXPECT_EQ(repair(), 6 + 3 + 15u);
}

TEST_F(Comparing, LengthsThatAreKeptApartAreComparedToo) {
  fill(30);
  index_.lie = 2;
  EXPECT_EQ(found().front(), "PRODUCT#42: it has 30 comments, and says 32.");
  EXPECT_EQ(repair(), 6 + 3 * 6u);
}

// Lists are read by the thousand.
TEST_F(Comparing, ListsOfAnyLength) {
  std::uint64_t full = 0;
  for (std::uint64_t length : {999u, 1000u, 1001u, 1999u, 2000u, 2001u}) {
    fill(length);
    EXPECT_EQ(repair(), 0u);
    for (auto at : {std::uint64_t{1}, std::min<std::uint64_t>(1000, length), length}) {
      index_.take("42", {}, id_number(at));
      EXPECT_EQ(repair(), 1u);
    }
    for (auto extra : {std::uint64_t{0}, length + 1}) {
      index_.add("42", {}, id_number(extra));
      EXPECT_EQ(repair(), 1u);
    }
    full = length;
  }
  EXPECT_EQ(truth_.lists["42"][Cell{}].size(), full);
  EXPECT_LE(std::max(truth_.max_slice, index_.max_slice), 1000u);
}

// A product may have comments in hundreds of languages, each with six lists.
TEST_F(Comparing, ManyListsAreAskedInGroups) {
  Names languages;
  for (int i = 0; i < 300; ++i) {
    languages.push_back({'x', static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)});
    for (auto* index : {&truth_, &index_})
      index->edit({"42",
                   id_number(1000 + static_cast<std::uint64_t>(i)),
                   {},
                   cell(languages.back(), i % 5 + 1)});
  }
  EXPECT_EQ(repair(), 0u);
  for (std::size_t i : {0u, 150u, 299u}) {
    auto at = cell(languages[i], static_cast<int>(i % 5) + 1);
    index_.take("42", at, id_number(1000 + i));
  }
  EXPECT_EQ(found().size(), 3u);
  EXPECT_LE(index_.max_lists, 100u);
  EXPECT_EQ(repair(), 3u);
}

TEST_F(Comparing, LongListsThatShareNothing) {
  for (std::uint64_t i = 1; i <= 3000; ++i) {
    auto& index = i % 2 ? truth_ : index_;
    index.edit({"42", id_number(i), {}, cell("en", 5)});
  }
  EXPECT_EQ(repair(), 4u);
}

TEST_F(Comparing, AnyDamageIsRepaired) {
  for (std::uint64_t seed = 1; seed <= rounds(200u); ++seed) {
    truth_.lists.clear();
    index_.lists.clear();
    cells_.clear();
    std::mt19937_64 random(seed);
    fill(random() % 60);
    for (auto damages = random() % 20; damages > 0; --damages) {
      auto id = id_number(random() % 70);
      Cell list{cell(random() % 2 ? "en" : "yue", 1)[language_facet],
                static_cast<FacetValue>(random() % 6)};
      if (random() % 2) list[language_facet] = any;
      if (random() % 2)
        index_.add("42", list, id);
      else
        index_.take("42", list, id);
    }
    repair();
  }
}

// One that cannot be asked gives no half of an answer.
TEST_F(Comparing, AFailureOfEitherIsAnError) {
  fill(2100);
  index_.take("42", {}, id_number(5));
  std::size_t at = 1;
  for (bool failed = true; failed; ++at) {
    std::size_t asked = 0;
    truth_.calls.fault = index_.calls.fault = [&](const std::string&) {
      return ++asked == at ? Fault::before : Fault::none;
    };
    auto result = wait(compare(truth_, index_, "42"));
    failed = asked >= at;
    EXPECT_EQ(result.ok(), !failed);
  }
  EXPECT_GT(at, 10u);
}

TEST(Both, AsFarAsBothReach) {
  EXPECT_EQ(both({}, {}, 3), Names{});
  EXPECT_EQ(both({"a", "c"}, {"b", "c"}, 3), (Names{"a", "b", "c"}));
  EXPECT_EQ(both({"a", "b", "c"}, {"d"}, 3), (Names{"a", "b", "c"})) << "d may have some before it";
  EXPECT_EQ(both({"a", "b", "d"}, {"c", "e", "f"}, 3), (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(both({"a", "b"}, {"a", "c"}, 2), (Names{"a", "b"}));
}

// Walked through in pieces, each name comes once.
TEST(Both, GoThroughAll) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    std::mt19937_64 random(seed);
    std::array<std::set<std::string>, 2> lists;
    for (auto count = random() % 40; count > 0; --count)
      lists[random() % 2].insert(std::to_string(random() % 100));
    auto piece = [](const std::set<std::string>& all, const std::string& after) {
      Names names;
      for (auto at = all.upper_bound(after); at != all.end() && names.size() < 3; ++at)
        names.push_back(*at);
      return names;
    };
    Names walked;
    for (std::string after;; after = walked.back()) {
      auto next = both(piece(lists[0], after), piece(lists[1], after), 3);
      if (next.empty()) break;
      walked.insert(walked.end(), next.begin(), next.end());
    }
    std::set<std::string> all = lists[0];
    all.insert(lists[1].begin(), lists[1].end());
    EXPECT_EQ(walked, Names(all.begin(), all.end()));
  }
}

}  // namespace
}  // namespace quire
