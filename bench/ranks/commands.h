// The commands of quire_ranks. Each but print_ids prints one JSON object.
#pragma once

#include <cstdint>
#include <string>

namespace quire::bench {

// Prints a line for each id, "1", a tabulator, the id: the form that the peers load.
void print_ids(std::uint64_t count);

// Measures a bitmap index in an empty directory: building it with `members` ids that have one of
// `values` values, then the n-th of them all, at `samples` random places.
struct SetSize {
  std::uint64_t members;
  std::uint32_t values;
  std::uint64_t samples;
};
void measure_set(const std::string& directory, const SetSize& size);

// Measures comments put one by one into a store that `quire generate --facets` made.
void measure_inserts(const std::string& directory, std::uint64_t comments);

// Measures votes on the comments of such a store, which stay, and then `crowd` votes on one of
// them, which is removed at last.
void measure_votes(const std::string& directory, std::uint64_t votes, std::uint64_t crowd);

}  // namespace quire::bench
