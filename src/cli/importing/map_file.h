// The mapping that --map names: one that ships, or a file.
#pragma once

#include <string>

#include "mapping/comment_fields.h"
#include "mapping/file_mapping.h"

namespace quire::cli {

// `map`: the name of a mapping that ships, or a file. Adds the table of products to `given` that
// comments have, or `facts`.
// invalid_parameter: there is none, or it is at fault.
Result<FileMapping> read_map(const std::string& map, bool facts, Given& given);

// Prints the mappings that ship.
void print_maps();
// A mapping for the file, of its first rows, with remarks. An error: the file cannot be read.
Result<std::string> proposed_map(const std::string& file);

}  // namespace quire::cli
