// What became of the rows of an import.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "service/importer.h"

namespace quire::desk {

struct ImportCounts {
  std::uint64_t added = 0;
  std::uint64_t known = 0;      // were in the store already, and are equal
  std::uint64_t differing = 0;  // were there, and are not equal
  std::uint64_t updated = 0;
  std::uint64_t removed_here = 0;  // were removed from the store, and stay so
  std::uint64_t rejected = 0;

  static ImportCounts of(const Imported& rows, std::uint64_t rejected) {
    return {.added = rows.added,
            .known = rows.known,
            .differing = rows.differing,
            .updated = rows.updated,
            .removed_here = rows.removed_here,
            .rejected = rejected};
  }

  // By their names in answers and in the audit log.
  std::array<std::pair<std::string_view, std::uint64_t>, 6> named() const {
    return {{{"added", added},
             {"known", known},
             {"differing", differing},
             {"updated", updated},
             {"removed_here", removed_here},
             {"rejected", rejected}}};
  }
};

}  // namespace quire::desk
