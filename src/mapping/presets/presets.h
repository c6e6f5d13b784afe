// The mappings that ship: how the files of well-known systems become rows of an import.
// They are the files in maps/, which are installed as well, so that a shop can change a copy.
#pragma once

#include <string_view>
#include <vector>

namespace quire {

struct Preset {
  std::string_view name;      // "judgeme"
  std::string_view sentence;  // whose files it reads: the first line of its text, without "# "
  std::string_view text;      // TOML
};

// All presets, by name. They live as long as the program. Thread-safe.
const std::vector<Preset>& presets();

// The preset of this name. Null: there is none.
const Preset* find_preset(std::string_view name);

// The text of a file in maps/. Throws std::out_of_range for an unknown name.
std::string_view built_in_map(std::string_view name);

}  // namespace quire
