// The measured comments, by the lists that a page reads them from.
#pragma once

#include <string>
#include <vector>

#include "model/index.h"
#include "quire/comment.h"

namespace quire::bench {

// Reads a file that `quire import` takes: JSON Lines, plain or gzip. Throws at a row that an import
// would refuse.
std::vector<Comment> read_comments(const std::string& file);

struct List {
  std::string name;  // of the attribute that has its key
  std::string key;
  std::vector<Comment> newest;  // newest first
};

// The lists of `index`, each with at most `max` comments.
std::vector<List> lists_of(const Index& index, const std::vector<Comment>& comments,
                           std::size_t max);

}  // namespace quire::bench
