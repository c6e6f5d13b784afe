// A script of Redis, and a call of it.
#pragma once

#include <string>
#include <vector>

#include "loop/awaitable.h"

namespace quire::redis {

// A script in Lua. Redis runs nothing else meanwhile, so nobody sees half of its work.
struct Script {
  explicit Script(std::string text);

  std::string text;
  std::string sha1;  // Redis knows a script by this name after its first call
};

constexpr Milliseconds read_timeout{2'000};
constexpr Milliseconds write_timeout{10'000};

struct Call {
  enum Effect { reads, writes };

  const Script& script;
  std::vector<std::string> keys;
  std::vector<std::string> arguments = {};
  Effect effect = reads;

  Milliseconds timeout() const { return effect == writes ? write_timeout : read_timeout; }

  // The bytes of the request: with the name of the script, or with its text.
  std::string by_name() const;
  std::string in_full() const;
};

}  // namespace quire::redis
