// Applies changes to comments, counts and blocks.
#pragma once

#include <span>

#include "change/target.h"
#include "page_index/sql/database/connection.h"

namespace quire::sql {

// Must run within a transaction that keeps other writers out. A comment has one row, so the lists
// in which a change says it was (`from`) do not matter.
void make_changes(Connection& connection, std::span<const change::Change> changes);

}  // namespace quire::sql
