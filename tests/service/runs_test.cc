// Runs against a plain sort.
#include "service/runs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "store/support.h"

namespace quire {
namespace {

// Adds the rows as runs of these sizes, over and over.
void add_runs(Runs& runs, const std::vector<ImportRow>& rows,
              const std::vector<std::size_t>& sizes) {
  for (std::size_t begin = 0, i = 0; begin < rows.size(); ++i) {
    auto end = std::min(rows.size(), begin + sizes[i % sizes.size()]);
    std::vector<const ImportRow*> run;
    for (; begin < end; ++begin) run.push_back(&rows[begin]);
    std::stable_sort(run.begin(), run.end(),
                     [](auto* a, auto* b) { return a->comment.id < b->comment.id; });
    ASSERT_TRUE(runs.add(run));
  }
}

std::vector<ImportRow> take_all(Runs& runs, std::size_t at_once, std::size_t bytes = 1 << 20) {
  std::vector<ImportRow> all;
  for (;;) {
    auto some = runs.take(at_once, bytes);
    EXPECT_TRUE(some) << some.error().message;
    if (!some || some->empty()) return all;
    EXPECT_LE(some->size(), at_once);
    all.insert(all.end(), some->begin(), some->end());
    EXPECT_DOUBLE_EQ(runs.part() == 1, runs.part() >= 1);
  }
}

std::vector<ImportRow> some_rows(std::size_t count) {
  std::mt19937 random(7);
  std::vector<ImportRow> rows;
  for (std::size_t i = 0; i < count; ++i) {
    auto comment = comment_at(1 + random() % (count / 2), random() % 3, i % 2 ? "en" : "zh-Hant",
                              static_cast<int>(1 + i % 5), "product \"" + std::to_string(i % 7));
    comment.text = std::string(random() % 100 == 0 ? 100'000 : random() % 300, 'x') + "\n\"ü";
    if (i % 3 == 0) comment.attributes = {{"helpful", std::int64_t{8}}, {"size", "XL"}};
    comment.author = std::to_string(i);  // tells comments with equal ids apart
    rows.push_back({std::move(comment), static_cast<std::uint8_t>(random() % 32)});
  }
  return rows;
}

TEST(Runs, GiveAllRowsInTheOrderOfIdsAndOfAdding) {
  TemporaryDirectory directory;
  auto rows = some_rows(2000);
  auto sorted = rows;
  std::stable_sort(sorted.begin(), sorted.end(), [](const ImportRow& a, const ImportRow& b) {
    return a.comment.id < b.comment.id;
  });
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{2000}, {1}, {300, 7, 50}}) {
    auto runs = Runs::in(directory.path()).value();
    add_runs(*runs, rows, sizes);
    EXPECT_EQ(runs->part(), 0);
    EXPECT_EQ(take_all(*runs, 117), sorted) << sizes.front();
    EXPECT_EQ(runs->part(), 1);
  }
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(Runs, TakeBoundsMemory) {
  TemporaryDirectory directory;
  auto runs = Runs::in(directory.path()).value();
  auto comment = comment_at(1, 1, "en", 5);
  comment.text = std::string(10'000, 'x');
  add_runs(*runs, std::vector<ImportRow>(20, ImportRow{comment}), {3});
  EXPECT_EQ(runs->take(100, 50'000)->size(), 5u);
  EXPECT_EQ(take_all(*runs, 100).size(), 15u);
}

TEST(Runs, WithoutRowsHaveNone) {
  TemporaryDirectory directory;
  auto runs = Runs::in(directory.path()).value();
  EXPECT_TRUE(runs->take(100, 1000)->empty());
}

TEST(Runs, SayThatTheDirectoryIsMissing) {
  TemporaryDirectory directory;
  auto runs = Runs::in(directory.path() + "/missing");
  ASSERT_FALSE(runs);
  EXPECT_NE(runs.error().message.find("/missing: No such file"), std::string::npos);
}

// The nameless file, by the descriptor that the runs have.
std::string file_in(const std::string& directory) {
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    auto path = std::filesystem::read_symlink(each, gone).string();
    if (path.starts_with(directory + "/")) return each.path();
  }
  return "";
}

TEST(Runs, FailWhereTheFileIsNotAsItWasWritten) {
  TemporaryDirectory directory;
  for (std::size_t cut : {0, 1, 3, 4, 11, 12, 100, 700}) {
    auto runs = Runs::in(directory.path()).value();
    add_runs(*runs, some_rows(10), {5});
    ASSERT_EQ(truncate(file_in(directory.path()).c_str(), static_cast<off_t>(cut)), 0);
    auto taken = runs->take(100, 1 << 20);
    ASSERT_FALSE(taken) << cut;
    EXPECT_NE(taken.error().message.find("not as it was written"), std::string::npos);
  }
}

TEST(Runs, FailWhereAByteChanged) {
  TemporaryDirectory directory;
  auto rows = some_rows(4);
  for (std::size_t at = 0, size = 1; at < size; at += 5) {
    auto runs = Runs::in(directory.path()).value();
    add_runs(*runs, rows, {2});
    std::fstream file(file_in(directory.path()), std::ios::in | std::ios::out | std::ios::binary);
    size = static_cast<std::size_t>(file.seekg(0, std::ios::end).tellg());
    file.seekg(static_cast<std::streamoff>(at));
    auto byte = static_cast<char>(file.get() ^ 0x10);
    file.seekp(static_cast<std::streamoff>(at));
    ASSERT_TRUE(file.put(byte).flush());
    auto taken = runs->take(100, 1 << 20);
    ASSERT_FALSE(taken) << at;
    EXPECT_NE(taken.error().message.find("not as it was written"), std::string::npos);
  }
}

TEST(Runs, FailWhereARunIsNotSorted) {
  TemporaryDirectory directory;
  auto runs = Runs::in(directory.path()).value();
  ImportRow early{comment_at(1, 1, "en", 5)}, late{comment_at(2, 2, "en", 5)};
  ASSERT_TRUE(runs->add(std::vector<const ImportRow*>{&late, &early}));
  EXPECT_FALSE(runs->take(100, 1 << 20));
}

}  // namespace
}  // namespace quire
