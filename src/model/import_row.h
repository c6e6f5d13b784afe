// A row of an import, as a comment, and which members it has.
#pragma once

#include <cstdint>

#include "quire/comment.h"

namespace quire {

struct ImportRow {
  // Bits of `lacks`. A row always has a product, a time and a rating. Its attributes and its reply
  // are those that the comment has.
  enum Member : std::uint8_t { language = 1, author = 2, title = 4, text = 8, media = 16 };

  Comment comment;  // what the row lacks is as in a comment without it
  std::uint8_t lacks = 0;

  bool has(Member member) const { return (lacks & member) == 0; }
  friend bool operator==(const ImportRow&, const ImportRow&) = default;
};

}  // namespace quire
