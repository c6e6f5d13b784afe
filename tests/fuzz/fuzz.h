// What the fuzz targets share: a sentence that must hold, and an input that is taken apart.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// A fuzzer calls it with one input after the other.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace quire::fuzz {

// Ends the process if `holds` is false: a fuzzer keeps the input then.
inline void require(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "This does not hold: %s\n", sentence);
  std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// The front of `text` up to `end`, which is taken off both.
inline std::string_view take_until(std::string_view& text, std::string_view end) {
  auto at = text.find(end);
  auto front = text.substr(0, at);
  text.remove_prefix(at == text.npos ? text.size() : at + end.size());
  return front;
}

// The first byte; 0 if there is none.
inline std::uint8_t take_byte(std::string_view& text) {
  if (text.empty()) return 0;
  auto byte = static_cast<std::uint8_t>(text.front());
  text.remove_prefix(1);
  return byte;
}

// What a peer sends, and how many bytes of it arrive at once: the first byte of the input gives
// that number, and 0 stands for all of them.
struct Pieces {
  std::string_view bytes;
  std::size_t size;
};

inline Pieces pieces_of(const std::uint8_t* data, std::size_t size) {
  auto bytes = text_of(data, size);
  std::size_t piece = take_byte(bytes);
  return {bytes, piece == 0 ? size + 1 : piece};
}

}  // namespace quire::fuzz
