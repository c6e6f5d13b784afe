// Makes the tables, or upgrades tables of an older version.
#pragma once

#include "page_index/sql/database/connection.h"

namespace quire::sql {

// For each new connection. Makes missing tables, or throws NoTables with Access::read. Throws
// Unusable if the tables belong to another index or version.
//
// Version 1 had no blocks. The first writer makes them in one transaction, and reads the comments
// of each long product for that; other writers wait.
void prepare_tables(Connection& connection);

}  // namespace quire::sql
