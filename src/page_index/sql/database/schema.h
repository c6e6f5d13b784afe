// The statements that make the tables. docs/formats/pages-sql.md describes the tables.
#pragma once

#include <array>
#include <string_view>

namespace quire::sql {

inline constexpr int schema_version = 1;

// "{0}" stands for the prefix of the tables.
extern const std::array<std::string_view, 8> sqlite_schema;
extern const std::array<std::string_view, 5> mysql_schema;
extern const std::array<std::string_view, 8> postgresql_schema;

}  // namespace quire::sql
