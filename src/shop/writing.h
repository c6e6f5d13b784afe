// The parts of the shop file that say who writes, and what: [writing], [votes], [[identity]], and
// the hosts of pictures.
#pragma once

#include <functional>
#include <string>

#include "shop/reading.h"
#include "shop/shop.h"
#include "toml/toml_reader.h"

namespace quire::shop {

// The file of this name, which is relative to the shop file. `secret`: nobody else may know it.
using FileNamed = std::function<const Text&(const std::string& name, bool secret)>;

// Tell faults to `toml`.
void read_votes(TomlReader& toml, const toml::table& table, Shop& shop);
// `media` of [shop].
void read_media(TomlReader& toml, const toml::node& node, Shop& shop);
void read_writing(TomlReader& toml, const toml::table& table, Shop& shop);
// `node`: an array of tables; else a fault.
void read_issuers(TomlReader& toml, const toml::node& node, const FileNamed& file, Shop& shop);

}  // namespace quire::shop
