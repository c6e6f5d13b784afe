// The statements that make the tables. docs/formats/pages-sql.md describes the tables.
#pragma once

#include <array>
#include <string_view>

namespace quire::sql {

inline constexpr int schema_version = 2;
inline constexpr int oldest_version = 1;  // that is upgraded

// "{0}" stands for the prefix of the tables.
extern const std::array<std::string_view, 8> sqlite_schema;
extern const std::array<std::string_view, 5> mysql_schema;
extern const std::array<std::string_view, 8> postgresql_schema;
// For tables made when a language had three letters at most.
extern const std::array<std::string_view, 2> mysql_widening;

}  // namespace quire::sql
