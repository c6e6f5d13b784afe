// The file of a page index, byte for byte as docs/formats/pages-lmdb.md shows it. A change makes
// files on disk unreadable, so it needs a new format version.
#include "page_index/lmdb/format.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loop/loop.h"
#include "page_index/lmdb/index.h"
#include "page_index/lmdb/rows.h"
#include "temporary_directory.h"

namespace quire::page_index {
namespace {

using change::Change;
using change::Mark;
using change::Phase;

// An empty index with a known hash key.
void make_index(const std::string& directory) {
  { ASSERT_TRUE(LmdbIndex::open(directory, Access::write)); }
  write_row(directory, "meta", "hash_key", encode_long(0x0102030405060708) + "\x0b");
}

// A product that disappeared leaves only a gap in the numbers of products.
TEST(PagesFormat, AFileHasTheBytesOfTheDocument) {
  TemporaryDirectory directory;
  make_index(directory.path());
  {
    auto index = LmdbIndex::open(directory.path(), Access::write).value();
    Ulid id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value();
    Ulid early = Ulid::make(1000, {0, 0, 0, 0, 0, 0, 0, 0, 0, 100});
    change::State state{Phase::following, "e1", "arn:1"};
    state.marks["shardId-1"] = {"5", true, 0x0102030405060708};
    state.marks["shardId-2"] = {};
    state.schema =
        Schema({{2, {{"verified", FacetType::flag}}}, {3, {{"votes", FacetType::number}}}});
    EXPECT_TRUE(wait(index->reset(state)));
    EXPECT_TRUE(wait(index->put({{"9", early, {}, cell("fr", 2)}})));
    EXPECT_TRUE(wait(index->put({{"9", early, cell("fr", 2), {}}})));
    change::IndexedValues five{cell("en", 5), {{"verified", true}, {"votes", std::int64_t{1000}}}};
    EXPECT_TRUE(wait(index->put({{"42", id, {}, five}, {"42", early, {}, cell("de", 1)}})));
  }
  EXPECT_EQ(
      dump(directory.path()),
      R"(meta facets = [{"number":2,"name":"verified","type":"flag"},{"number":3,"name":"votes","type":"number"}]
meta format = 71756972652d706167652d696e64657800000002
meta hash_key = 01020304050607080b
meta life = 6531
meta next_product = 00000002
meta phase = 02
meta stream = 61726e3a31
marks shardId-1 = 01010203040506070835
marks shardId-2 = 000000000000000000
index_products 42 = 000000010000000000000006
index_ids 00000001 = 0000000003e800000000000000000064
index_ids 00000001 = 019349727cfbd6764c61efb99302bd5b
index_blocks 00000001000000000000000000000000000000000000 = 020000000200000095c2039536f979931dd62d2b575c6fd301000100240000002600000001000000
index_blocks 00000001000100000000000000000000000000000000 = 02000000020000000100000000000080050000000000008001000100240000002600000000000100
index_blocks 00000001000200000000000000000000000000000000 = 020000000100000001000000000000000100160000000100
index_blocks 00000001000300000000000000000000000000000000 = 02000000010000006f00000000000080010016000000010008
index_counts 00000001ffff00000000000000000000000000000000000000000000000000 = 0000000000000002
index_texts 00009379f9369503c295 = 656e
index_texts 0000945e5338cb58c71e = 6672
index_texts 0000d36f5c572b2dd61d = 6465
)");
}

// The bytes of words are those of docs/formats/words.md.
TEST(PagesFormat, WordsAreARowAndThreeDatabases) {
  TemporaryDirectory directory;
  make_index(directory.path());
  auto index = LmdbIndex::open(directory.path(), Access::write).value();
  EXPECT_TRUE(wait(index->want_words()));
  EXPECT_TRUE(wait(index->reset({Phase::following, "e1", "arn:1"})));
  Ulid id = Ulid::make(1000, {0, 0, 0, 0, 0, 0, 0, 0, 0, 100});
  Comment comment{.id = id, .language = "en", .rating = 5, .text = "Fits"};
  EXPECT_TRUE(wait(index->put({{"42", id, {}, change::IndexedValues(comment)}})));
  index.reset();
  auto rows = dump(directory.path());
  EXPECT_NE(rows.find("\nmeta words\n"), std::string::npos);
  EXPECT_NE(rows.find("\nword_rows 0000000001656e = "
                      "02000400"
                      "0301656e0400"
                      "036669740400"
                      "\nword_slots 0000000000000000000000000000000000000000 = 00"
                      "\nword_segments 7365676d656e7473 = "),
            std::string::npos)
      << rows;
}

TEST(PagesFormat, RemovedCommentsLeaveNothing) {
  TemporaryDirectory directory;
  auto rows = [&] {
    auto text = dump(directory.path());
    return std::count(text.begin(), text.end(), '\n') -
           static_cast<std::ptrdiff_t>(text.find("index_texts") != text.npos);
  };
  auto put = [&](std::vector<Change> changes) {
    auto index = LmdbIndex::open(directory.path(), Access::write).value();
    EXPECT_TRUE(wait(index->put(std::move(changes))));
  };
  put({});
  auto empty = rows();
  Ulid id = Ulid::make(1000, {0, 0, 0, 0, 0, 0, 0, 0, 0, 100});
  put({{"42", id, {}, cell("en", 5)}});
  put({{"42", id, cell("en", 5), cell("en", 1)}});
  EXPECT_GT(rows(), empty);
  put({{"42", id, cell("en", 1), {}}});
  EXPECT_EQ(rows(), empty) << "but the text of a language";
}

// The order of writes does not matter.
TEST(PagesFormat, EqualIndexesHaveEqualRows) {
  TemporaryDirectory one, other;
  auto fill = [](const std::string& directory, bool backward) {
    make_index(directory);
    auto index = LmdbIndex::open(directory, Access::write).value();
    for (std::uint64_t i = 0; i < 5000; i += 500) {
      std::vector<Change> changes;
      for (std::uint64_t j = i; j < i + 500; ++j) {
        auto number = backward ? 4999 - j : j;
        changes.push_back(
            {"42",
             Ulid::make(1'700'000'000'000 + number / 7, {static_cast<std::uint8_t>(number % 7)}),
             {},
             cell(number % 3 ? "en" : "de", static_cast<int>(number % 5) + 1)});
      }
      ASSERT_TRUE(wait(index->put(std::move(changes))));
    }
  };
  fill(one.path(), false);
  fill(other.path(), true);
  auto rows = dump(one.path());
  EXPECT_EQ(rows, dump(other.path()));
  EXPECT_GT(std::count(rows.begin(), rows.end(), '\n'), 5000);
}

TEST(PagesFormat, RowsAreReadBackUnchanged) {
  for (const auto& row : {ProductRow{}, ProductRow{7, 8}, ProductRow{UINT32_MAX, UINT64_MAX}})
    EXPECT_EQ(decode_product(encode_product(row)), row);
  for (const auto& mark :
       {Mark{}, Mark{"place", true, 3}, Mark{std::string(3, '\0'), false, ~0ull}})
    EXPECT_EQ(decode_mark(encode_mark(mark)), mark);
  for (auto phase : {Phase::empty, Phase::building, Phase::following, Phase::lost})
    EXPECT_EQ(decode_phase(encode_phase(phase)), phase);
}

TEST(PagesFormat, OtherBytesAreRefused) {
  for (std::size_t size : {0, 1, 4, 8, 11, 13, 24})
    EXPECT_THROW(decode_product(std::string(size, 'x')), lmdb::Damaged) << size;
  for (std::size_t size = 0; size < 9; ++size)
    EXPECT_THROW(decode_mark(std::string(size, '\0')), lmdb::Damaged) << size;
  EXPECT_THROW(decode_mark(std::string(9, '\2')), lmdb::Damaged);
  for (const char* phase : {"", "\4", "\xFF", "\1\1"})
    EXPECT_THROW(decode_phase(phase), lmdb::Damaged);
  EXPECT_THROW(decode_number("123"), lmdb::Damaged);
  EXPECT_THROW(decode_number("12345"), lmdb::Damaged);
}

}  // namespace
}  // namespace quire::page_index
