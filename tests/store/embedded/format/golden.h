// What the golden tests of formats share.
#pragma once

#include <string>
#include <string_view>

#include "quire/ulid.h"

namespace quire::embedded {

inline const Ulid golden_id = Ulid::parse("01JD4Q4Z7VTSV4RRFFQ69G5FAV").value();

inline std::string hex(std::string_view bytes) {
  std::string out;
  for (unsigned char byte : bytes) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

}  // namespace quire::embedded
