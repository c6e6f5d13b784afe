// Opens a session with a database.
#pragma once

#include <soci/soci.h>

#include "page_index/sql/database/connection.h"

namespace quire::sql {

// Throws soci::soci_error, or NoTables where a reader finds no SQLite file.
void open(soci::session& session, const DataSource& source);

}  // namespace quire::sql
