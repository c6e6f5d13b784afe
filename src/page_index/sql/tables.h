// Makes the tables, and checks their version. Converts values from and to rows.
#pragma once

#include <string>
#include <string_view>

#include "change/target.h"
#include "model/facets.h"
#include "page_index/sql/database/connection.h"
#include "quire/ulid.h"

namespace quire::sql {

// For each new connection. Makes missing tables, or throws NoTables with Access::read. Throws
// Unusable if the tables belong to another index or version.
void prepare_tables(Connection& connection);

// SQL literals.
std::string literal_of(ListFacet facet, FacetValue value);
std::string literals_of(const Cell& cell);  // of its facets, joined by commas

// These throw Unusable for values that Quire does not write.
Ulid id_of(const std::string& bytes);
FacetValue language_of(std::string_view text);
FacetValue rating_of(long long stars);
Cell cell_of(std::string_view language, long long rating);
change::Phase phase_of(const std::string& text);

}  // namespace quire::sql
