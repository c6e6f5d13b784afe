// How a command ends: its exit status, and what it tells on standard error.
#pragma once

#include <cstdint>

#include "quire/result.h"

namespace quire::cli {

// Exit statuses.
inline constexpr int done = 0;
inline constexpr int failed = 1;
inline constexpr int wrong_usage = 2;
inline constexpr int with_differences = 3;  // done, but with rejected rows or differences found

// Prints the error to standard error, in one line. Returns the exit status.
int fail(const Error& error);
// Tells on standard error how many damaged rows the output lacks, where it lacks any. Returns the
// exit status.
int tell_of_missing(std::uint64_t rows);
// fail(), with a line for each line of the error's message.
int fail_by_line(const Error& error);

}  // namespace quire::cli
