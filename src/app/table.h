// The table that keeps comments in DynamoDB: made, looked at, and as text for other tools.
#pragma once

#include <string>

#include "quire/result.h"
#include "store/dynamodb/provision/table.h"

namespace quire {

// `address`: "dynamodb:TABLE?region=R&endpoint=URL".

// Waits until the table is ready. One that is there already is left as it is, if it fits.
Result<dynamodb::TableStatus> create_table(const std::string& address,
                                           const dynamodb::TableOptions& options);
Result<dynamodb::TableStatus> describe_table(const std::string& address);

enum class TableFormat { nosql_workbench, cloudformation };
// Asks nobody; of the address only the name counts.
Result<std::string> export_table(const std::string& address, TableFormat format,
                                 const dynamodb::TableOptions& options);

}  // namespace quire
