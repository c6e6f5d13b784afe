// The addresses of a comment's pictures. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mapping/comment_mapping.h"
#include "mapping/record.h"

namespace quire {

struct Pictures {
  std::vector<std::string> addresses = {};  // https, as the model takes them, at most 8
  std::uint64_t bad = 0;                    // left out: they are no such addresses
  std::uint64_t further = 0;                // left out: there are 8 already
};

// A value is a text of addresses, which white space, quotes and bars divide, and a comma or
// semicolon behind which the next one begins; or an object, in which the field's `member` is one.
// `http:` and an address without a scheme become `https:`.
Pictures pictures_of(const Record& record, const MappedField& field);

// Each `from` in a text by `to`. `from` is not empty.
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace quire
