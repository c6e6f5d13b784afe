// Which column of a sample is which field of a comment: by its name, if its values fit. Pure.
#pragma once

#include <set>
#include <vector>

#include "mapping/presets/sample.h"

namespace quire {

// Pointers to the columns of the sample. Empty: no column fits.
struct Roles {
  using Chosen = std::vector<const FileColumn*>;  // the first that is not empty is the value
  Chosen id, product, language, rating, created_at, author, title, text, status, pictures;
  Chosen reply_author, reply_text, reply_time;
  Chosen max;     // the greatest rating
  Chosen parent;  // the id of the comment that a reply answers
  Chosen kind;    // what kind of comment it is, with words for those that are none

  // All of them.
  std::set<const FileColumn*> used() const;
};

// `records`: how many the sample has.
Roles find_roles(const std::vector<FileColumn>& columns, std::size_t records);

}  // namespace quire
