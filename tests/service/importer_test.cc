// Rows of an import: their ids, and their attributes.
#include "service/importer.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <numeric>
#include <random>
#include <set>

#include "temporary_directory.h"

namespace quire {
namespace {

constexpr std::string_view row =
    R"({"product":"42","language":"en","rating":5,"created_at":"2024-11-20T12:01:00.123Z",)"
    R"("author":"Ann","title":"Fits","text":"Warm")";

std::string with_attributes(std::string_view attributes) {
  return std::string(row) + ",\"attributes\":" + std::string(attributes) + "}";
}

Result<Imported> all_added(std::size_t rows) {
  return Imported{.added = rows};
}

// The rows that an import of these lines brings to the store.
std::vector<ImportRow> brought(const std::vector<std::string>& lines) {
  std::vector<ImportRow> rows;
  Importer importer(
      [&](std::vector<ImportRow> batch) {
        rows.insert(rows.end(), batch.begin(), batch.end());
        return all_added(batch.size());
      },
      1000);
  for (const auto& each : lines) EXPECT_TRUE(importer.add(each)) << each;
  EXPECT_TRUE(importer.finish());
  return rows;
}

std::vector<Comment> imported(const std::vector<std::string>& lines) {
  std::vector<Comment> comments;
  for (auto& each : brought(lines)) comments.push_back(std::move(each.comment));
  return comments;
}

// A file that was imported by an earlier version adds nothing when it is imported again.
TEST(RowIds, OfTheSameRowsStayForEver) {
  auto bare = std::string(row) + "}";
  auto stored = imported({bare, bare, with_attributes(R"({"a":1})")});
  ASSERT_EQ(stored.size(), 3u);
  EXPECT_EQ(stored[0].id.text(), "01JD4Q4Z6VDXZJNY6V962EMDRB");
  EXPECT_EQ(stored[1].id.text(), "01JD4Q4Z6VYAH756XTTQZ74KZC");
  EXPECT_EQ(stored[2].id.text(), "01JD4Q4Z6VAASKW9N863XWVMJ2");
}

// A system may tell more of a row later.
TEST(RowIds, DependOnProductTimeAuthorRatingTitleAndTextAlone) {
  auto with = [](std::string_view member, std::string_view value) {
    auto text = std::string(row);
    auto at = text.find("\"" + std::string(member) + "\"");
    if (at == text.npos)
      return text + ",\"" + std::string(member) + "\":" + std::string(value) + "}";
    auto begin = text.find(':', at) + 1, end = text.find(",\"", begin);
    return text.replace(begin, end - begin, value) + "}";
  };
  auto id = [&](std::string_view member, std::string_view value) {
    return imported({with(member, value)}).front().id;
  };
  std::set<Ulid> ids = {imported({std::string(row) + "}"}).front().id};
  EXPECT_TRUE(ids.contains(id("language", R"("de")")));
  EXPECT_TRUE(ids.contains(id("attributes", R"({"size":"M"})")));
  EXPECT_TRUE(ids.contains(id("customer", "\"" + CustomerHash().text() + "\"")));
  EXPECT_TRUE(ids.contains(id("status", R"("pending")")));
  EXPECT_TRUE(
      ids.contains(id("reply", R"({"text":"Thanks","created_at":"2024-11-21T12:01:00Z"})")));
  ids.insert({id("product", R"("43")"), id("rating", "4"), id("author", R"("Bo")"),
              id("title", R"("Fi")"), id("text", R"("tsWarm")"),
              id("created_at", R"("2024-11-20T12:01:00.124Z")")});
  EXPECT_EQ(ids.size(), 7u);
}

// See ADR 62: a place in the file, in an id, would add these rows again.
TEST(RowIds, AreTheSameInWhicheverFileTheRowsCome) {
  std::vector<std::string> rows;
  for (int i = 0; i < 50; ++i)
    rows.push_back(fmt::format(R"({},"text":"{}"}})", row.substr(0, row.rfind(",\"text")), i));
  auto ids_of = [](const std::vector<std::string>& file) {
    std::set<Ulid> ids;
    for (const auto& comment : imported(file)) ids.insert(comment.id);
    return ids;
  };
  auto ids = ids_of(rows);
  EXPECT_EQ(ids.size(), 50u);
  std::reverse(rows.begin(), rows.end());
  EXPECT_EQ(ids_of(rows), ids);
  std::vector<std::string> half(rows.begin() + 25, rows.end());
  for (const auto& id : ids_of(half)) EXPECT_TRUE(ids.contains(id)) << id.text();
}

// So a server takes an import of any length in bounded memory.
TEST(Importer, BoundsItsBatchesAndTheRowsWithoutIds) {
  std::size_t largest = 0, stored = 0;
  Importer importer(
      [&](std::vector<ImportRow> batch) {
        largest = std::max(largest, batch.size());
        stored += batch.size();
        return all_added(batch.size());
      },
      1000);
  importer.limit(20 * sizeof(ImportRow), 100);
  auto numbered = [](int n) {
    return fmt::format(
        R"({{"product":"42","rating":5,"created_at":"2024-11-20T12:01:00Z","text":"{}"}})", n);
  };
  for (int n = 0; n < 100; ++n) EXPECT_TRUE(importer.add(numbered(n)));
  EXPECT_FALSE(importer.add(numbered(100)));
  EXPECT_TRUE(importer.add(R"({"id":"01JD4Q4Z6VQJFDJ8BR4GJ4KRN9","product":"42","rating":5})"));
  EXPECT_TRUE(importer.finish());
  EXPECT_LE(largest, 20u);
  EXPECT_EQ(stored, 101u);
}

TEST(Importer, KeepsAttributes) {
  auto stored = imported({with_attributes(R"({"size":"M","helpful":8})")});
  EXPECT_EQ(stored.front().attributes, (Attributes{{"helpful", 8}, {"size", "M"}}));
}

TEST(Importer, TellsWhichMembersARowHas) {
  auto lacks = [](std::string_view members) {
    return brought({R"({"product":"42","rating":5,"created_at":"2024-11-20T12:01:00Z")" +
                    std::string(members) + "}"})
        .front()
        .lacks;
  };
  EXPECT_EQ(lacks(""), 31);
  EXPECT_EQ(lacks(R"(,"language":"en")"), 31 - ImportRow::language);
  EXPECT_EQ(lacks(R"(,"author":"")"), 31 - ImportRow::author);
  EXPECT_EQ(lacks(R"(,"title":"")"), 31 - ImportRow::title);
  EXPECT_EQ(lacks(R"(,"text":"")"), 31 - ImportRow::text);
  EXPECT_EQ(lacks(R"(,"media":[])"), 31 - ImportRow::media);
  EXPECT_EQ(lacks(R"(,"media":null)"), 31);
}

TEST(Importer, KeepsTheIdsOfRemovedComments) {
  Importer importer([](std::vector<ImportRow> batch) { return all_added(batch.size()); }, 1000);
  EXPECT_TRUE(importer.add(R"({"removed":"01JD4Q4Z7VTSV4RRFFQ69G5FAV"})"));
  EXPECT_FALSE(importer.add(R"({"removed":"01JD4Q4Z7V"})"));
  EXPECT_FALSE(importer.add(R"({"removed":"01JD4Q4Z7VTSV4RRFFQ69G5FAV","product":"42"})"));
  EXPECT_TRUE(importer.finish());
  ASSERT_EQ(importer.removed().size(), 1u);
  EXPECT_EQ(importer.removed().front().text(), "01JD4Q4Z7VTSV4RRFFQ69G5FAV");
  EXPECT_EQ(importer.rows(), 0u);
}

TEST(Importer, AddsUpWhatBecameOfTheRows) {
  Importer importer(
      [](std::vector<ImportRow> batch) {
        Imported imported{.added = 1, .known = 2, .differing = 3, .updated = 4, .removed_here = 5};
        imported.named = {batch.front().comment.id};
        return Result<Imported>(imported);
      },
      1);
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(importer.add(std::string(row) + "}"));
  EXPECT_TRUE(importer.finish());
  const auto& counts = importer.counts();
  EXPECT_EQ(counts.added, 30u);
  EXPECT_EQ(counts.known, 60u);
  EXPECT_EQ(counts.differing, 90u);
  EXPECT_EQ(counts.updated, 120u);
  EXPECT_EQ(counts.removed_here, 150u);
  EXPECT_EQ(counts.rows(), 450u);
  EXPECT_EQ(counts.named.size(), Imported::max_named);
}

TEST(Importer, RejectsARowWhoseAttributesDoNotFitTheFacets) {
  Importer importer([](std::vector<ImportRow> batch) { return all_added(batch.size()); }, 1000,
                    system_ms(), Schema({{2, {{"helpful", FacetType::number}}}}));
  EXPECT_TRUE(importer.add(with_attributes(R"({"helpful":8})")));
  EXPECT_TRUE(importer.add(with_attributes(R"({"free":"8"})")));
  auto rejected = importer.add(with_attributes(R"({"helpful":"8"})"));
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().message,
            "The content is not valid: attributes.helpful must be a whole number.");
  EXPECT_TRUE(importer.finish());
  EXPECT_EQ(importer.counts().added, 2u);
}

std::string row_at(int minute) {
  return fmt::format(R"({{"product":"42","language":"en","rating":5,)"
                     R"("created_at":"2024-11-20T{:02}:{:02}:00Z"}})",
                     minute / 60, minute % 60);
}

// Imports rows of these minutes in batches of ten. Returns the batches as minutes.
std::vector<std::vector<int>> batches(const std::vector<int>& minutes,
                                      const std::string& directory) {
  std::vector<std::vector<int>> stored;
  Importer importer(
      [&](std::vector<ImportRow> batch) {
        auto& written = stored.emplace_back();
        for (const auto& [comment, lacks] : batch)
          written.push_back(static_cast<int>(comment.created_ms() / 60'000 % (24 * 60)));
        return all_added(batch.size());
      },
      10, system_ms(), {}, directory);
  for (auto minute : minutes) EXPECT_TRUE(importer.add(row_at(minute)));
  double last = 0;
  EXPECT_TRUE(importer.finish([&](double part) {
    EXPECT_LT(last, part);
    EXPECT_LE(part, 1);
    last = part;
  }));
  EXPECT_EQ(importer.counts().added, minutes.size());
  EXPECT_EQ(importer.counts().known, 0u);
  return stored;
}

std::vector<int> counting(int from, int to) {
  std::vector<int> numbers(static_cast<std::size_t>(to - from));
  std::iota(numbers.begin(), numbers.end(), from);
  return numbers;
}

TEST(Importer, StoresRowsInOrderAtOnce) {
  TemporaryDirectory directory;
  auto minutes = counting(0, 35);
  std::swap(minutes[9], minutes[10]);  // a few late rows do not matter
  auto stored = batches(minutes, directory.path());
  ASSERT_EQ(stored.size(), 4u);
  EXPECT_EQ(stored[0].back(), 10) << "as they came";
  EXPECT_EQ(stored[1].front(), 9);
}

TEST(Importer, StoresRowsInOrderAtOnceThoughOneIsFarTooNew) {
  TemporaryDirectory directory;
  auto minutes = counting(0, 95);
  for (std::size_t wrong : {0, 12, 57}) minutes[wrong] = 24 * 60 - 1;
  std::vector<int> all;
  for (const auto& batch : batches(minutes, directory.path()))
    all.insert(all.end(), batch.begin(), batch.end());
  EXPECT_EQ(all, minutes) << "as they came";
}

TEST(Importer, SortsRowsThatComeInNoOrder) {
  TemporaryDirectory directory;
  auto minutes = counting(0, 95);
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (attempt == 0) std::shuffle(minutes.begin(), minutes.end(), std::mt19937(5));
    if (attempt == 1) std::sort(minutes.rbegin(), minutes.rend());
    std::vector<int> all;
    for (const auto& batch : batches(minutes, directory.path())) {
      EXPECT_LE(batch.size(), 10u);
      all.insert(all.end(), batch.begin(), batch.end());
    }
    EXPECT_EQ(all, counting(0, 95));
  }
}

TEST(Importer, SortsFromWhereTheOrderEnds) {
  TemporaryDirectory directory;
  auto minutes = counting(50, 70);
  for (int minute = 49; minute >= 0; --minute) minutes.push_back(minute);
  auto stored = batches(minutes, directory.path());
  ASSERT_EQ(stored.size(), 7u);
  EXPECT_EQ(stored[0], counting(50, 60));
  EXPECT_EQ(stored[1], counting(60, 70));
  EXPECT_EQ(stored[2], counting(0, 10));
}

TEST(Importer, StoresAFewRowsAsTheyCome) {
  TemporaryDirectory directory;
  EXPECT_EQ(batches({3, 2, 1}, directory.path()), (std::vector<std::vector<int>>{{3, 2, 1}}));
}

TEST(Importer, StoresRowsAsTheyComeWhereOrderDoesNotMatter) {
  auto minutes = counting(0, 30);
  std::reverse(minutes.begin(), minutes.end());
  auto stored = batches(minutes, "");
  ASSERT_EQ(stored.size(), 3u);
  EXPECT_EQ(stored[0].front(), 29);
}

// A store that keeps the minutes of its rows, and fails from a batch on.
struct SmallStore {
  std::set<std::uint64_t> minutes;
  std::size_t batches_left = 1'000'000;

  Status import(const std::vector<int>& rows, const std::string& directory) {
    Importer importer([this](std::vector<ImportRow> batch) { return write(batch); }, 10,
                      system_ms(), {}, directory);
    for (auto minute : rows) EXPECT_TRUE(importer.add(row_at(minute)));
    auto finished = importer.finish();
    EXPECT_EQ(importer.failed().has_value(), !finished);
    added = importer.counts().added;
    known = importer.counts().known;
    return finished;
  }
  Result<Imported> write(const std::vector<ImportRow>& batch) {
    if (batches_left == 0) return Error{ErrorCode::unavailable, "The store failed."};
    --batches_left;
    auto before = minutes.size();
    for (const auto& row : batch) minutes.insert(row.comment.created_ms() / 60'000);
    auto added = minutes.size() - before;
    return Imported{.added = added, .known = batch.size() - added};
  }

  std::size_t added = 0, known = 0;  // by the last import
};

std::vector<int> in_no_order(int rows) {
  auto minutes = counting(0, rows);
  std::reverse(minutes.begin(), minutes.end());
  return minutes;
}

TEST(Importer, AddsNothingWhenItSortsTheSameFileAgain) {
  TemporaryDirectory directory;
  SmallStore store;
  ASSERT_TRUE(store.import(in_no_order(95), directory.path()));
  EXPECT_EQ(store.added, 95u);
  EXPECT_EQ(store.known, 0u);
  ASSERT_TRUE(store.import(in_no_order(100), directory.path()));
  EXPECT_EQ(store.added, 5u);
  EXPECT_EQ(store.known, 95u);
}

TEST(Importer, KeepsTheSortedRowsThatWereStoredBeforeTheStoreFailed) {
  TemporaryDirectory directory;
  SmallStore store{.minutes = {}, .batches_left = 3};
  auto finished = store.import(in_no_order(95), directory.path());
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().message, "The store failed.");
  EXPECT_EQ(store.added, 30u);
  EXPECT_EQ(store.minutes.size(), 30u);
  store.batches_left = 100;
  ASSERT_TRUE(store.import(in_no_order(95), directory.path()));
  EXPECT_EQ(store.added, 65u);
  EXPECT_EQ(store.known, 30u);
}

// A limit on the size of files stands for a full disk.
TEST(Importer, SaysThatSortingNeedsRoom) {
  TemporaryDirectory directory;
  SmallStore store;
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small{2000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  auto finished = store.import(in_no_order(95), directory.path());
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(finished);
  EXPECT_NE(finished.error().message.find("Make room, then import again."), std::string::npos)
      << finished.error().message;
  EXPECT_TRUE(store.minutes.empty());
}

TEST(Importer, FailsWhereItCannotSort) {
  std::size_t stored = 0;
  Importer importer(
      [&](std::vector<ImportRow> batch) {
        stored += batch.size();
        return all_added(batch.size());
      },
      10, system_ms(), {}, "/missing");
  for (int minute = 100; minute > 0; --minute) EXPECT_TRUE(importer.add(row_at(minute)));
  auto finished = importer.finish();
  ASSERT_FALSE(finished);
  EXPECT_NE(finished.error().message.find("/missing"), std::string::npos);
  EXPECT_EQ(stored, 0u);
}

}  // namespace
}  // namespace quire
