// How often a test tries what it draws at random.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace quire {

#ifdef QUIRE_SANITIZED
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

// `usual` times, QUIRE_ROUNDS times as often where that is set. A sanitizer makes a program many
// times slower and looks for other faults than a comparison does: under it an eighth, once at
// least.
template <class Number>
Number rounds(Number usual) {
  const char* times = std::getenv("QUIRE_ROUNDS");
  if (sanitized) usual = std::max(Number{1}, static_cast<Number>(usual / 8));
  return usual * static_cast<Number>(times ? std::atoi(times) : 1);
}

}  // namespace quire
