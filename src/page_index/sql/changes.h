// Applies changes to the rows of the tables.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "change/target.h"
#include "page_index/sql/connection.h"

namespace quire::sql {

// Must run within a transaction that keeps other writers out. A comment has one row, so the lists
// in which a change says it was (`from`) do not matter.
void make_changes(Connection& connection, std::span<const change::Change> changes);

// Calls `run` with " IN (…)" or " = …" for all keys, in groups of the size that suits the database.
void for_keys(Connection& connection, std::span<const std::string> keys,
              const std::function<void(const std::string& among)>& run);

}  // namespace quire::sql
