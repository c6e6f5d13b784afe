// The file of a page index, byte for byte as docs/formats/pages-lmdb.md shows it. A change makes
// files on disk unreadable, so it needs a new format version.
#include "page_index/lmdb/format.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "loop/wait.h"
#include "page_index/lmdb/index.h"
#include "temporary_directory.h"

namespace quire::page_index {
namespace {

using change::Change;
using change::Mark;
using change::Phase;

std::string hex(std::string_view bytes) {
  std::string out;
  for (unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

// The key of an entry: list, level, id.
std::string parts(std::string_view key) {
  std::string text = hex(key.substr(0, 4)) + " " + hex(key.substr(4, 1));
  return key.size() > 5 ? text + " " + hex(key.substr(5)) : text;
}

// All rows of all databases.
std::string dump(const std::string& directory) {
  std::string out;
  lmdb::Environment environment({.directory = directory, .read_only = true});
  lmdb::ReadTransaction txn(environment);
  for (const char* name : {"meta", "marks", "products", "lists"}) {
    lmdb::Cursor cursor(txn.get(), lmdb::open_database(txn.get(), name, 0));
    bool entries = std::string_view(name) == "lists";
    for (bool there = cursor.move(MDB_FIRST); there; there = cursor.move(MDB_NEXT)) {
      out += fmt::format("{} {}", name, entries ? parts(cursor.key()) : std::string(cursor.key()));
      if (!cursor.value().empty()) out += " = " + hex(cursor.value());
      out += "\n";
    }
  }
  return out;
}

// A product that disappeared leaves only a gap in the numbers of blocks.
TEST(PagesFormat, AFileHasTheBytesOfTheDocument) {
  TemporaryDirectory directory;
  {
    auto index = LmdbIndex::open(directory.path(), Access::write).value();
    Ulid id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value();
    Ulid high = Ulid::make(1000, {0, 0, 0, 0, 0, 0, 0, 0, 0, 100});  // on level 1
    change::State state{Phase::following, "e1", "arn:1"};
    state.marks["shardId-1"] = {"5", true, 0x0102030405060708};
    state.marks["shardId-2"] = {};
    EXPECT_TRUE(wait(index->reset(state)));
    EXPECT_TRUE(wait(index->put({{"9", high, {}, cell("fr", 2)}})));
    EXPECT_TRUE(wait(index->put({{"9", high, cell("fr", 2), {}}})));
    EXPECT_TRUE(wait(index->put({{"42", id, {}, cell("en", 5)}, {"42", high, {}, cell("de", 1)}})));
  }
  EXPECT_EQ(dump(directory.path()),
            R"(meta epoch = 6531
meta format = 71756972652d706167657300000001
meta next_block = 00000005
meta phase = 02
meta stream = 61726e3a31
marks shardId-1 = 01010203040506070835
marks shardId-2 = 000000000000000000
products 42 = 00000002006465000000000300656e0000000004
lists 00000010 00 0000000003e800000000000000000064
lists 00000010 00 019349727cfbd6764c61efb99302bd5b
lists 00000010 01 = 0000000000000000
lists 00000010 01 0000000003e800000000000000000064 = 0000000000000002
lists 00000011 00 0000000003e800000000000000000064
lists 00000011 01 = 0000000000000000
lists 00000011 01 0000000003e800000000000000000064 = 0000000000000001
lists 00000015 00 019349727cfbd6764c61efb99302bd5b
lists 00000018 00 0000000003e800000000000000000064
lists 00000018 01 = 0000000000000000
lists 00000018 01 0000000003e800000000000000000064 = 0000000000000001
lists 00000019 00 0000000003e800000000000000000064
lists 00000019 01 = 0000000000000000
lists 00000019 01 0000000003e800000000000000000064 = 0000000000000001
lists 00000020 00 019349727cfbd6764c61efb99302bd5b
lists 00000025 00 019349727cfbd6764c61efb99302bd5b
)");
}

// Not even of a comment that was in two cells for a while, as during a repeated history.
TEST(PagesFormat, RemovedCommentsLeaveNothing) {
  TemporaryDirectory directory;
  auto rows = [&] {
    auto text = dump(directory.path());
    return std::count(text.begin(), text.end(), '\n');
  };
  auto put = [&](std::vector<Change> changes) {
    auto index = LmdbIndex::open(directory.path(), Access::write).value();
    EXPECT_TRUE(wait(index->put(std::move(changes))));
  };
  put({});
  auto empty = rows();
  Ulid id = Ulid::make(1000, {0, 0, 0, 0, 0, 0, 0, 0, 0, 100});
  put({{"42", id, {}, cell("en", 5)}});
  put({{"42", id, {}, cell("de", 1)}});
  put({{"42", id, cell("de", 1), {}}});
  EXPECT_GT(rows(), empty);
  put({{"42", id, cell("en", 5), {}}});
  EXPECT_EQ(rows(), empty);
}

TEST(PagesFormat, RowsAreReadBackUnchanged) {
  for (const auto& row : {ProductLists{}, ProductLists{7, {{cell("de", 1)[0], 8}}},
                          ProductLists{max_block, {{cell("de", 1)[0], 0}, {cell("en", 1)[0], 5}}}})
    EXPECT_EQ(decode_product(encode_product(row)), row);
  for (const auto& mark :
       {Mark{}, Mark{"place", true, 3}, Mark{std::string(3, '\0'), false, ~0ull}})
    EXPECT_EQ(decode_mark(encode_mark(mark)), mark);
  for (auto phase : {Phase::empty, Phase::building, Phase::following, Phase::lost})
    EXPECT_EQ(decode_phase(encode_phase(phase)), phase);
}

TEST(PagesFormat, OtherBytesAreRefused) {
  for (std::size_t size : {0, 1, 3, 5, 8, 11, 13})
    EXPECT_THROW(decode_product(std::string(size, 'x')), std::runtime_error) << size;
  for (std::size_t size = 0; size < 9; ++size)
    EXPECT_THROW(decode_mark(std::string(size, '\0')), std::runtime_error) << size;
  EXPECT_THROW(decode_mark(std::string(9, '\2')), std::runtime_error);
  for (const char* phase : {"", "\4", "\xFF", "\1\1"})
    EXPECT_THROW(decode_phase(phase), std::runtime_error);
  EXPECT_THROW(decode_number("123"), std::runtime_error);
  EXPECT_THROW(decode_number("12345"), std::runtime_error);
}

TEST(PagesFormat, AListNumberIsBlockAndRating) {
  ProductLists row{6, {{cell("de", 1)[0], 8}, {cell("en", 1)[0], 7}}};
  EXPECT_EQ(row.list_number(Cell{}), 48u);
  EXPECT_EQ(row.list_number({any, 5}), 53u);
  EXPECT_EQ(row.list_number({cell("en", 1)[0], any}), 56u);
  EXPECT_EQ(row.list_number(cell("en", 5)), 61u);
  EXPECT_EQ(row.list_number(cell("de", 1)), 65u);
  EXPECT_EQ(row.list_number(cell("fr", 5)), std::nullopt);
  EXPECT_EQ((ProductLists{max_block, {}}.list_number({any, 5})), 0xFFFFFFFDu);
}

}  // namespace
}  // namespace quire::page_index
