#include "page_index/sql/database/tables.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace quire::sql {
namespace {

// Names in PostgreSQL have at most 63 characters. "quire_pages_" and the name of the table take
// some of them.
constexpr std::size_t max_characters = 34;

// Keeps small letters and digits, writes a capital as "_" and its small letter, and any other byte
// as "_2" and two hex digits. Characters that are frequent in names of tables have shorter forms.
std::string encoded(std::string_view name) {
  std::string out;
  for (char c : name) {
    bool small = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (small) {
      out += c;
    } else if (c >= 'A' && c <= 'Z') {
      out.append("_").push_back(static_cast<char>(c - 'A' + 'a'));
    } else if (c == '_') {
      out += "__";
    } else if (c == '-') {
      out += "_0";
    } else if (c == '.') {
      out += "_1";
    } else {
      out += fmt::format("_2{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace

Tables tables_of(std::string_view name) {
  std::string text = encoded(name);
  // Only hashed names begin with "_3".
  if (text.size() > max_characters) text = "_3" + sha256_hex(name).substr(0, max_characters - 2);
  return {std::string(name), "quire_pages_" + text};
}

std::string literal(std::string_view bytes) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string out = "X'";
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out += "'";
}

}  // namespace quire::sql
