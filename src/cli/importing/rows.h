// Reads files of rows: Quire's own, and those of others by a mapping.
#pragma once

#include <string>

#include "cli/importing/rejects.h"
#include "cli/importing/target.h"
#include "mapping/comment_fields.h"
#include "mapping/file_mapping.h"

namespace quire::cli {

// How files of others are read.
struct MappedFiles {
  FileMapping mapping;
  Given given;
  bool facts = false;  // those of products, in place of comments
};

// Gives each row of a file of Quire's own rows to the target. An error: the file cannot be read on,
// or is none of JSON Lines; rows before it are given.
Status give_own_rows(const std::string& file, Target& target, Rejects& rejects);

// The same of another's file. It is read once beforehand, for what its dates mean and for replies:
// an error of that reading is told before a row is given. Standard input is read once: it stops
// where the fault is. `remarks`: what was passed over or left out, with its number.
Status give_mapped_rows(const std::string& file, const MappedFiles& files, Target& target,
                        Rejects& rejects, Remarks& remarks);

}  // namespace quire::cli
