// The project's own files, for tests that read them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace quire {

struct SourceFile {
  std::string path;  // "src/plan/plan.cc"
  std::vector<std::string> lines;
};

inline SourceFile read_source(const std::filesystem::path& root,
                              const std::filesystem::path& file) {
  SourceFile source{file.lexically_relative(root).generic_string(), {}};
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) source.lines.push_back(line);
  return source;
}

// Files with one of `extensions` under the given folders, without what package managers put there.
inline std::vector<SourceFile> sources(const std::vector<std::string>& folders,
                                       const std::vector<std::string>& extensions) {
  namespace fs = std::filesystem;
  fs::path root = QUIRE_SOURCE;
  std::vector<SourceFile> found;
  for (const auto& folder : folders) {
    for (auto at = fs::recursive_directory_iterator(root / folder); at != fs::end(at); ++at) {
      if (at->path().filename() == "node_modules") at.disable_recursion_pending();
      auto extension = at->path().extension().string();
      bool wanted = std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
      if (wanted && at->is_regular_file()) found.push_back(read_source(root, at->path()));
    }
  }
  return found;
}

}  // namespace quire
