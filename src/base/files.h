// Files: their modes, and writes that a power cut does not lose.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace quire {

// Whether other users may read or write a file, by its mode: all but the owner and the group of the
// file. False: no, or there is no such file.
bool others_may_read(const std::string& file);
bool others_may_write(const std::string& file);

// Every function returns 0, or the errno of its failure.

// Flushes the bytes of a file, or the names in a directory, to disk.
int sync_to_disk(const std::filesystem::path& path);

// Makes a directory and its missing parents, and flushes their names to disk. Appends each new
// directory to `made`, outermost first; after a failure too.
int make_directories(const std::filesystem::path& directory,
                     std::vector<std::filesystem::path>& made);

// Renames a file in one step, replaces a file that has the new name, and flushes the name to disk.
int rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace quire
