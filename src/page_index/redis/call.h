// A script, and a call of it.
#pragma once

#include <string>
#include <vector>

#include "loop/awaitable.h"

namespace quire::redis {

// In Lua, as Redis runs it: alone, so nobody sees half of what it does.
struct Script {
  explicit Script(std::string text);

  std::string text;
  std::string sha1;  // what Redis calls it once it has seen it
};

constexpr Milliseconds patience_of_reads{2'000};
constexpr Milliseconds patience_of_writes{10'000};

struct Call {
  const Script& script;
  std::vector<std::string> keys;
  std::vector<std::string> arguments = {};
  Milliseconds patience = patience_of_reads;

  // As a request: by its name, or in full.
  std::string by_name() const;
  std::string in_full() const;
};

}  // namespace quire::redis
