// Numbers as codes. Numbers from -32 to 31 have a code each. Beyond, a code stands for a range of
// numbers whose width grows with them (1/16 of the least of them, as in HdrHistogram,
// http://hdrhistogram.org/); the rest tells the number within the range. Codes sort as numbers do,
// and so do rests within a code. So the counts of codes are a histogram: it finds the n-th number,
// and only the ids of one code have to be compared by their rests.
#pragma once

#include <cstdint>

#include "bitmap_index/databases.h"

namespace quire::bitmap_index {

struct NumberCode {
  Code code;
  std::uint64_t rest = 0;
  friend auto operator<=>(const NumberCode&, const NumberCode&) = default;
};

// |number| < 2^53.
NumberCode encode_number(std::int64_t number);
std::int64_t decode_number(const NumberCode& code);
// How many bytes a rest of this code takes: 0 to 7. 0: the code stands for one number.
std::size_t rest_size(Code code);
// The greatest rest of this code; 0: the code stands for one number.
std::uint64_t max_rest(Code code);

}  // namespace quire::bitmap_index
