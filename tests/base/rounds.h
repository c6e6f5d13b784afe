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

// `usual` times, QUIRE_ROUNDS times as often where that is set: ./test sets a fourth. A sanitizer
// makes a program many times slower and looks for other faults than a comparison does: under it an
// eighth. Once at least.
template <class Number>
Number rounds(Number usual) {
  const char* times = std::getenv("QUIRE_ROUNDS");
  double share = (times ? std::atof(times) : 1.0) / (sanitized ? 8 : 1);
  return std::max(Number{1}, static_cast<Number>(share * static_cast<double>(usual)));
}

}  // namespace quire
