// What a first mapping keeps as attributes, and what it leaves out with the reason. Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "mapping/presets/sample.h"

namespace quire {

// Lines of TOML: [attributes], with a comment for each column about a person, and one that names
// the columns that were not placed. `used`: the columns of other fields.
std::string propose_attributes(const std::vector<FileColumn>& columns,
                               const std::set<const FileColumn*>& used);

}  // namespace quire
