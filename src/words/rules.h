// Which rules made terms: those that a store keeps are of use only under the rules that made them.
#pragma once

#include <cstdint>
#include <string>

namespace quire::words {

struct Rules {
  std::uint32_t number;  // of the rules in this program; a change of terms takes the next one
  std::string icu;       // the version of ICU that runs: "72.1"
  std::string unicode;   // the version of Unicode's data in it: "15.0"
  std::uint64_t probe;   // a hash of the terms of a text in all languages, as this program makes
};

// Those of this program with the libraries that it runs with. Made at the first call. Throws
// std::runtime_error where ICU lacks its data. Thread-safe.
const Rules& rules();

// One number for all of it. Other rules have another. Thread-safe.
std::uint64_t digest(const Rules& rules);

}  // namespace quire::words
