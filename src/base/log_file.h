// The files of logs, which others rename and remove while they are written.
#pragma once

#include <string>

#include "quire/result.h"

namespace quire {

struct LogFile {
  std::string what;  // for messages: "the access log"
  std::string file;
  int flags;  // O_WRONLY or O_RDWR, perhaps with O_NONBLOCK
};

// Opens a log to append. A new file is readable by its owner and group.
Result<int> open_log(const LogFile& log);
// Opens the log again, in place of the descriptor: after a rename further lines go to a new file.
// Does not wait for the reader of a pipe. After an error lines go where they went.
Status reopen_log(const LogFile& log, int descriptor);

}  // namespace quire
