// The items of all products: in how many parts the lists of hot products lie, and the facets.
// Format: docs/formats/table.md
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dynamodb/calls.h"
#include "model/facets.h"
#include "model/schema.h"
#include "quire/ulid.h"

namespace quire::dynamodb {

// The item that keeps the table's facets. Format: docs/formats/table.md
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

// The parts of one product's lists.
struct ListParts {
  Parts written = undivided;  // new comments go into these
  Parts read = undivided;     // comments may lie in these: at least as many
};

struct TableParts {
  struct Declaration {
    std::uint8_t written = 1, read = 1;
    bool operator==(const Declaration&) const = default;
  };

  std::uint64_t version = 0;  // counts the changes; 0: the table has no such item
  // By product, and index of `indexes`. An empty product: all products that have no row.
  std::map<std::pair<std::string, std::size_t>, Declaration> rows;

  ListParts of(std::string_view product) const;
};

// DynamoDB keeps items of at most 400 KB.
inline constexpr std::size_t max_parts_bytes = 300'000;

// The declaration by which no comment is missed: every list has as many parts as a list can have,
// and new comments go into the first.
TableParts all_parts();

Item parts_key();
Item parts_item(const TableParts& parts);
// Absent: the item is damaged.
std::optional<TableParts> read_parts(const Item& item);

// The part of a list in which the comment belongs, of so many.
std::size_t part_of(const Ulid& id, std::size_t parts);
// The part that a key names, of the list whose first part has the name `list`; absent: none.
std::optional<std::size_t> part_in(std::string_view key, std::string_view list);
// The name of the list whose part the key names.
std::string_view without_part(std::string_view key);

}  // namespace quire::dynamodb
