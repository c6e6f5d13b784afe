#include "mapping/values/words.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

namespace quire {
namespace {

constexpr UChar32 byte_order_mark = 0xFEFF;

bool is_white(UChar32 c) {
  if (0x20 < c && c < 0x7F) return false;
  return c >= 0 && (u_isUWhiteSpace(c) || c == byte_order_mark);
}

// A control character that no comment has.
bool is_refused(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const char* bytes = text.data();
  auto size = static_cast<std::int32_t>(text.size());
  std::int32_t begin = 0, end = size;
  UChar32 c = 0;
  for (std::int32_t at = 0; at < size; begin = at) {
    U8_NEXT(bytes, at, size, c);
    if (!is_white(c)) break;
  }
  for (std::int32_t at = size; at > begin; end = at) {
    U8_PREV(bytes, 0, at, c);
    if (!is_white(c)) break;
  }
  return text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

std::string cleaned(std::string_view text) {
  text = trimmed(text);
  if (std::none_of(text.begin(), text.end(), is_refused)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (!is_refused(c)) {
      out += c;
    } else if (c == '\r') {
      if (i + 1 == text.size() || text[i + 1] != '\n') out += '\n';
    } else if (c == '\v' || c == '\f') {
      out += ' ';
    }
  }
  return std::string(trimmed(out));
}

}  // namespace quire
