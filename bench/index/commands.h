// What quire_index measures. Each returns the fields of a JSON object. Every reader is made anew,
// as for a request; making it is timed, too. Answers are checked outside of the timed part.
#pragma once

#include <stdexcept>
#include <string>

#include "built.h"

namespace quire::bench {

std::string measure_one_value(BuiltIndex& index, std::uint64_t samples);
std::string measure_filters(BuiltIndex& index, std::uint64_t filters);
std::string measure_counts(BuiltIndex& index, std::uint64_t samples);
std::string measure_votes(BuiltIndex& index, std::uint64_t samples);

inline void expect(bool right) {
  if (!right) throw std::runtime_error("an answer of the index is wrong");
}

}  // namespace quire::bench
