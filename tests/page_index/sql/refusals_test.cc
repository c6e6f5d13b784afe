// Wrong tables and wrong values are errors, and change nothing.
#include <fmt/format.h>

#include <fstream>

#include "page_index/sql/backends.h"

namespace quire::sql {
namespace {

std::string message(const std::unique_ptr<SqlIndex>& index) {
  auto state = wait(index->state());
  EXPECT_FALSE(state);
  if (state) return "";
  EXPECT_EQ(state.error().code, ErrorCode::unavailable);
  return state.error().message;
}

bool says(const std::string& message, std::string_view words) {
  return message.find(words) != message.npos;
}

// Makes the tables, then runs `statement`, in which {} stands for their prefix.
void spoil(const DataSource& place, const std::string& statement) {
  Prepared(place).execute(fmt::format(fmt::runtime(statement), place.tables.prefix));
}

TEST_P(OnEach, AReaderWithoutTablesSeesAnEmptyState) {
  auto reader = open(Access::read);
  EXPECT_EQ(wait(reader->state()).value(), State());
  auto lengths = wait(reader->ranks()->lengths("42", {}));
  ASSERT_FALSE(lengths);
  EXPECT_TRUE(says(lengths.error().message, "quire backfill"));
  EXPECT_EQ(wait(reader->state()).value(), State()) << "a reader makes no tables";

  ASSERT_TRUE(wait(open()->reset(following())));
  EXPECT_EQ(wait(reader->state()).value(), following()) << "as soon as the tables exist";
}

TEST_P(OnEach, AReaderWritesNothing) {
  ASSERT_TRUE(wait(open()->reset(following())));
  auto reader = open(Access::read);
  EXPECT_FALSE(wait(reader->put({inserted(1)})));
  EXPECT_FALSE(wait(reader->apply(step_of({}, {"1"}, {inserted(1)}))));
  EXPECT_FALSE(wait(reader->reset({})));
  EXPECT_FALSE(wait(reader->change_phase("e", Phase::following, Phase::lost)));
  EXPECT_EQ(wait(reader->state()).value(), following());
  EXPECT_EQ(length(*reader), 0u);
}

TEST_P(OnEach, TablesOfALaterVersionAreRefused) {
  spoil(source_, "UPDATE {}_state SET version = 3");
  EXPECT_TRUE(says(message(open()), "version 3"));
  EXPECT_TRUE(says(message(open(Access::read)), "version 3"));
  EXPECT_FALSE(wait(open()->put({inserted(1)})));
}

TEST_P(OnEach, TablesOfAnotherIndexAreRefused) {
  spoil(source_, "UPDATE {}_state SET name = X'00'");
  EXPECT_FALSE(message(open()).empty());
}

TEST_P(OnEach, ForeignTablesAreRefused) {
  spoil(source_, "DROP TABLE {}_state");
  auto raw = std::make_unique<Prepared>(source_);
  raw->execute("DROP TABLE " + source_.tables.state());
  raw->execute("CREATE TABLE " + source_.tables.state() + " (version INTEGER)");
  EXPECT_TRUE(says(message(open()), "not as Quire made them"));
}

TEST_P(OnEach, AMissingTableIsAnError) {
  auto index = open();
  ASSERT_TRUE(wait(index->put({inserted(1)})));
  Prepared(source_).execute("DROP TABLE " + source_.tables.comments());
  auto ranks = index->ranks();
  RankRange all{Cell{}, 0, 10};
  EXPECT_FALSE(wait(ranks->slices("42", {&all, 1})));
  EXPECT_FALSE(wait(index->put({inserted(2)})));
}

TEST_P(OnEach, ValuesThatQuireDoesNotWriteAreErrors) {
  auto index = open();
  ASSERT_TRUE(wait(index->put({inserted(1)})));
  spoil(source_, "UPDATE {}_counts SET language = X'454E'");
  auto ranks = index->ranks();
  Cell list{};
  EXPECT_FALSE(wait(ranks->lengths("42", {&list, 1})));
  auto languages = wait(index->languages("42"));
  ASSERT_FALSE(languages);
  EXPECT_TRUE(says(languages.error().message, "quire backfill"));
  spoil(source_, "UPDATE {}_state SET phase = X'21'");
  EXPECT_FALSE(message(index).empty());
}

TEST_P(OnEach, WrongCountsAreFoundAndRepaired) {
  auto index = open();
  ASSERT_TRUE(wait(index->put({inserted(1), inserted(2)})));
  spoil(source_, "DELETE FROM {}_counts");
  EXPECT_EQ(ids(*index).size(), 0u) << "the counts say that there are no comments";
  spoil(source_, "INSERT INTO {}_counts VALUES (X'3432', X'656E', 5, 1)");
  auto ranks = index->ranks();
  Cell all{};
  EXPECT_FALSE(wait(ranks->ranks("42", {&all, 1}, inserted(1).id)));
  Change gone = inserted(1);
  gone.to = {};
  ASSERT_TRUE(wait(index->put({gone}))) << "put() recounts";
  EXPECT_EQ(ids(*index), std::vector{inserted(2).id});
}

// Only a bug gives an impossible value of a facet. It must not change the statement.
TEST_P(OnEach, NoValueBreaksOutOfItsLiteral) {
  auto index = open();
  ASSERT_TRUE(wait(index->put({inserted(1)})));
  for (FacetValue language : std::initializer_list<FacetValue>{
           0x400, 0x7FF, 0x1F'0000'0000, 0x3FFF'FFFF'FFFF, 0x7FFF'FFFF'FFFF'FFFF, ~0ull}) {
    auto ranks = index->ranks();
    std::vector<Cell> lists{{language, any}, {language, 5}, {any, language}};
    EXPECT_EQ(wait(ranks->lengths("42", lists)).value(), std::vector<std::uint64_t>(3));
    EXPECT_EQ(wait(ranks->ranks("42", lists, Ulid().previous())).value(),
              std::vector<std::uint64_t>(3));
    EXPECT_FALSE(wait(index->put({inserted(2, "42", {language, 5})})));
    EXPECT_FALSE(wait(index->put({inserted(2, "42", {cell("en", 1)[0], language})})));
  }
  EXPECT_EQ(ids(*index), std::vector{inserted(1).id});
}

TEST(SqliteFiles, AFileThatIsNoDatabaseIsRefused) {
  TemporaryDirectory directory;
  auto index_of = [](const std::string& path) {
    return std::make_unique<SqlIndex>(SqliteFile{path}, "t", Access::write);
  };
  std::ofstream(directory.path() + "/text") << std::string(5000, 'x');
  auto text = message(index_of(directory.path() + "/text"));
  EXPECT_TRUE(says(text, "sqlite:" + directory.path() + "/text is no SQLite database")) << text;
  EXPECT_TRUE(says(message(index_of(directory.path())), "may not be opened"));
  auto nowhere = message(index_of(directory.path() + "/none/pages.db"));
  EXPECT_TRUE(says(nowhere, "Make " + directory.path() + "/none, or")) << nowhere;
}

// SQLite has one code for all reasons to refuse a statement.
TEST(SqliteErrors, RevealAlteredTablesByTheirWords) {
  TemporaryDirectory directory;
  const DataSource place{
      SqliteFile{directory.path() + "/pages.db"}, tables_of("t"), Access::write, {}};
  Prepared connection(place);
  auto kind = [&](const std::string& statement) {
    try {
      connection.execute(statement);
    } catch (const soci::soci_error& thrown) {
      return failure_of(thrown).kind;
    }
    return FailureKind::busy;
  };
  auto comments = place.tables.comments();
  EXPECT_EQ(kind("SELECT 1 FROM none"), FailureKind::altered);
  EXPECT_EQ(kind("SELECT none FROM " + comments), FailureKind::altered);
  EXPECT_EQ(kind("SELECT id FROM " + comments + " INDEXED BY none"), FailureKind::altered);
  EXPECT_EQ(kind("INSERT INTO " + comments + " (none) VALUES (1)"), FailureKind::altered);
  EXPECT_EQ(kind("INSERT INTO " + comments + " VALUES (1)"), FailureKind::altered);
  EXPECT_EQ(kind("SELECT"), FailureKind::other);
  std::string many = "SELECT 1";
  for (int i = 0; i < 500; ++i) many += " UNION ALL SELECT 1";
  EXPECT_EQ(kind(many), FailureKind::other);
}

TEST(SqliteFiles, MayHaveAnyName) {
  TemporaryDirectory directory;
  for (const char* name : {"a b", " a", "a=b", "dbname=x y", "ü", "100%", "a'b", "a;b"}) {
    auto path = directory.path() + "/" + name;
    auto address = parse_sql_address("sqlite:" + path, "").value();
    auto index = std::make_unique<SqlIndex>(address, "t", Access::write);
    ASSERT_TRUE(wait(index->put({inserted(1)}))) << name;
    EXPECT_TRUE(std::filesystem::exists(path)) << name;
    SqlIndex reader(address, "t", Access::read);
    EXPECT_EQ(length(reader), 1u) << name;
  }
}

}  // namespace
}  // namespace quire::sql
