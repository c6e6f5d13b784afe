// The tables of one page index. Several share a database, so their names begin with the index's.
#pragma once

#include <string>
#include <string_view>

namespace quire::sql {

struct Tables {
  std::string name;    // of the index, as its user gave it
  std::string prefix;  // of small letters, digits and "_": needs no quotes in SQL

  std::string comments() const { return prefix + "_comments"; }
  std::string counts() const { return prefix + "_counts"; }
  std::string marks() const { return prefix + "_marks"; }
  std::string state() const { return prefix + "_state"; }
};

// Different names, different prefixes, also where the database takes "A" and "a" for the same.
Tables tables_of(std::string_view name);

// Bytes, whatever they are, as SQL has them in both dialects: X'2F00'. No other text of a caller's
// gets into a statement, so there is nothing to escape.
std::string literal(std::string_view bytes);

}  // namespace quire::sql
