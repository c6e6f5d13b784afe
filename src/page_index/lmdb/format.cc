#include "page_index/lmdb/format.h"

#include <algorithm>
#include <stdexcept>

#include "lmdb/numbers.h"

namespace quire::page_index {
namespace {

using lmdb::get_u32;
using lmdb::get_u64;
using lmdb::put_u32;
using lmdb::put_u64;

constexpr std::size_t block_size = 4;
constexpr std::size_t language_size = 8;   // language, block
constexpr std::size_t mark_head_size = 9;  // ended, as of

// The values are part of the format.
constexpr change::Phase phases[] = {change::Phase::empty, change::Phase::building,
                                    change::Phase::following, change::Phase::lost};

}  // namespace

std::string format_row() {
  return std::string(format_magic) + encode_number(format_version);
}

std::optional<lmdb::List> ProductLists::list_number(const Cell& list) const {
  if (list[language_facet] == any) return block << 3 | list[rating_facet];
  auto row = std::find_if(languages.begin(), languages.end(), [&](const LanguageLists& each) {
    return each.language == list[language_facet];
  });
  if (row == languages.end()) return {};
  return row->block << 3 | list[rating_facet];
}

std::string encode_product(const ProductLists& row) {
  std::string out = encode_number(row.block);
  for (const auto& [language, block] : row.languages)
    out += encode_number(language) + encode_number(block);
  return out;
}

ProductLists decode_product(std::string_view bytes) {
  if (bytes.size() < block_size || (bytes.size() - block_size) % language_size != 0)
    throw std::runtime_error("a product's row is damaged");
  ProductLists row{get_u32(bytes.data())};
  for (std::size_t at = block_size; at < bytes.size(); at += language_size)
    row.languages.push_back({get_u32(&bytes[at]), get_u32(&bytes[at + 4])});
  return row;
}

std::string encode_mark(const change::Mark& mark) {
  std::string out(mark_head_size, '\0');
  out[0] = mark.ended;
  put_u64(&out[1], mark.as_of_ms);
  return out + mark.read_to;
}

change::Mark decode_mark(std::string_view bytes) {
  if (bytes.size() < mark_head_size || (bytes[0] != 0 && bytes[0] != 1))
    throw std::runtime_error("a mark is damaged");
  return {std::string(bytes.substr(mark_head_size)), bytes[0] == 1, get_u64(&bytes[1])};
}

std::string encode_phase(change::Phase phase) {
  auto at = std::find(std::begin(phases), std::end(phases), phase);
  return std::string(1, static_cast<char>(at - std::begin(phases)));
}

change::Phase decode_phase(std::string_view bytes) {
  std::size_t value = bytes.size() == 1 ? static_cast<unsigned char>(bytes[0]) : std::size(phases);
  if (value >= std::size(phases)) throw std::runtime_error("the phase is damaged");
  return phases[value];
}

std::string encode_number(std::uint32_t number) {
  std::string out(4, '\0');
  put_u32(out.data(), number);
  return out;
}

std::uint32_t decode_number(std::string_view bytes) {
  if (bytes.size() != 4) throw std::runtime_error("a number is damaged");
  return get_u32(bytes.data());
}

}  // namespace quire::page_index
