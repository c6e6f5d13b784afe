// Counts of blocks: their text, their upkeep, and what happens when they are wrong or missing.
#include "page_index/sql/blocks.h"

#include <fmt/format.h>

#include <thread>

#include "page_index/sql/backends.h"
#include "page_index/sql/database/dialect.h"
#include "projection/compare.h"

namespace quire::sql {
namespace {

SqlOptions small_blocks() {
  SqlOptions options;
  options.block_sizes = {.max_comments = 8, .max_blocks = 4};
  return options;
}

std::vector<Change> many(std::uint32_t count, std::uint32_t from = 0) {
  std::vector<Change> changes;
  for (std::uint32_t i = 0; i < count; ++i)
    changes.push_back(inserted(from + i, "42", i % 3 ? english : german));
  return changes;
}

long long number(const DataSource& source, const std::string& query) {
  Prepared connection(source);
  return std::get<0>(
      connection.rows<long long>(fmt::format(fmt::runtime(query), source.tables.prefix)).at(0));
}

void run(const DataSource& source, const std::string& statement) {
  Prepared(source).execute(fmt::format(fmt::runtime(statement), source.tables.prefix));
}

std::vector<std::string> flaws(SqlIndex& index) {
  return wait(index.flaws("42")).value();
}

TEST(SqlBlocks, CountsAreTextWithValuesAndNumbers) {
  CellCounts counts{{german, 3}, {cell("en", 4), 2}, {english, 120}, {cell("zh-Hant-TW", 2), 1}};
  EXPECT_EQ(text_of(counts), "de/1=3,en/4=2,en/5=120,zh-Hant-TW/2=1");
  EXPECT_EQ(parse_counts(text_of(counts)), counts);
  EXPECT_EQ(parse_counts(""), CellCounts());
  for (const char* text : {"en", "en/5", "en/5=", "en/5=0", "en/5=x", "en/6=1", "en/=1", "/5=1",
                           "EN/5=1", "en=5/1", "en/5=1,", "en/5=1,,de/1=1", "en/5=1;de/1=1",
                           ",en/5=1", "en/5=1 ", "en/5=-1", "en/5=99999999999999999999999"})
    EXPECT_THROW(parse_counts(text), Unusable) << text;
}

TEST_P(OnEach, AShortProductHasNoBlocksAndALongOneHasFew) {
  auto index = open();
  ASSERT_TRUE(wait(index->put(many(1024))));
  ASSERT_TRUE(wait(index->put(many(1)))) << "a repair, which makes blocks anew";
  EXPECT_EQ(number(source_, "SELECT COUNT(*) FROM {}_blocks"), 0);
  ASSERT_TRUE(wait(index->put(many(976, 1024))));
  EXPECT_EQ(number(source_, "SELECT COUNT(*) FROM {}_blocks"), 3);
  EXPECT_TRUE(flaws(*index).empty());
}

TEST_P(OnEach, BlocksGoWithTheirComments) {
  auto index = open(Access::write, small_blocks());
  auto changes = many(300);
  ASSERT_TRUE(wait(index->reset(following())));
  ASSERT_TRUE(wait(index->apply(step_of({}, {"1"}, changes))).value());
  EXPECT_GE(number(source_, "SELECT MAX(level) FROM {}_blocks"), 2);
  EXPECT_EQ(number(source_, "SELECT COUNT(*) FROM {}_blocks WHERE level = 0"), 75);
  for (auto& change : changes) change.to.reset();
  auto last = changes.back();
  changes.pop_back();
  ASSERT_TRUE(wait(index->apply(step_of(Mark{"1"}, {"2"}, changes))).value());
  EXPECT_EQ(number(source_, "SELECT COUNT(*) FROM {}_blocks WHERE level = 0"), 1);
  EXPECT_TRUE(flaws(*index).empty());
  EXPECT_EQ(ids(*index), std::vector{last.id});
  ASSERT_TRUE(wait(index->apply(step_of(Mark{"2"}, {"3"}, {last}))).value());
  EXPECT_EQ(number(source_, "SELECT COUNT(*) FROM {}_blocks"), 0);
}

// A step that was refused or came twice changes no block.
TEST_P(OnEach, AStepThatIsRefusedChangesNoBlocks) {
  auto index = open(Access::write, small_blocks());
  ASSERT_TRUE(wait(index->reset(following())));
  auto step = step_of({}, {"1"}, many(100));
  ASSERT_TRUE(wait(index->apply(step)).value());
  EXPECT_FALSE(wait(index->apply(step)).value());
  ASSERT_TRUE(wait(index->apply(step_of(Mark{"1"}, {"2"}, many(100)))).value());
  EXPECT_TRUE(flaws(*index).empty());
  EXPECT_EQ(length(*index), 100u);
}

TEST_P(OnEach, WrongBlocksAreFoundAndMadeAnewByARepair) {
  auto index = open(Access::write, small_blocks());
  ASSERT_TRUE(wait(index->put(many(100))));
  auto spoil = [&](const char* statement) {
    run(source_, statement);
    EXPECT_FALSE(flaws(*index).empty()) << statement;
    ASSERT_TRUE(wait(index->put({inserted(1, "42", english)}))) << statement;
    EXPECT_TRUE(flaws(*index).empty()) << statement;
    EXPECT_EQ(ids(*index).size(), 100u) << statement;
  };
  spoil("UPDATE {}_blocks SET cells = X'64652F313D31' WHERE level = 0");  // de/1=1
  spoil("UPDATE {}_blocks SET cells = X'64652F313D31' WHERE level = 1");
  spoil("DELETE FROM {}_blocks WHERE level = 0 AND first_id > X'01'");
  spoil("DELETE FROM {}_blocks WHERE level = 1 AND first_id = X'00000000000000000000000000000000'");
  spoil("DELETE FROM {}_blocks WHERE level = 0");
  spoil("DELETE FROM {}_blocks WHERE level = 1");
  spoil("DELETE FROM {}_blocks WHERE level = 2 AND first_id > X'01'");
  spoil("UPDATE {}_blocks SET cells = X'21' WHERE level = 0");
  spoil("UPDATE {}_counts SET comments = comments + 1");
}

TEST_P(OnEach, WrongBlocksGiveNoWrongRank) {
  auto index = open(Access::write, small_blocks());
  auto changes = many(300);
  ASSERT_TRUE(wait(index->put(changes)));
  const std::vector<Cell> all{Cell{}};
  const std::string middle = literal(changes[150].id.view());
  const std::string statements[] = {
      "DELETE FROM {}_blocks WHERE level = 0 AND first_id > X'01' AND first_id < " + middle,
      "DELETE FROM {}_blocks WHERE level = 0",
      "DELETE FROM {}_blocks WHERE level = 1",
      "UPDATE {}_blocks SET cells = X'64652F313D31' WHERE level = 0",
  };
  for (const auto& statement : statements) {
    run(source_, statement);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < changes.size(); i += 10) {
      auto ranks = wait(index->ranks()->ranks("42", all, changes[i].id));
      if (!ranks) {
        ++refused;
        continue;
      }
      EXPECT_EQ(ranks->at(0), i) << statement;
    }
    EXPECT_GT(refused, 0u) << statement;
    ASSERT_TRUE(wait(index->put({changes[0]})));
  }
}

// As quire verify does it, which must not end with an error there.
TEST_P(OnEach, ComparingMendsBlocksThatMakeListsUnreadable) {
  using projection::compare;
  auto index = open();
  SqlIndex truth(address(), name() + "-truth", Access::write);
  ASSERT_TRUE(wait(index->put(many(2000))));
  ASSERT_TRUE(wait(truth.put(many(2000))));
  for (const char* statement :
       {"DELETE FROM {}_blocks WHERE level = 0 AND first_id > X'01'",
        "UPDATE {}_blocks SET cells = X'21'", "UPDATE {}_blocks SET level = 1"}) {
    run(source_, statement);
    for (auto repairing : {projection::Repairing::no, projection::Repairing::yes}) {
      auto found = wait(compare(truth, *index, "42", repairing));
      ASSERT_TRUE(found) << statement << ": " << found.error().message;
      EXPECT_FALSE(found->empty()) << statement;
    }
    EXPECT_TRUE(wait(compare(truth, *index, "42")).value().empty()) << statement;
  }
}

TEST_P(OnEach, BlocksThatCannotBeReadAreAnError) {
  auto index = open(Access::write, small_blocks());
  ASSERT_TRUE(wait(index->put(many(1000))));
  Prepared(source_).execute("UPDATE " + source_.tables.blocks() + " SET cells = X'21'");
  std::vector<Cell> lists{Cell{}};
  auto found = wait(index->ranks()->nth_of_union("42", lists, 1000, 500));
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("quire backfill"), std::string::npos);
}

}  // namespace
}  // namespace quire::sql
