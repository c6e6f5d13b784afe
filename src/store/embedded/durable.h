// Names and files that a power cut does not take away again.
#pragma once

#include <filesystem>
#include <vector>

namespace quire::embedded {

// All give 0, or errno's number of the failure.

// Puts a file's bytes, or the names in a directory, on disk.
int sync(const std::filesystem::path& path);

// Makes a directory and those above it, and puts their names on disk. Adds the new ones to `made`,
// outermost first, also when it fails.
int make_directories(const std::filesystem::path& directory,
                     std::vector<std::filesystem::path>& made);

// Gives a file another name in one step, replacing what has that name, and puts the name on disk.
int rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace quire::embedded
