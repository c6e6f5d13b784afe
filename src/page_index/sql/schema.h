// The statements that make the tables. docs/formats/pages-sql.md describes the tables.
#pragma once

#include <array>
#include <string_view>

namespace quire::sql {

inline constexpr int schema_version = 1;

// "{0}" stands for the prefix of the tables.
extern const std::array<std::string_view, 7> sqlite_schema;
extern const std::array<std::string_view, 4> mysql_schema;
// For tables made when a language had three letters at most.
extern const std::array<std::string_view, 2> mysql_widening;

}  // namespace quire::sql
