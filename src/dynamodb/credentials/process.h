// Runs the program that a profile names as its `credential_process`.
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-process-credentials.html
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/awaitable.h"
#include "quire/result.h"

namespace quire::dynamodb {

inline constexpr std::chrono::seconds process_patience{10};
inline constexpr std::size_t max_process_output = 64 << 10;

// The words of a command: separated by blanks, except between quotes and behind a backslash.
// Nothing else has a meaning, since no shell reads the command: neither $ nor ~ nor |. Nothing: a
// quote does not end, or there is no word.
std::optional<std::vector<std::string>> words_of(std::string_view command);

// What the program prints on standard output. The program is looked up in PATH; its standard error
// is this process's, its input is empty, and it inherits no other file. When `process_timeout` is
// over, or it has printed more than 64 KiB, the program and its children are killed. unavailable:
// it cannot be run, was killed, or ended with a status other than 0.
Awaitable<Result<std::string>> run_within(std::vector<std::string> words,
                                          std::chrono::milliseconds process_timeout);
inline Awaitable<Result<std::string>> run_process(std::vector<std::string> words) {
  return run_within(std::move(words), process_patience);
}

}  // namespace quire::dynamodb
