// Makes and describes the DynamoDB table, and prints it for other tools.
#pragma once

#include <string>

#include "quire/result.h"
#include "store/dynamodb/provision/table.h"

namespace quire {

// `address`: "dynamodb:TABLE?region=R&endpoint=URL".

// Waits until the table is ready. Leaves a table that is there already as it is, if it fits.
Result<dynamodb::TableStatus> create_table(const std::string& address,
                                           const dynamodb::TableOptions& options);
Result<dynamodb::TableStatus> describe_table(const std::string& address);

enum class TableFormat { nosql_workbench, cloudformation };
// Sends nothing; of the address only the table's name counts.
Result<std::string> export_table(const std::string& address, TableFormat format,
                                 const dynamodb::TableOptions& options);

// A first mapping for a table that others made, from a sample of it, with remarks. `address`: as
// above, or a table's name alone.
Result<std::string> map_table(const std::string& address);

}  // namespace quire
