// Words for yes and no. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace quire {

// True of "true", "yes", "y", "on" and "1", false of "false", "no", "n", "off", "0" and "", in
// either case of letters. Absent: another word.
std::optional<bool> flag_of(std::string_view word);

}  // namespace quire
