// Changes as rows of the tables.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "change/target.h"
#include "page_index/sql/connection.h"

namespace quire::sql {

// Within a transaction that keeps other writers out. A comment has one row, so it does not matter
// in which lists a change takes it to have been.
void make_changes(Connection& connection, std::span<const change::Change> changes);

// Calls with " IN (…)" or so, for all the keys, as many at a time as suits the database.
void for_keys(Connection& connection, std::span<const std::string> keys,
              const std::function<void(const std::string& among)>& run);

}  // namespace quire::sql
