// A missing, foreign or damaged page index is an error, and stays unchanged.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "bitmap_index/databases.h"
#include "loop/loop.h"
#include "page_index/index_backend.h"
#include "page_index/lmdb/format.h"
#include "page_index/lmdb/index.h"
#include "page_index/lmdb/rows.h"
#include "temporary_directory.h"

namespace quire::page_index {
namespace {

namespace fs = std::filesystem;
using change::Phase;

const Ulid id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value();
const change::Change inserted{"42", id, {}, cell("en", 5)};

class Refusals : public testing::Test {
 protected:
  std::unique_ptr<LmdbIndex> open(Access access = Access::write) {
    return LmdbIndex::open(directory_.path(), access).value();
  }
  std::string refusal(Access access) { return refusal(directory_.path(), access); }
  static std::string refusal(const std::string& directory, Access access) {
    auto index = LmdbIndex::open(directory, access);
    if (!index) return message(index.error());
    auto state = wait((*index)->state());
    return state ? "none" : message(state.error());
  }
  static std::string message(const Error& error) {
    EXPECT_EQ(error.code, ErrorCode::unavailable);
    return error.message;
  }
  // Makes an index with one comment of product 42, and one mark.
  void fill() {
    auto index = open();
    ASSERT_TRUE(wait(index->reset({Phase::following, "e", "arn", {{"s", {"1"}}}})));
    ASSERT_TRUE(wait(index->put({inserted})));
  }

