// Decides which call of the program under torture fails, and how. tests/torture/fault.mjs writes
// the order.
#pragma once

#include <string_view>

namespace torture {

// Kinds of calls on files of the store. fault.mjs has the same names in the same order.
enum class Call {
  open,
  read,
  write,
  sync,
  truncate,
  allocate,
  map,
  rename,
  link,
  unlink,
  lock,
  make_directory,
  any,  // counts all kinds together
  kinds
};

// How a call ends.
enum class How {
  goes_on,       // the call works
  fails,         // an error; the call does nothing
  fails_late,    // an error, after the call has worked
  is_short,      // a write does half, and reports that
  kills,         // the process dies before the call
  kills_late,    // the process dies after the call
  kills_midway,  // the process dies after half of a write
  lies,          // reports success and does nothing: tests that the judge notices
};

struct Fault {
  How how = How::goes_on;
  int error = 0;  // for fails and fails_late
};

// Counts a call, and returns how it must end. Thread-safe.
Fault next(Call call);

// Sends SIGKILL to this process.
[[noreturn]] void die();

// Whether a path, or the file of a descriptor, lies in the directory under torture. Keeps errno.
bool concerns(int directory, const char* path);
bool concerns(int file);

// The file of the journal of unsynced writes (journal.h); empty: no journal.
std::string_view journal_path();

}  // namespace torture
