// What a power cut may lose: writes and names that no sync has put on disk yet. The driver undoes
// some of them after the kill (tests/torture/power.mjs).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace torture {

// Nothing is noted unless journal_path() is set. All are thread-safe and keep errno.

// The bytes that a write of `size` bytes at `offset` is about to replace. Gives the note's number.
std::uint64_t note_write(int file, off_t offset, std::size_t size);

// The write of that number went to a file opened with O_DSYNC or O_SYNC: it is on disk.
void note_durable(int file, std::uint64_t number);

// A truncation to `size` is about to happen.
void note_truncation(int file, off_t size);

// What was noted of this file, or of the names in this directory, up to `number` is on disk.
void note_sync(int file, std::uint64_t number);
std::uint64_t last_number();

// A name was made, given to another file, or removed. The file that a name is about to lose is
// kept `aside` under another one: "-" when there is none, "/" for a directory.
void note_new_name(int directory, const char* path);
std::string keep_aside(int directory, const char* path);
void note_rename(int from_directory, const char* from, int to_directory, const char* to,
                 const std::string& aside);
void note_removal(int directory, const char* path, const std::string& aside);

}  // namespace torture
