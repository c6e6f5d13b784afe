// Makes the tables, and checks their version.
#pragma once

#include "page_index/sql/database/connection.h"

namespace quire::sql {

// For each new connection. Makes missing tables, or throws NoTables with Access::read. Throws
// Unusable if the tables belong to another index or version.
void prepare_tables(Connection& connection);

}  // namespace quire::sql
