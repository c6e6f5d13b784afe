// The prose of the project: lines that fit a screen, and links that lead somewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "architecture/source_tree.h"

namespace quire {
namespace {

namespace fs = std::filesystem;

const fs::path root = QUIRE_SOURCE;

struct Page {
  fs::path path;
  std::vector<std::string> lines;
};

void read_folder(const fs::path& folder, std::vector<Page>& pages) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".md") continue;
    pages.push_back({entry.path(), {}});
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) pages.back().lines.push_back(line);
  }
}

// docs/adr is not among them: decisions stay as they were written.
std::vector<Page> pages() {
  std::vector<Page> found;
  for (const char* folder : {".", "docs", "docs/formats"}) read_folder(root / folder, found);
  return found;
}

bool is_code_fence(const std::string& line) {
  return line.starts_with("```");
}

std::size_t characters(const std::string& utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

// The name by which a link finds a heading: GitHub's rule, as far as headings here need it.
std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (char c : heading) {
    auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '_' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    } else if (c == ' ') {
      anchor += '-';
    }
  }
  return anchor;
}

std::set<std::string> anchors_of(const fs::path& path) {
  std::set<std::string> anchors;
  std::ifstream in(path);
  bool code = false;
  for (std::string line; std::getline(in, line);) {
    if (is_code_fence(line)) code = !code;
    auto text = line.find_first_not_of("# ");
    if (!code && line.starts_with("#") && text != line.npos) {
      anchors.insert(anchor_of(line.substr(text)));
    }
  }
  return anchors;
}

// "" if the target of a link in `page` exists, otherwise what is missing.
std::string fault_of_link(const fs::path& page, const std::string& target) {
  if (target.find("://") != target.npos) return "";
  auto hash = target.find('#');
  fs::path path = target.substr(0, hash);
  path = path.empty() ? page : page.parent_path() / path;
  if (!fs::exists(path)) return "no file " + target;
  if (hash == target.npos) return "";
  return anchors_of(path).contains(target.substr(hash + 1)) ? "" : "no heading " + target;
}

TEST(Docs, AreThere) {
  // Were the path wrong, everything below would pass.
  EXPECT_GT(pages().size(), 15u);
}

// A row of a table is one line, and a single word, such as an address, has no place to break it.
TEST(Docs, HaveLinesOfAtMost100Characters) {
  for (const auto& page : pages()) {
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
      const auto& line = page.lines[i];
      bool unbreakable = line.starts_with("|") || line.find(' ') == line.npos;
      if (unbreakable) continue;
      EXPECT_LE(characters(line), 100u) << page.path << ":" << i + 1;
    }
  }
}

TEST(Docs, HaveLinksThatLeadSomewhere) {
  const std::regex link(R"(\]\(([^)\s]+)\))");
  std::size_t links = 0;
  for (const auto& page : pages()) {
    bool code = false;
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
      const auto& line = page.lines[i];
      if (is_code_fence(line)) code = !code;
      if (code) continue;
      for (std::sregex_iterator at(line.begin(), line.end(), link), end; at != end; ++at) {
        ++links;
        EXPECT_EQ(fault_of_link(page.path, (*at)[1]), "") << page.path << ":" << i + 1;
      }
    }
  }
  EXPECT_GT(links, 50u);
}

// The texts of a line that match `what` in its first group.
std::vector<std::string> found_in(const std::string& line, const std::regex& what) {
  std::vector<std::string> found;
  for (std::sregex_iterator at(line.begin(), line.end(), what), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

TEST(Docs, NameFilesThatAreThere) {
  const std::regex path(
      "`((?:include|src|tests|web|tools|bench|cmake|packaging|examples|docs)/[\\w./-]+)[` ]");
  std::size_t paths = 0;
  for (const auto& page : pages()) {
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
      for (const auto& name : found_in(page.lines[i], path)) {
        ++paths;
        if (name.find("NAME") != name.npos) continue;  // stands for each name
        EXPECT_TRUE(fs::exists(root / name)) << page.path << ":" << i + 1 << " " << name;
      }
    }
  }
  EXPECT_GT(paths, 50u);
}

// The words in all files of the program and its tests.
std::set<std::string> words_of_code() {
  std::set<std::string> words;
  auto in_word = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  for (const auto& file : sources({"src", "include", "tests"}, {".cc", ".h", ".mjs", ".txt"})) {
    for (const auto& line : file.lines) {
      for (auto at = line.begin(); at != line.end();) {
        auto begin = std::find_if(at, line.end(), in_word);
        at = std::find_if_not(begin, line.end(), in_word);
        if (begin != at) words.emplace(begin, at);
      }
    }
  }
  return words;
}

// `name()` and `space::name`: a rename reaches the docs.
TEST(Docs, NameCodeThatIsThere) {
  const std::regex code("`(?:\\w+::)*(\\w+)\\(\\)`|`(?:\\w+::)+(\\w+)`");
  auto known = words_of_code();
  std::size_t names = 0;
  for (const auto& page : pages()) {
    if (page.path.filename() == "style.md") continue;  // it names what is not said
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
      const auto& line = page.lines[i];
      for (std::sregex_iterator at(line.begin(), line.end(), code), end; at != end; ++at) {
        auto name = (*at)[1].matched ? (*at)[1].str() : (*at)[2].str();
        ++names;
        EXPECT_TRUE(known.contains(name)) << page.path << ":" << i + 1 << " " << name;
      }
    }
  }
  EXPECT_GT(names, 40u);
}

// Where a newcomer begins to read each folder of architecture.md's tables.
TEST(Docs, NameWhereAFolderBegins) {
  const std::regex folder("^\\| `(?:src/)?([a-z_/]+)` \\|"), header("`([a-z_/]+\\.h)`");
  std::ifstream in(root / "docs/architecture.md");
  std::size_t folders = 0;
  for (std::string line; std::getline(in, line);) {
    for (const auto& name : found_in(line, folder)) {
      auto path = root / "src" / name;
      if (!fs::exists(path)) path = root / "src/http" / name;
      if (!fs::exists(path)) {
        EXPECT_TRUE(fs::exists(root / name)) << name;
        continue;
      }
      ++folders;
      auto headers = found_in(line, header);
      for (const auto& each : headers) EXPECT_TRUE(fs::exists(path / each)) << name << " " << each;
      bool begins = fs::exists(path / "README.md") || fs::exists(path / (path.filename() += ".h"));
      EXPECT_TRUE(begins || !headers.empty()) << name;
    }
  }
  EXPECT_GT(folders, 50u);
}

TEST(Docs, AnchorsAreThoseOfHeadings) {
  EXPECT_EQ(anchor_of("What is different"), "what-is-different");
  EXPECT_EQ(anchor_of("Torture: system calls that fail, kills"),
            "torture-system-calls-that-fail-kills");
  EXPECT_EQ(anchor_of("What `./test` does"), "what-test-does");
}

}  // namespace
}  // namespace quire
