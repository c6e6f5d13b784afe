// Which call of the program under torture fails, and how. tests/torture/fault.mjs writes the order.
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
  any,  // all of the above are counted together, too
  kinds
};

// What happens at the call.
enum class How {
  goes_on,       // nothing unusual
  fails,         // an error instead of the deed
  fails_late,    // an error after the deed
  is_short,      // half of a write is done, and reported
  kills,         // the process dies before the deed
  kills_late,    // the process dies after the deed
  kills_midway,  // the process dies after half of a write
  lies,          // success is reported, and nothing is done: only to see that the judge finds that
};

struct Fault {
  How how = How::goes_on;
  int error = 0;  // for fails and fails_late
};

// Counts the call, and says how this one ends. Thread-safe.
Fault next(Call call);

// SIGKILL to this process.
[[noreturn]] void die();

// Whether a path, or the file behind a descriptor, lies in the directory under torture.
// Keeps errno.
bool concerns(int directory, const char* path);
bool concerns(int file);

// Where the journal of unsynced writes goes (journal.h); empty: nowhere.
std::string_view journal_path();

}  // namespace torture
