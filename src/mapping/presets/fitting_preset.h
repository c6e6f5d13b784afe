// The preset that was made for the columns of a file. Pure.
#pragma once

#include <vector>

#include "mapping/presets/presets.h"
#include "mapping/presets/sample.h"

namespace quire {

// The preset most of whose fields are in the sample: product, rating, text and author, and two
// thirds of all. Null: there is none.
const Preset* fitting_preset(const std::vector<FileColumn>& columns);

}  // namespace quire
