#include "bitmap_index/numbers.h"

#include <algorithm>
#include <bit>

namespace quire::bitmap_index {
namespace {

constexpr Code zero = Code{1} << 63;  // the code of 0
constexpr int exact_bits = 5;         // numbers of so many bits have a code each
constexpr std::uint64_t steps = std::uint64_t{1} << (exact_bits - 1);  // codes for a power of two

// How many bits of a magnitude go into its rest.
int width_of(std::uint64_t magnitude) {
  auto bits = static_cast<int>(std::bit_width(magnitude));
  return bits <= exact_bits ? 0 : bits - exact_bits;
}

// At most max_width, whatever damaged bytes say.
int width_of_index(std::uint64_t index) {
  constexpr std::uint64_t max_width = 56;
  return index < 2 * steps ? 0 : static_cast<int>(std::min(index / steps - 1, max_width));
}

// A code counts from 0 upwards for numbers from 0, and from -1 downwards for those below.
std::uint64_t index_of(Code code) {
  return code >= zero ? code - zero : zero - 1 - code;
}

}  // namespace

NumberCode encode_number(std::int64_t number) {
  bool below = number < 0;
  auto magnitude = static_cast<std::uint64_t>(below ? -(number + 1) : number);
  int width = width_of(magnitude);
  auto index = static_cast<std::uint64_t>(width) * steps + (magnitude >> width);
  auto mask = (std::uint64_t{1} << width) - 1;
  auto rest = magnitude & mask;
  return below ? NumberCode{zero - 1 - index, mask - rest} : NumberCode{zero + index, rest};
}

std::int64_t decode_number(const NumberCode& code) {
  auto index = index_of(code.code);
  int width = width_of_index(index);
  auto mask = (std::uint64_t{1} << width) - 1;
  auto high = index - static_cast<std::uint64_t>(width) * steps;
  bool below = code.code < zero;
  auto magnitude = high << width | (below ? mask - code.rest : code.rest);
  auto number = static_cast<std::int64_t>(magnitude);
  return below ? -number - 1 : number;
}

std::size_t rest_size(Code code) {
  return static_cast<std::size_t>(width_of_index(index_of(code)) + 7) / 8;
}

std::uint64_t max_rest(Code code) {
  return (std::uint64_t{1} << width_of_index(index_of(code))) - 1;
}

}  // namespace quire::bitmap_index
