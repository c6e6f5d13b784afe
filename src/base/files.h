// Files: their modes, files without a name, and writes that a power cut does not lose.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "quire/result.h"

namespace quire {

// The bytes of a file. Never waits. unavailable: the file cannot be read, has over `max_bytes`, or
// is a pipe or socket: these wait for a writer, and are empty when they are read again. `what`
// names the file in the message: "the token file".
Result<std::string> read_whole(const std::string& what, const std::string& file,
                               std::size_t max_bytes);

// Whether other users may read or write a file, by its mode: all but the owner and the group of the
// file. False: no, or there is no such file.
bool others_may_read(const std::string& file);
bool others_may_write(const std::string& file);
// The commands by which other users may no longer read a file, and this process's user still may:
// "chmod o-r FILE", or those that give the file to the user's group, where root made it.
std::string commands_to_hide(const std::string& file);
// The commands by which root lets this process's user read a file, and no other user.
std::string commands_to_share(const std::string& file);

// The directory for temporary files: TMPDIR, or else /tmp.
std::string temporary_directory();

// Makes an empty file in a directory, for this process's user to read and write. Returns its
// descriptor, which the caller closes and programs that this one starts do not get; or -1, with
// the reason in errno.
//
// The file has no name, so the system removes it when the process ends, however it ends. Some file
// systems have no files without a name: there a process that is killed in the moment between making
// the file and removing its name leaves an empty file quire-XXXXXX.
int nameless_file(const std::string& directory);

// The functions that follow return 0, or the errno of their failure.

// Flushes the bytes of a file, or the names in a directory, to disk.
int sync_to_disk(const std::filesystem::path& path);

// Makes a directory and its missing parents, and flushes their names to disk. Appends each new
// directory to `made`, outermost first; after a failure too.
int make_directories(const std::filesystem::path& directory,
                     std::vector<std::filesystem::path>& made);

// Renames a file in one step, replaces a file that has the new name, and flushes the name to disk.
int rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace quire
