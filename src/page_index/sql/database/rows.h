// Writes and removes many rows by their keys, some at a time.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "page_index/sql/database/connection.h"

namespace quire::sql {

// Calls `run` with " IN (…)" or " = …" for all keys, in groups of the size that suits the database.
void for_keys(Connection& connection, std::span<const std::string> keys,
              const std::function<void(const std::string& among)>& run);

// Writes rows, "(…)" each, in place of rows of the same keys.
void replace(Connection& connection, const RowForm& form, const std::vector<std::string>& rows);

// The same for keys that no row has; PostgreSQL writes such rows in four fifths of the time.
void insert(Connection& connection, const RowForm& form, const std::vector<std::string>& rows);

// `key`: the columns of the keys.
void remove(Connection& connection, const std::string& from, const std::string& key,
            std::span<const std::string> keys);

}  // namespace quire::sql
