// The journal of writes and names that no sync has put on disk yet. A power cut may lose them: the
// driver undoes some of them after a kill (tests/torture/power.mjs).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace torture {

// Without journal_path() these functions do nothing. All are thread-safe and keep errno.

// Call before a write: notes the bytes that it replaces. Returns the number of the note.
std::uint64_t note_write(int file, off_t offset, std::size_t size);

// The write of note `number` is on disk, because its file was opened with O_DSYNC or O_SYNC.
void note_durable(int file, std::uint64_t number);

// Call before a truncation to `size`.
void note_truncation(int file, off_t size);

// All notes up to `number` of this file, or of the names in this directory, are on disk.
void note_sync(int file, std::uint64_t number);
std::uint64_t last_number();

// A name was made, moved or removed. `aside` keeps the file that the name lost, under another name;
// "-": the name had no file; "/": a directory.
void note_new_name(int directory, const char* path);
std::string keep_aside(int directory, const char* path);
void note_rename(int from_directory, const char* from, int to_directory, const char* to,
                 const std::string& aside);
void note_removal(int directory, const char* path, const std::string& aside);

}  // namespace torture
