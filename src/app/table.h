// Makes and describes the DynamoDB table, and prints it for other tools.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "quire/result.h"
#include "store/dynamodb/items/parts_item.h"
#include "store/dynamodb/provision/table.h"

namespace quire {

// `address`: "dynamodb:TABLE?region=R&endpoint=URL".

// Waits until the table is ready. Leaves a table that is there already as it is, if it fits.
Result<dynamodb::TableStatus> create_table(const std::string& address,
                                           const dynamodb::TableOptions& options);
// Of a table that others made, the status also tells how it differs from what its mapping needs.
Result<dynamodb::TableStatus> describe_table(const std::string& address);

enum class TableFormat { nosql_workbench, cloudformation };
// Sends nothing; of the address only the table's name counts.
Result<std::string> export_table(const std::string& address, TableFormat format,
                                 const dynamodb::TableOptions& options);

// A first mapping for a table that others made, from a sample of it, after remarks that an empty
// line ends. `table`: an address as above; a name alone is a table where that of `store` is.
// Empty: the table of `store`.
Result<std::string> map_table(const std::string& table, const std::string& store);

// In how many parts the lists of hot products lie, as the table declares it.
Result<dynamodb::TableParts> parts_of_table(const std::string& address);
// Declares that new comments go into so many parts, 1 to max_parts, in these indexes: of a product,
// or for an empty name of all that have no declaration. If they go into fewer now, calls `pause`
// with the time that readers take to learn of more.
Status declare_parts(const std::string& address, const std::string& product,
                     const std::vector<std::size_t>& of_indexes, std::uint8_t parts,
                     const std::function<void(std::chrono::seconds)>& pause);

}  // namespace quire
