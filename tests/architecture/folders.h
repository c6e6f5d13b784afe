// The folders of the project: what each includes, and what each links.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/source_tree.h"

namespace quire {

// By folder, named as below src ("store/dynamodb").
using Arrows = std::map<std::string, std::set<std::string>>;

// "store/dynamodb" of "src/store/dynamodb/view.cc" and of "store/dynamodb/view.h".
std::string folder_of(std::string_view path);

// Which folders of src include which others.
Arrows includes_among(const std::vector<SourceFile>& files);

// Which folders the libraries of src/CMakeLists.txt link, by its lines quire_library(folder …) and
// quire_awaitable_library(folder …).
Arrows links_of(const SourceFile& list);

// `arrows`, and the arrows that follow from two or more of them.
Arrows closure(const Arrows& arrows);

// A way from a folder back to itself, "a > b > a"; empty: there is none.
std::string circle(const Arrows& arrows);

// The namespaces that a file opens at its left margin, "quire::http".
std::set<std::string> namespaces_of(const SourceFile& file);

// Whether a namespace is `quire`, or quire and some parts of the folder's path in their order.
bool fits(std::string_view space, std::string_view folder);

struct Function {
  std::size_t line;  // counted from 1
  std::size_t lines;
};
// Functions and lambdas that begin at the left margin, as clang-format lays them out.
std::vector<Function> functions_of(const SourceFile& file);

}  // namespace quire
