// The terms of a comment.
#pragma once

#include <string>
#include <vector>

#include "quire/comment.h"

namespace quire::word_index {

using Terms = std::vector<std::string>;  // of a comment, as words::Terms makes them

// Thread-safe.
Terms terms_of(const Comment& comment);
// Whether two comments have the same terms, as far as is seen without making them.
bool same_words(const Comment& a, const Comment& b);

}  // namespace quire::word_index
