// Values as rows hold them.
#pragma once

#include <string>

#include "change/target.h"
#include "model/facets.h"
#include "quire/ulid.h"

namespace quire::sql {

// As SQL has them.
std::string literal_of(Facet facet, FacetValue value);
std::string literals_of(const Cell& cell);  // its facets', with commas between
std::string_view text_of(change::Phase phase);

// Throw Unusable where it is nothing that Quire writes.
Ulid id_of(const std::string& bytes);
Cell cell_of(const std::string& language, long long rating);
change::Phase phase_of(const std::string& text);

}  // namespace quire::sql
