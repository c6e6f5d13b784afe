// The names of the tables of one page index. Indexes may share a database, so the names have a
// prefix.
#pragma once

#include <string>
#include <string_view>

namespace quire::sql {

struct Tables {
  std::string name;    // of the index, as the user gave it
  std::string prefix;  // has small letters, digits and "_" only, so SQL needs no quotes

  std::string comments() const { return prefix + "_comments"; }
  std::string counts() const { return prefix + "_counts"; }
  std::string blocks() const { return prefix + "_blocks"; }
  std::string marks() const { return prefix + "_marks"; }
  std::string state() const { return prefix + "_state"; }
};

// Different names have different prefixes, even where the database ignores case.
Tables tables_of(std::string_view name);

// The SQL literal of any bytes, in both dialects: X'2F00'. Text of callers gets into statements
// only in this form, so nothing needs escaping.
std::string literal(std::string_view bytes);

}  // namespace quire::sql
