// The tables of the shop file that say how the pages look, who writes, and what.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shop/reading.h"
#include "shop/shop.h"
#include "toml/toml_reader.h"

namespace quire::shop {

// The file of this name, which is relative to the shop file. `secret`: nobody else may know it.
using FileNamed = std::function<const FileText&(const std::string& name, bool secret)>;

// All tell faults to `toml`.

// Reads [shop]: how the pages look, and in which languages they speak. Tells faults of files of
// texts to `faults`. `path_of`: the path of a file that the shop file names.
void read_face(TomlReader& toml, const toml::table& table, const FileNamed& file,
               const std::function<std::string(const std::string&)>& path_of, Shop& shop,
               std::vector<std::string>& faults);
// `media` of [shop]: the hosts of pictures.
void read_media(TomlReader& toml, const toml::node& node, Shop& shop);
void read_feeds(TomlReader& toml, const toml::table& table, Shop& shop);
void read_votes(TomlReader& toml, const toml::table& table, Shop& shop);
void read_writing(TomlReader& toml, const toml::table& table, Shop& shop);
// [[identity]]. `node`: an array of tables; else a fault.
void read_issuers(TomlReader& toml, const toml::node& node, const FileNamed& file, Shop& shop);
// [[webhook]]. `node`: an array of tables; else a fault.
void read_webhooks(TomlReader& toml, const toml::node& node, const FileNamed& file, Shop& shop);

}  // namespace quire::shop
