// The rows of declared facets.
// Format: docs/formats/store.md. Changing anything here is a new format version.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/schema.h"
#include "store/embedded/format/rows.h"

namespace quire::embedded {

struct FacetRow {
  FacetNumber number = no_facet;
  FacetStatus::State state = FacetStatus::State::ready;
  Facet facet;
  // While it is built: the key of the last comment that is in it; absent: none is.
  std::optional<Key<20>> built = {};
  // How many comments building has passed; while it is dropped, the product to go on with.
  std::uint64_t passed = 0;
};

Key<2> facet_key(FacetNumber number);
std::string encode_facet(const FacetRow& row);
// Throws std::runtime_error when the key or the row is damaged.
FacetRow decode_facet(std::string_view key, std::string_view bytes);

// The row `schema` in `meta`.
struct SchemaRow {
  std::uint64_t version = 0;  // grows with every change of a facet's row
  FacetNumber next = first_declared_number;
};
std::string encode_schema(const SchemaRow& row);
SchemaRow decode_schema(std::string_view bytes);  // throws std::runtime_error when damaged

}  // namespace quire::embedded
