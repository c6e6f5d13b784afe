// Comments for tests of stores.
#pragma once

#include <string>

#include "quire/comment.h"
#include "temporary_directory.h"

namespace quire {

// An id at `ms`, unique by `number`. Ids of one time sort by number.
inline Ulid id_at(std::uint64_t ms, std::uint64_t number) {
  std::array<std::uint8_t, 10> entropy{};
  for (int i = 9; i >= 2; --i, number >>= 8) entropy[i] = static_cast<std::uint8_t>(number);
  return Ulid::make(ms, entropy);
}

inline Comment comment_at(std::uint64_t ms, std::uint64_t number, std::string language, int rating,
                          std::string product = "42") {
  return {.id = id_at(ms, number),
          .product = std::move(product),
          .language = std::move(language),
          .rating = rating,
          .author = "Ann",
          .title = "Fits",
          .text = "comment " + std::to_string(number)};
}

}  // namespace quire
