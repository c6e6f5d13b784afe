// The item that keeps the table's facets. Format: docs/formats/table.md
#pragma once

#include <cstdint>
#include <optional>

#include "dynamodb/calls.h"
#include "model/schema.h"

namespace quire::dynamodb {

struct TableFacets {
  std::uint64_t version = 0;                 // counts the changes; 0: the table has no such item
  FacetNumber next = first_declared_number;  // the number that no facet ever had
  Schema schema = {};
};

// DynamoDB keeps items of at most 400 KB.
inline constexpr std::size_t max_facets_bytes = 300'000;

Item facets_key();
Item facets_item(const TableFacets& facets);
// Absent: the item is damaged.
std::optional<TableFacets> read_facets(const Item& item);

}  // namespace quire::dynamodb
