// The errors of the page index in Redis: what happened, and what to do. All are `unavailable`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quire/result.h"

namespace quire::redis {

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
