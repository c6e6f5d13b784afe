// Which #include a file may have: the arrows of the design that must never exist.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "architecture/source_tree.h"

namespace quire {

struct Include {
  std::string name;  // "boost/asio.hpp"
  bool quoted;       // the project's own, by convention
};

std::vector<Include> includes_of(const SourceFile& file);

// The folder of a path below src, or "include": "plan", "store/embedded". The path is as #include
// has it ("store/embedded/view.h") or as the file system has it ("src/store/embedded/view.cc").
std::string part_of(std::string_view path);

// What is wrong with `include` in the file at `path`; empty when nothing is.
std::string forbidden(std::string_view path, const Include& include);

}  // namespace quire
