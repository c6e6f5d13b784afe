// The comments that are measured, by the lists they would be read from.
#pragma once

#include <string>
#include <vector>

#include "model/index.h"
#include "quire/comment.h"

namespace quire::bench {

// Of a file as `quire import` takes it: JSON Lines, plain or gzip. Throws at a row that it would
// refuse.
std::vector<Comment> read_comments(const std::string& file);

struct List {
  std::string name;  // of the attribute that has its key
  std::string key;
  std::vector<Comment> newest;  // newest first
};

// The lists of `index`, each with at most `most` comments.
std::vector<List> lists_of(const Index& index, const std::vector<Comment>& comments,
                           std::size_t most);

}  // namespace quire::bench
