// What happens besides goes to standard error, which nobody waits for.
#pragma once

#include "base/log_writer.h"

namespace quire::cli {

// Of the whole process, until its end.
LogWriter& standard_error();

// Has errors and warnings written there, with their time.
void log_to_standard_error();

}  // namespace quire::cli
