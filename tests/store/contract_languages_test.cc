// A product has a number of languages that is bounded: the next one is refused, and nothing
// changes.
#include "base/limits.h"
#include "contract.h"
#include "service/product_languages.h"
#include "stands.h"

namespace quire {
namespace {

// The n-th of many languages: "aa", "ab", …
std::string language(std::size_t n) {
  return {static_cast<char>('a' + n / 26), static_cast<char>('a' + n % 26)};
}

class LanguagesContract : public StoreContract {
 protected:
  LanguagesContract() {
    std::vector<Comment> comments;
    for (std::size_t n = 0; comments.size() < limits::product_languages; ++n) {
      auto next = written_in(language(n));
      if (next.language == language(n)) comments.push_back(std::move(next));
      last_ = n;
    }
    EXPECT_EQ(wait(store_->insert_many(comments)).value(), comments.size());
    first_ = comments.front();
    second_ = comments[1];
    // Where a write of the process shows in the statistics.
    EXPECT_TRUE(wait(store_->insert(written_in(first_.language), {})));
  }

  // In a store texts are as they were checked: some codes stand for others.
  Comment written_in(const std::string& language) {
    ++made_;
    return comment_at(1000 + made_, made_, canonical_language(language).value(), 5, "babel");
  }
  std::string new_language() {
    for (;;)
      if (auto next = language(++last_); canonical_language(next) == next) return next;
  }
  std::size_t languages() {
    auto counts = wait(store_->view()->counts("babel")).value();
    std::set<FacetValue> all;
    for (const auto& row : counts.rows()) all.insert(row.cell[language_facet]);
    return all.size();
  }
  static void expect_refused(const auto& result) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::invalid_comment);
    ASSERT_EQ(result.error().fields.size(), 1u);
    EXPECT_EQ(result.error().fields[0].field, "language");
  }

  Comment first_, second_;
  std::uint64_t made_ = 0;
  std::size_t last_ = 0;
};

TEST_P(LanguagesContract, TheNextOneIsRefusedAndOthersAreTaken) {
  EXPECT_EQ(languages(), limits::product_languages);
  auto pending = written_in(new_language());
  pending.moderation.status = CommentStatus::pending;
  expect_refused(wait(store_->insert(written_in(pending.language), {})));
  expect_refused(wait(store_->insert(pending, {})));
  expect_refused(wait(store_->update(second_.id, {.language = pending.language})));
  EXPECT_EQ(wait(store_->view()->find(second_.id)).value(), second_);
  EXPECT_TRUE(wait(store_->insert(written_in(second_.language), {})));
  EXPECT_TRUE(wait(store_->update(first_.id, {.language = second_.language})));
  EXPECT_EQ(languages(), limits::product_languages);
  auto elsewhere = written_in(new_language());
  elsewhere.product = "another";
  EXPECT_TRUE(wait(store_->insert(elsewhere, {})));
}

TEST_P(LanguagesContract, ALanguageWithoutCommentsLeavesItsPlace) {
  ASSERT_TRUE(wait(store_->remove(second_.id)));
  auto next = written_in(new_language());
  EXPECT_TRUE(wait(store_->insert(next, {})));
  expect_refused(wait(store_->insert(written_in(second_.language), {})));
}

TEST_P(LanguagesContract, OneThatWaitsIsNotPublishedBeyondThem) {
  ASSERT_TRUE(wait(store_->remove(second_.id)));
  auto pending = written_in(new_language());
  pending.moderation.status = CommentStatus::pending;
  ASSERT_TRUE(wait(store_->insert(pending, {}))) << "there is room as long as it waits";
  ASSERT_TRUE(wait(store_->insert(written_in(second_.language), {})));
  Patch publish{.status = CommentStatus::published};
  auto decide = [](const Comment&, Comment& after) -> Status {
    after.moderation.status = CommentStatus::published;
    return Done{};
  };
  expect_refused(wait(store_->update(pending.id, publish, {}, decide)));
  EXPECT_EQ(wait(store_->view()->find(pending.id)).value(), pending);
}

TEST_P(LanguagesContract, RowsOfAnImportAreRefusedOneByOne) {
  ProductLanguages known(*store_);
  auto refuses = [&](const std::string& language, const std::string& product = "babel") {
    auto row = written_in(language);
    row.product = product;
    return !known.check(row).ok();
  };
  EXPECT_FALSE(refuses(first_.language));
  EXPECT_FALSE(refuses(second_.language));
  auto fresh = new_language();
  EXPECT_TRUE(refuses(fresh));
  EXPECT_TRUE(refuses(fresh)) << "each row";
  EXPECT_FALSE(refuses(fresh, "another"));
  std::size_t taken = 0;
  for (std::size_t n = 0; n < 26 * 26; ++n)
    if (canonical_language(language(n)) == language(n))
      taken += !refuses(language(n), "of the file");
  EXPECT_EQ(taken, limits::product_languages);
}

INSTANTIATE_TEST_SUITE_P(Stores, LanguagesContract, testing::Values(on_embedded, on_local),
                         name_of);

// Where the statistics follow later, or are not there, nothing is refused.
class UncountedLanguages : public StoreContract {};

TEST_P(UncountedLanguages, AreTaken) {
  for (std::uint64_t n = 0; n < 3; ++n)
    EXPECT_TRUE(wait(store_->insert(comment_at(1000, n + 1, language(n), 5), {})));
}

INSTANTIATE_TEST_SUITE_P(Stores, UncountedLanguages, testing::Values(on_stream, on_dynalite),
                         name_of);

}  // namespace
}  // namespace quire
