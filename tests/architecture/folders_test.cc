// The rules of the folders, checked on the project's files; and the checkers, on made-up ones.
#include "architecture/folders.h"

#include <gtest/gtest.h>

#include "architecture/includes.h"

namespace quire {
namespace {

constexpr std::size_t max_files = 30;
constexpr std::size_t max_lines = 70;  // of a function

std::vector<SourceFile> library() {
  return sources({"src"}, {".h", ".cc"});
}

SourceFile link_lists() {
  std::filesystem::path root = QUIRE_SOURCE;
  return read_source(root, root / "src/CMakeLists.txt");
}

// "src/base/limits" of "src/base/limits.h".
std::string stem_of(const std::string& path) {
  return path.substr(0, path.rfind('.'));
}

std::string text_of(const Arrows& arrows, const std::string& from) {
  std::string text;
  for (const auto& to : arrows.at(from)) text += " " + to;
  return text;
}

TEST(Folders, IncludeEachOtherWithoutCircles) {
  auto arrows = includes_among(library());
  EXPECT_GT(arrows.size(), 10u);
  EXPECT_EQ(circle(arrows), "");
}

TEST(Folders, LinkEachOtherWithoutCircles) {
  auto arrows = links_of(link_lists());
  EXPECT_GT(arrows.size(), 10u);
  EXPECT_EQ(circle(arrows), "");
}

TEST(Folders, LinkWhatTheyInclude) {
  auto linked = closure(links_of(link_lists()));
  for (const auto& [from, tos] : includes_among(library())) {
    for (const auto& to : tos) {
      bool known = linked.contains(from) && linked.at(from).contains(to);
      EXPECT_TRUE(known) << from << " includes " << to << " and links"
                         << (linked.contains(from) ? text_of(linked, from) : " nothing");
    }
  }
}

TEST(Folders, HaveAtMostThirtyFiles) {
  std::map<std::string, std::size_t> files;
  for (const auto& file : sources({"include", "src", "tests"}, {".h", ".cc", ".mjs"})) {
    ++files[file.path.substr(0, file.path.rfind('/'))];
  }
  EXPECT_GT(files.size(), 30u);
  for (const auto& [folder, count] : files) EXPECT_LE(count, max_files) << folder;
}

// A header of constants may have one of its own, that is named as the file.
TEST(Folders, HaveOneNamespaceThatFitsTheirName) {
  std::map<std::string, std::set<std::string>> spaces;
  for (const auto& file : library()) {
    for (const auto& space : namespaces_of(file)) {
      auto folder = folder_of(file.path);
      auto named_as_file = fits(space, stem_of(file.path)) && !fits(space, folder);
      EXPECT_TRUE(named_as_file || fits(space, folder)) << file.path << ": " << space;
      if (!named_as_file) spaces[folder].insert(space);
    }
  }
  EXPECT_GT(spaces.size(), 10u);
  for (const auto& [folder, names] : spaces) EXPECT_EQ(names.size(), 1u) << folder;
}

// Besides those of the folders of src there are tests of the whole.
TEST(Folders, HaveTheirTestsInAFolderOfTheSameName) {
  namespace fs = std::filesystem;
  const std::set<std::string> of_the_whole = {"architecture", "fuzz", "registers", "torture",
                                              "e2e"};
  std::set<std::string> folders;
  for (const auto& file : sources({"tests"}, {".cc"})) {
    folders.insert(file.path.substr(6, file.path.rfind('/') - 6));
  }
  EXPECT_GT(folders.size(), 10u);
  for (const auto& folder : folders) {
    bool source = fs::is_directory(fs::path(QUIRE_SOURCE) / "src" / folder);
    EXPECT_TRUE(source || of_the_whole.contains(folder)) << "tests/" << folder;
  }
}

TEST(Folders, HaveNoFunctionOfMoreThan70Lines) {
  std::size_t found = 0;
  for (const auto& file : sources({"include", "src", "tests", "bench"}, {".h", ".cc"})) {
    for (const auto& function : functions_of(file)) {
      ++found;
      EXPECT_LE(function.lines, max_lines) << file.path << ":" << function.line;
    }
  }
  EXPECT_GT(found, 1000u);
}

TEST(Circles, AreFoundHoweverLong) {
  EXPECT_EQ(circle({{"a", {"b"}}, {"b", {"c"}}}), "");
  EXPECT_EQ(circle({{"a", {"b", "c"}}, {"b", {"c"}}}), "");
  EXPECT_EQ(circle({{"a", {"b"}}, {"b", {"c"}}, {"c", {"a"}}}), "a > b > c > a");
  EXPECT_EQ(circle({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}), "b > c > b");
}

TEST(Links, AreReadOverLinesAndFollowed) {
  SourceFile list{
      "src/CMakeLists.txt",
      {"# quire_library(no quire_a)", "quire_library(a Boost::json)", "quire_library(b/c quire_a)",
       "quire_awaitable_library(d quire_b_c  # why", "  spdlog::spdlog)", "quire_library(e)",
       "target_link_libraries(quire_e PRIVATE quire_d)",
       "target_link_libraries(program PRIVATE quire_d)"}};
  auto links = links_of(list);
  EXPECT_EQ(links, (Arrows{{"b/c", {"a"}}, {"d", {"b/c"}}, {"e", {"d"}}}));
  EXPECT_EQ(closure(links).at("e"), (std::set<std::string>{"a", "b/c", "d"}));
}

TEST(IncludesAmong, AreThoseOfOtherFolders) {
  std::vector<SourceFile> files{
      {"src/a/b/x.h", {"#include \"a/b/y.h\"", "#include \"c/z.h\"", "#include \"quire/page.h\""}},
      {"src/main.cc", {"#include \"c/z.h\""}}};
  EXPECT_EQ(includes_among(files), (Arrows{{"a/b", {"c"}}}));
}

TEST(Namespaces, FitPartsOfThePathInTheirOrder) {
  EXPECT_TRUE(fits("quire", "store/dynamodb"));
  EXPECT_TRUE(fits("quire::store", "store/dynamodb"));
  EXPECT_TRUE(fits("quire::dynamodb", "store/dynamodb/stream"));
  EXPECT_TRUE(fits("quire::store::stream", "store/dynamodb/stream"));
  EXPECT_FALSE(fits("quire::stream::store", "store/dynamodb/stream"));
  EXPECT_FALSE(fits("quire::embedded", "store/lmdb"));
  EXPECT_FALSE(fits("other", "other"));
}

TEST(Functions, AreMeasuredFromTheirFirstLineToTheirBrace) {
  SourceFile file{"x.cc",
                  {"int f();",
                   "A::A(int i)",
                   "    : i_(i) {}",
                   "int l() { return 1; }",
                   "const char* text =",
                   "    \"{\";",
                   "int g(int a,",
                   "      int b);",
                   "",
                   "int h() {",
                   "  return 1;",
                   "}",
                   "class A {",
                   " public:",
                   "  int i() {",
                   "  }",
                   "};",
                   "template <class T>",
                   "int k(",
                   "    T t) {",
                   "  return t;",
                   "}"}};
  auto found = functions_of(file);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].line, 10u);
  EXPECT_EQ(found[0].lines, 3u);
  EXPECT_EQ(found[1].line, 18u);
  EXPECT_EQ(found[1].lines, 5u);
}

}  // namespace
}  // namespace quire
