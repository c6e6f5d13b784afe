#include "http/templates/escape.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/text.h"

namespace quire::http {
namespace {

// What stands for a byte; null: the byte itself.
using Table = std::array<const char*, 256>;
using Bytes [[gnu::vector_size(16)]] = char;

struct InText {
  static constexpr Table table = [] {
    Table table{};
    table['&'] = "&amp;";
    table['<'] = "&lt;";
    table['>'] = "&gt;";
    table['"'] = "&quot;";
    table['\''] = "&#39;";
    return table;
  }();
  // Which of the bytes are in the table.
  static auto found(Bytes bytes) {
    return (bytes == '&') | (bytes == '<') | (bytes == '>') | (bytes == '"') | (bytes == '\'');
  }
};

// JSON is full of quotes, which are no reason to look at its single bytes.
struct InJson {
  static constexpr Table table = [] {
    Table table{};
    table['&'] = "\\u0026";
    table['<'] = "\\u003c";
    table['>'] = "\\u003e";
    return table;
  }();
  static auto found(Bytes bytes) { return (bytes == '&') | (bytes == '<') | (bytes == '>'); }
};

// Whether one of the next bytes is in the table; of so many, or of as many as fit.
template <class Place>
bool has_one(const char* text, std::size_t size = sizeof(Bytes)) {
  Bytes bytes{};
  std::memcpy(&bytes, text, size);
  auto found = Place::found(bytes);
  std::uint64_t halves[2];
  std::memcpy(halves, &found, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

template <class Place>
bool has_one(std::string_view value) {
  for (; value.size() > sizeof(Bytes); value.remove_prefix(sizeof(Bytes))) {
    if (has_one<Place>(value.data())) return true;
  }
  return has_one<Place>(value.data(), value.size());
}

template <class Place>
void append(std::string& out, std::string_view value) {
  if (!has_one<Place>(value)) {
    out += value;
    return;
  }
  std::size_t clean = 0;
  for (std::size_t i = 0; i < value.size();) {
    auto end = std::min(i + sizeof(Bytes), value.size());
    if (end - i == sizeof(Bytes) && !has_one<Place>(value.data() + i)) i = end;
    for (; i < end; ++i) {
      const char* other = Place::table[static_cast<unsigned char>(value[i])];
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
      return append<InText>(out, value);
    case Escape::url:
      return append<InText>(out, may_be_followed(value) ? value : "#");
    case Escape::url_part:
      return append_percent_encoded(out, value);
    case Escape::json:
      return append<InJson>(out, value);
  }
}

}  // namespace quire::http
