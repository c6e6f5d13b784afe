#include "mapping/values/flag.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace quire {

std::optional<bool> flag_of(std::string_view word) {
  constexpr std::string_view yes[] = {"true", "yes", "y", "on", "1"};
  constexpr std::string_view no[] = {"false", "no", "n", "off", "0", ""};
  std::string lower(word);
  for (auto& c : lower)
    if ('A' <= c && c <= 'Z') c = static_cast<char>(c | 0x20);
  if (std::find(std::begin(yes), std::end(yes), lower) != std::end(yes)) return true;
  if (std::find(std::begin(no), std::end(no), lower) != std::end(no)) return false;
  return {};
}

}  // namespace quire
