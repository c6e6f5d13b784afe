// What quire_ranks can be asked for; each prints one JSON object, but for print_ids.
#pragma once

#include <cstdint>
#include <string>

namespace quire::bench {

// One line an id: "1", a tabulator, the id. As peers load them.
void print_ids(std::uint64_t count);

// Lists in an empty directory: building so many with `members` ids together, then the n-th of them
// all, at `samples` random places.
struct SetSize {
  std::uint64_t members;
  std::uint32_t lists;
  std::uint64_t samples;
};
void measure_set(const std::string& directory, const SetSize& size);

// Comments put one by one into the store of `quire generate` in a directory, which stays as it is.
void measure_inserts(const std::string& directory, std::uint64_t comments);

}  // namespace quire::bench
