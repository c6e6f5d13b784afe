// docs/limits.md names a test for each bound: a file that is there, and words that are in it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace quire {
namespace {

namespace fs = std::filesystem;

const fs::path project = QUIRE_SOURCE;

std::string whole_text(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Limits, NameTestsThatAreThere) {
  std::ifstream page(project / "docs/limits.md");
  const std::regex named("`(tests/[^`]+)`: (.+) \\|$");
  int rows = 0;
  for (std::string line; std::getline(page, line);) {
    bool is_row =
        line.starts_with("| ") && !line.starts_with("| what") && !line.starts_with("| ---");
    if (!is_row) continue;
    ++rows;
    std::smatch test;
    if (!std::regex_search(line, test, named)) {
      EXPECT_TRUE(line.find("| none") != line.npos) << "no test, and no reason why: " << line;
      continue;
    }
    EXPECT_NE(whole_text(project / test[1].str()).find(test[2].str()), std::string::npos)
        << test[1] << " has no " << test[2];
  }
  EXPECT_GT(rows, 30);
}

}  // namespace
}  // namespace quire
