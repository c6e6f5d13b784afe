// The log on standard error. A reader that does not read cannot stop the process.
#pragma once

#include "base/log.h"
#include "quire/result.h"

namespace quire::cli {

// Lives as long as the process.
LogWriter& standard_error();

// Opens the file again that standard error was at the start, because it was renamed or removed.
// Does nothing if standard error was no file.
Status reopen_standard_error();

// Sends the log of all libraries to standard error, with times.
void log_to_standard_error();

}  // namespace quire::cli
