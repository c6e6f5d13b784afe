// Assertions that release builds keep: for invariants of the program itself, where going on would
// write or answer something wrong. Input and damage on disk are errors, never assertions.
#pragma once

namespace quire {

// Writes one line to standard error and ends the process.
[[noreturn]] void invariant_broken(const char* condition, const char* file, int line) noexcept;

}  // namespace quire

#define QUIRE_ENSURE(condition)                        \
  (static_cast<bool>(condition) ? static_cast<void>(0) \
                                : ::quire::invariant_broken(#condition, __FILE__, __LINE__))
