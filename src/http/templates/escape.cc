#include "http/templates/escape.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/percent.h"

namespace quire::http {
namespace {

// What stands for a byte; null: the byte itself.
using Table = std::array<const char*, 256>;

constexpr Table in_text = [] {
  Table table{};
  table['&'] = "&amp;";
  table['<'] = "&lt;";
  table['>'] = "&gt;";
  table['"'] = "&quot;";
  table['\''] = "&#39;";
  return table;
}();

constexpr Table in_json = [] {
  Table table{};
  table['&'] = "\\u0026";
  table['<'] = "\\u003c";
  table['>'] = "\\u003e";
  return table;
}();

using Bytes [[gnu::vector_size(16)]] = char;

// Whether one of the next bytes may be in a table; of so many, or of as many as fit.
bool may_have_one(const char* text, std::size_t size = sizeof(Bytes)) {
  Bytes bytes{};
  std::memcpy(&bytes, text, size);
  auto found = (bytes == '&') | (bytes == '<') | (bytes == '>') | (bytes == '"') | (bytes == '\'');
  std::uint64_t halves[2];
  std::memcpy(halves, &found, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

bool may_have_one(std::string_view value) {
  for (; value.size() > sizeof(Bytes); value.remove_prefix(sizeof(Bytes))) {
    if (may_have_one(value.data())) return true;
  }
  return may_have_one(value.data(), value.size());
}

void append(std::string& out, std::string_view value, const Table& table) {
  if (!may_have_one(value)) {
    out += value;
    return;
  }
  std::size_t clean = 0;
  for (std::size_t i = 0; i < value.size();) {
    auto end = std::min(i + sizeof(Bytes), value.size());
    if (end - i == sizeof(Bytes) && !may_have_one(value.data() + i)) i = end;
    for (; i < end; ++i) {
      const char* other = table[static_cast<unsigned char>(value[i])];
      if (!other) continue;
      out.append(value, clean, i - clean).append(other);
      clean = i + 1;
    }
  }
  out.append(value, clean);
}

bool equal_in_any_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

}  // namespace

// A colon before any slash, question mark or number sign ends a scheme.
bool may_be_followed(std::string_view url) {
  auto end = url.find_first_of(":/?#");
  if (end == url.npos || url[end] != ':') return true;
  auto scheme = url.substr(0, end);
  return equal_in_any_case(scheme, "http") || equal_in_any_case(scheme, "https");
}

void append_escaped(std::string& out, std::string_view value, Escape escape) {
  switch (escape) {
    case Escape::text:
      return append(out, value, in_text);
    case Escape::url:
      return append(out, may_be_followed(value) ? value : "#", in_text);
    case Escape::url_part:
      out += percent_encode(value);
      return;
    case Escape::json:
      return append(out, value, in_json);
  }
}

}  // namespace quire::http
