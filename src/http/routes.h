// Paths matched against patterns, segment by segment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quire::http {

// What stands at the places of `{…}` in the pattern; nothing if the path is another.
std::optional<std::vector<std::string>> match(std::string_view pattern,
                                              const std::vector<std::string>& segments);

}  // namespace quire::http
