// Reads a shop out of the texts of its files.
#pragma once

#include <map>
#include <string>

#include "quire/result.h"
#include "shop/shop.h"

namespace quire::shop {

// A file as it was read.
struct FileText {
  std::string bytes = {};
  std::string trouble = {};  // a sentence: why it cannot be read; empty: it was

  friend bool operator==(const FileText&, const FileText&) = default;
};
using FileTexts = std::map<std::string, FileText>;  // by path

// Reads a file of at most 1 MiB. A path with a slash at its end is a folder, which
// reads as the names of its files, a line each.
FileText read_text(const std::string& path);

// The shop of this shop file. Reads the files that are not in `texts`. Leaves there the files that
// it looked at, also where it refuses them. invalid_parameter: as read() says.
Result<Shop> parse(const std::string& path, FileTexts& texts);

}  // namespace quire::shop
