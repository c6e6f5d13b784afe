// Style that no compiler holds to.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "architecture/includes.h"
#include "architecture/source_tree.h"

namespace quire {
namespace {

std::vector<SourceFile> code() {
  return sources({"include", "src", "tests"}, {".h", ".cc", ".mjs", ".cmake"});
}

std::vector<SourceFile> headers() {
  return sources({"include", "src", "tests"}, {".h"});
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool has_word(std::string_view line, std::string_view word) {
  for (auto at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    auto end = at + word.size();
    if ((at == 0 || !is_letter(line[at - 1])) && (end == line.size() || !is_letter(line[end]))) {
      return true;
    }
  }
  return false;
}

TEST(Tidy, ReadsTheProjectsFiles) {
  // Were the path wrong, everything below would pass.
  EXPECT_GT(code().size(), 80u);
  EXPECT_GT(headers().size(), 25u);
}

TEST(Tidy, NoFileIsLongerThan400Lines) {
  for (const auto& file : code()) EXPECT_LE(file.lines.size(), 400u) << file.path;
}

TEST(Tidy, EveryHeaderBeginsWithWhatItIsFor) {
  for (const auto& file : headers()) {
    ASSERT_FALSE(file.lines.empty()) << file.path;
    EXPECT_TRUE(file.lines[0].starts_with("// ") && file.lines[0].size() > 20) << file.path;
  }
}

TEST(Tidy, EveryHeaderIsIncludedOnce) {
  for (const auto& file : headers()) {
    EXPECT_EQ(std::count(file.lines.begin(), file.lines.end(), "#pragma once"), 1) << file.path;
  }
}

// Compiling the source then tells that the header needs nothing before it. A header without a
// source is compiled alone (tests/CMakeLists.txt).
TEST(Tidy, EverySourceIncludesItsHeaderFirst) {
  std::set<std::string> names;
  for (const auto& file : sources({"src"}, {".h"})) names.insert(file.path);
  std::size_t looked_at = 0;
  for (const auto& file : sources({"src"}, {".cc"})) {
    std::string header = file.path.substr(0, file.path.size() - 2) + "h";
    if (!names.contains(header)) continue;
    ++looked_at;
    auto includes = includes_of(file);
    ASSERT_FALSE(includes.empty()) << file.path;
    EXPECT_EQ("src/" + includes.front().name, header) << file.path;
  }
  EXPECT_GT(looked_at, 50u);
}

TEST(Tidy, NothingIsLeftForLater) {
  // Put together here, as this file is read as well.
  const std::vector<std::string> words{std::string("TO") + "DO", std::string("FIX") + "ME",
                                       std::string("XX") + "X"};
  for (const auto& file : code()) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const auto& word : words) {
        EXPECT_FALSE(has_word(file.lines[i], word)) << file.path << ":" << i + 1;
      }
    }
  }
}

// ./test installs no browser.
TEST(Tidy, EndToEndTestsInABrowserAreNotInTheTestBeforeACommit) {
  auto has = [](const SourceFile& file, std::string_view text) {
    return std::any_of(file.lines.begin(), file.lines.end(),
                       [&](const auto& line) { return line.find(text) != line.npos; });
  };
  int in_a_browser = 0;
  for (const auto& file : sources({"tests/e2e"}, {".mjs"})) {
    EXPECT_TRUE(!has(file, "from 'playwright-core'") || file.path.ends_with("/browser.mjs"))
        << file.path;
    if (!has(file, "/support/browser.mjs'")) continue;
    ++in_a_browser;
    EXPECT_TRUE(has(file, "// Only in ./test --all: ")) << file.path;
  }
  EXPECT_GT(in_a_browser, 10);
}

TEST(Tidy, FindsWholeWordsOnly) {
  EXPECT_TRUE(has_word("// LATER: do it", "LATER"));
  EXPECT_TRUE(has_word("LATER", "LATER"));
  EXPECT_FALSE(has_word("quire-LATERX", "LATER"));
  EXPECT_TRUE(has_word("LATERX LATER", "LATER"));
}

}  // namespace
}  // namespace quire
