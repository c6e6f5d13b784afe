// The attributes of generated comments, skewed as in real shops and a little correlated: bad
// ratings are verified less often and found helpful more often, and most customers write in the
// language of their country.
#pragma once

#include <vector>

#include "cli/generator/random.h"
#include "quire/comment.h"
#include "quire/facet.h"

namespace quire::cli {

// verified (flag), size (closed choice of 6), country (open choice of 50), tags, helpful (number).
const std::vector<Facet>& generated_facets();

Attributes random_attributes(Random& random, const Comment& comment);

}  // namespace quire::cli
