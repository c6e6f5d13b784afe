// Calls of Redis and their errors: what happened, and what to do. All are `unavailable`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/awaitable.h"
#include "quire/result.h"

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

Error unavailable(std::string message);
// The connection broke. `why` is a phrase, not a sentence.
Error broken(std::string_view why);
// The attempt to connect to `where` failed. `where` has no password.
Error unreachable(std::string_view where, std::string_view why);
// Redis sent a reply of the wrong kind.
Error unexpected_answer();

// Redis refused a request. `words`: Redis's message, which begins with a code.
Error refused(std::string_view words);
// As refused(), but never quotes Redis, whose words may repeat a password. Nothing: unknown code.
std::optional<Error> known_refusal(std::string_view words);
// Whether Redis refuses the connection, not the request.
bool refuses_connection(std::string_view words);

}  // namespace quire::redis
