// What Redis's refusals mean to who asked Quire, and what to do. All are `unavailable`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quire/result.h"

namespace quire::redis {

Error unavailable(std::string message);
// The connection did not come about, or is no more; `why` is no sentence.
Error broken(std::string_view why);
// No connection came about; `where` says to what, without a password.
Error unreached(std::string_view where, std::string_view why);
// The answer came, and is not what was asked for.
Error odd_answer();

// `words`: what Redis says, with its code first.
Error refused(std::string_view words);
// Where its words may repeat what was asked, with a password in it. Nothing: a refusal unknown.
std::optional<Error> known_refusal(std::string_view words);
// Whether they refuse the connection, and not what it asks.
bool turned_away(std::string_view words);

}  // namespace quire::redis
