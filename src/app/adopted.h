// Opens a table that others made, by the mapping that its address names.
#pragma once

#include <memory>
#include <string>

#include "dynamodb/address.h"
#include "quire/result.h"
#include "store/dynamodb/adopted/table.h"

namespace quire {

// Whether an address of a store is that of a table that others made: "dynamodb:TABLE?map=FILE".
bool is_adopted(const std::string& address);

// invalid_parameter: the file that the address names cannot be read, or is no mapping.
Result<adopted::Mapping> mapping_of(const dynamodb::Address& address);

struct AdoptedParts {
  std::unique_ptr<dynamodb::TableAccess> access;
  adopted::Table table;
};

// Asks the table for its description. invalid_parameter: the file of the mapping cannot be read, or
// does not fit the table. unavailable: the table cannot be described.
// `beside`: see adopted::describe().
Result<AdoptedParts> open_adopted(const dynamodb::Address& address, bool beside);

}  // namespace quire
