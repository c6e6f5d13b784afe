// What an import makes of a row whose comment is in the store, or was: one rule for all stores.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/import_row.h"
#include "quire/comment.h"

namespace quire {

struct ImportTerms {
  bool update = false;       // a row changes the comment that is there
  bool again = false;        // rows of comments that were removed or emptied here are taken
  std::string product = {};  // a prefix of the products whose comments may change
};

// What became of rows. Each is counted once.
struct Imported {
  static constexpr std::size_t max_named = 20;

  std::size_t added = 0;
  std::size_t known = 0;         // are in the store, and have nothing else
  std::size_t differing = 0;     // are in the store, and have something else
  std::size_t updated = 0;       // the same, and the store has that now
  std::size_t removed_here = 0;  // were passed over: their comments were removed or emptied here
  std::vector<Ulid> named = {};  // of those that differ, at most max_named

  std::size_t rows() const { return added + known + differing + updated + removed_here; }
  void count(std::size_t Imported::*as, const Ulid& id);
  void add(const Imported& more);
};

// Whether the comment came by an import that names its source. Where it is removed or emptied, its
// id alone is kept, so that a later import does not bring it back.
bool is_sourced(const Comment& comment);

// What a store has of a row's comment.
struct Here {
  const Comment* comment = nullptr;  // null: nothing
  bool removed = false;              // its id is kept: it was removed or emptied
  bool voted = false;                // it has votes, which count in `helpful` and `unhelpful`
};

struct Verdict {
  std::size_t Imported::*as;
  std::optional<Comment> write = {};  // what the comment becomes; absent: it stays
  bool forgets = false;               // its id is kept no more
};

// A row sets language, rating, author, title, text, pictures, attributes and reply, as far as it
// has them. Product, time, status, customer and votes stay, so these make no difference either.
Verdict verdict(const ImportRow& row, const ImportTerms& terms, const Here& here);

}  // namespace quire
