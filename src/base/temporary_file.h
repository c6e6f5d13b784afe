// Files for the time of a process, which have no name.
#pragma once

#include <string>

namespace quire {

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

}  // namespace quire
