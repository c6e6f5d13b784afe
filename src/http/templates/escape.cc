#include "http/templates/escape.h"

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

// Copies the bytes. Returns whether none of them is in the table.
template <class Place>
bool copy_vector(char* to, const char* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  std::memcpy(to, &bytes, sizeof bytes);
  auto found = Place::found(bytes);
  std::uint64_t halves[2];
  std::memcpy(halves, &found, sizeof halves);
  return (halves[0] | halves[1]) == 0;
}

// The same for less than a vector: two numbers that overlap, at most twice as long as the text.
template <class Place, class Number>
bool copy_two(char* to, std::string_view value) {
  auto last = value.size() - sizeof(Number);
  std::array<char, sizeof(Bytes)> from{}, copied;
  std::memcpy(from.data(), value.data(), sizeof(Number));
  std::memcpy(from.data() + sizeof(Number), value.data() + last, sizeof(Number));
  std::memcpy(to, value.data(), sizeof(Number));
  std::memcpy(to + last, value.data() + last, sizeof(Number));
  return copy_vector<Place>(copied.data(), from.data());
}

template <class Place>
bool copy_few(char* to, std::string_view value) {
  if (value.size() >= 8) return copy_two<Place, std::uint64_t>(to, value);
  if (value.size() >= 4) return copy_two<Place, std::uint32_t>(to, value);
  if (value.size() >= 2) return copy_two<Place, std::uint16_t>(to, value);
  if (value.empty()) return true;
  *to = value[0];
  return !Place::table[static_cast<unsigned char>(value[0])];
}

// Copies the beginning of which no byte is in the table: all, or whole vectors. Returns its size.
// Behind it may be written as far as the value is long.
template <class Place>
std::size_t copy_clean(char* to, std::string_view value) {
  constexpr auto vector = sizeof(Bytes);
  if (value.size() < vector) return copy_few<Place>(to, value) ? value.size() : 0;
  std::size_t at = 0;
  for (; at + vector <= value.size(); at += vector)
    if (!copy_vector<Place>(to + at, value.data() + at)) return at;
  auto last = value.size() - vector;
  return copy_vector<Place>(to + last, value.data() + last) ? value.size() : at;
}

template <class Place>
void append(Output& out, std::string_view value) {
  for (;;) {
    auto clean = copy_clean<Place>(out.room(value.size()), value);
    out.wrote(clean);
    value.remove_prefix(clean);
    if (value.empty()) return;
    auto next = value.substr(0, sizeof(Bytes));
    for (const auto& each : next) {
      const char* other = Place::table[static_cast<unsigned char>(each)];
      out.append(other ? std::string_view(other) : std::string_view(&each, 1));
    }
    value.remove_prefix(next.size());
  }
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

void append_escaped(Output& out, std::string_view value, Escape escape) {
  switch (escape) {
    case Escape::text:
      return append<InText>(out, value);
    case Escape::url:
      return append<InText>(out, may_be_followed(value) ? value : "#");
    case Escape::url_part:
      return out.append(percent_encode(value));
    case Escape::json:
      return append<InJson>(out, value);
  }
}

}  // namespace quire::http
