// The table [shop] of the shop file: how the pages look, and in which languages they speak.
#pragma once

#include <string>
#include <vector>

#include "shop/reading.h"
#include "shop/shop.h"
#include "shop/writing.h"
#include "toml/toml_reader.h"

namespace quire::shop {

// Tells faults to `toml`, and those of files of texts to `faults`. `path_of`: the path of a file
// that the shop file names.
void read_face(TomlReader& toml, const toml::table& table, const FileNamed& file,
               const std::function<std::string(const std::string&)>& path_of, Shop& shop,
               std::vector<std::string>& faults);

}  // namespace quire::shop
