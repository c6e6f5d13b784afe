#include <random>
#include <set>

#include "page_index/sql/backends.h"

namespace quire::sql {
namespace {

TEST(SqlTables, HaveReadableNames) {
  EXPECT_EQ(tables_of("comments").prefix, "quire_pages_comments");
  EXPECT_EQ(tables_of("Shop-2.eu_west").prefix, "quire_pages__shop_02_1eu__west");
  EXPECT_EQ(tables_of("a b").prefix, "quire_pages_a_220b");
  EXPECT_EQ(tables_of("a").comments(), "quire_pages_a_comments");
  EXPECT_EQ(tables_of("a").name, "a");
}

TEST(SqlTables, HashLongNames) {
  EXPECT_EQ(tables_of(std::string(255, 'x')).prefix,
            "quire_pages__3d22609da3ae3956ca4877056a8e580ee");
}

// MySQL allows 64 characters; SQLite ignores case.
TEST(SqlTables, HaveDifferentNamesForDifferentIndexes) {
  std::set<std::string> prefixes;
  std::set<std::string> names{"",   "a",  "A",   "_a", "__a", "a_",
                              "_A", "a-", "a_0", "a.", "a_1", "_3"};
  const std::string alphabet = "aA_0123-. \xC3'\"`";
  std::mt19937 random(1);
  while (names.size() < 20'000) {
    std::string name;
    for (auto size = random() % 8; size > 0; --size) name += alphabet[random() % alphabet.size()];
    names.insert(name);
  }
  for (std::size_t size = 36; size < 256; ++size) names.insert(std::string(size, 'a'));
  for (const auto& name : names) {
    auto tables = tables_of(name);
    prefixes.insert(tables.prefix);
    EXPECT_LE((tables.prefix + "_by_language_and_rating").size(), 70u);
    EXPECT_LE(tables.comments().size(), 64u);
    EXPECT_EQ(tables.prefix.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
              std::string::npos)
        << tables.prefix;
  }
  EXPECT_EQ(prefixes.size(), names.size());
}

TEST_P(OnEach, IndexesOfDifferentNamesAreIndependent) {
  std::vector<std::unique_ptr<SqlIndex>> indexes;
  std::vector<std::string> names{
      "", "x", "X", "_comments", "'; DROP TABLE x; --", std::string(200, 'y')};
  for (const auto& each : names)
    indexes.push_back(std::make_unique<SqlIndex>(address(), name() + each, Access::write));
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    State state = following();
    state.epoch = "e" + std::to_string(i);
    ASSERT_TRUE(wait(indexes[i]->reset(state)));
    ASSERT_TRUE(wait(indexes[i]->put({inserted(static_cast<std::uint32_t>(i))})));
  }
  ASSERT_TRUE(wait(indexes[1]->reset({})));
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    auto state = wait(indexes[i]->state()).value();
    EXPECT_EQ(state.epoch, i == 1 ? "" : "e" + std::to_string(i));
    auto expected = std::vector{inserted(static_cast<std::uint32_t>(i)).id};
    EXPECT_EQ(ids(*indexes[i]), i == 1 ? std::vector<Ulid>() : expected);
  }
}

}  // namespace
}  // namespace quire::sql