  TemporaryDirectory directory_;
};

// Expects that the state is empty, and that questions fail.
void expect_nothing(LmdbIndex& reader, const std::string& directory) {
  EXPECT_EQ(wait(reader.state()).value(), change::State());
  Cell list{};
  auto lengths = wait(reader.ranks()->lengths("42", {&list, 1}));
  ASSERT_FALSE(lengths);
  EXPECT_EQ(lengths.error().code, ErrorCode::unavailable);
  EXPECT_EQ(lengths.error().message,
            "There is no page index in " + directory + ". Build one with quire backfill.");
  EXPECT_FALSE(wait(reader.products("", 1)));
  EXPECT_FALSE(wait(reader.languages("42")));
  EXPECT_FALSE(wait(reader.put({inserted})));
}

TEST_F(Refusals, AReaderOfNothingSeesAnEmptyStateAndMakesNothing) {
  auto nowhere = directory_.path() + "/nowhere";
  expect_nothing(*LmdbIndex::open(nowhere, Access::read).value(), nowhere);
  EXPECT_FALSE(fs::exists(nowhere));
  expect_nothing(*open(Access::read), directory_.path());
  EXPECT_TRUE(fs::is_empty(directory_.path()));
  { lmdb::Environment made({.directory = directory_.path()}); }  // has no databases yet
  expect_nothing(*open(Access::read), directory_.path());
}

TEST_F(Refusals, AReaderFindsAnIndexThatIsMadeLater) {
  auto reader = open(Access::read);
  expect_nothing(*reader, directory_.path());
  fill();
  EXPECT_EQ(wait(reader->state())->epoch, "e");
  Cell list{};
  EXPECT_EQ(wait(reader->ranks()->lengths("42", {&list, 1})).value(),
            std::vector<std::uint64_t>{1});
}

TEST_F(Refusals, AWriterMakesTheDirectory) {
  auto below = directory_.path() + "/a/b";
  EXPECT_EQ(refusal(below, Access::write), "none");
  EXPECT_EQ(refusal(below, Access::read), "none");
  std::ofstream(directory_.path() + "/file") << "text";
  EXPECT_TRUE(
      refusal(directory_.path() + "/file/below", Access::write).starts_with("Cannot make "));
}

TEST_F(Refusals, AForeignFileIsLeftAlone) {
  std::string text(10'000, 'x');
  std::ofstream(directory_.path() + "/data.mdb") << text;
  for (auto access : {Access::read, Access::write})
    EXPECT_TRUE(refusal(access).ends_with(" Name another directory.")) << refusal(access);
  EXPECT_EQ(fs::file_size(directory_.path() + "/data.mdb"), text.size());
}

TEST_F(Refusals, ForeignDatabasesAreLeftAlone) {
  write_row(directory_.path(), "theirs", "key", "value");
  for (auto access : {Access::read, Access::write})
    EXPECT_TRUE(refusal(access).ends_with(" Name another directory.")) << refusal(access);
  write_row(directory_.path(), "meta", "format", "quire-comments\0\0\0\2");
  for (auto access : {Access::read, Access::write})
    EXPECT_TRUE(refusal(access).ends_with(" Name another directory.")) << refusal(access);
}

TEST_F(Refusals, AnotherFormatIsNamed) {
  fill();
  write_row(directory_.path(), "meta", "format",
            std::string(format_magic) + encode_number(format_version + 1));
  for (auto access : {Access::read, Access::write})
    EXPECT_NE(refusal(access).find("has format 3, this program reads and writes format 2"),
              std::string::npos);
}

TEST_F(Refusals, AReaderWritesNothing) {
  fill();
  auto index = open(Access::read);
  EXPECT_EQ(wait(index->state())->epoch, "e");
  for (const auto& status : {wait(index->put({inserted})), wait(index->reset({}))}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "The page index was opened for reading only.");
  }
  EXPECT_FALSE(wait(index->change_phase("e", Phase::following, Phase::lost)).ok());
  EXPECT_FALSE(wait(index->apply({})).ok());
}

struct Damage {
  std::string name;
  const char* database;
  std::string key;
  std::optional<std::string> value;  // absent: the row is removed
};

const std::vector<Damage> damages{
    {"no phase", "meta", "phase", {}},
    {"no such phase", "meta", "phase", "\x09"},
    {"no epoch", "meta", "life", {}},
    {"no facets", "meta", "facets", {}},
    {"no such facets", "meta", "facets", "{}"},
    {"a short mark", "marks", "s", "1"},
    {"an unsealed product", "index_products", "42", std::string(16, 'x')},
    {"an empty product", "index_products", "42", ""},
    {"no next product", "meta", "next_product", {}},
    {"a short next product", "meta", "next_product", "\1"},
    {"no number left", "meta", "next_product", encode_number(UINT32_MAX)},
    {"a count that is not sealed", "index_counts",
     std::string(bitmap_index::count_key(0, bitmap_index::every_id, 0, 0, {})), "12345678"},
    {"a block that is not sealed", "index_blocks",
     std::string(bitmap_index::block_key(0, rating_number, {})), "12345678"},
};

// Calls every function, and returns the number of errors.
int errors_of(LmdbIndex& index) {
  std::vector<Error> errors;
  auto note = [&](const auto& result) {
    if (!result) errors.push_back(result.error());
  };
  std::vector<Cell> lists{Cell{}, {any, 5}};
  std::vector<RankRange> ranges{{Cell{}, 0, 10}};
  auto ranks = index.ranks();
  note(wait(ranks->lengths("42", lists)));
  note(wait(ranks->slices("42", ranges)));
  note(wait(ranks->ranks("42", lists, id.next())));
  note(wait(ranks->nth_of_union("42", lists, 2, 0)));
  note(wait(index.state()));
  note(wait(index.products("", 10)));
  note(wait(index.languages("42")));
  note(wait(index.apply(step_of("e", "s", change::Mark{"1"}, {"2"}, {inserted}))));
  note(wait(index.change_phase("e", Phase::following, Phase::lost)));
  note(wait(index.put({{"new", id.next(), {}, cell("fr", 1)}})));
  note(wait(index.put({{"42", id.next(), {}, cell("en", 1)}, {"42", id, cell("en", 5), {}}})));
  for (const auto& error : errors) EXPECT_EQ(error.code, ErrorCode::unavailable);
  for (const auto& error : errors)
    EXPECT_NE(error.message.find("is damaged. Build it anew with quire backfill."),
              std::string::npos)
        << error.message;
  return static_cast<int>(errors.size());
}

TEST_F(Refusals, DamageIsAnErrorAndARebuildRepairsIt) {
  fill();
  EXPECT_EQ(errors_of(*open()), 0);
  for (const auto& damage : damages) {
    SCOPED_TRACE(damage.name);
    fill();
    write_row(directory_.path(), damage.database, damage.key, damage.value);
    auto index = open();
    EXPECT_GT(errors_of(*index), 0);
    ASSERT_TRUE(wait(index->reset({Phase::following, "e", "arn", {{"s", {"1"}}}})));
    ASSERT_TRUE(wait(index->put({inserted})));
    EXPECT_EQ(errors_of(*index), 0);
  }
}

TEST_F(Refusals, AMissingDatabaseIsDamage) {
  write_row(directory_.path(), "meta", "format", format_row());
  EXPECT_TRUE(refusal(Access::read).find("is damaged") != std::string::npos);
}

}  // namespace
}  // namespace quire::page_index
