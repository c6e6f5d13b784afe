// Parts of a mapping's file that several of its sections have. Faults go to the reader.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/comment_mapping.h"
#include "toml/toml_reader.h"

namespace quire {

// What a field's words mean.
enum class FieldKind { text, prose, time, rating, status, flag, tags, pictures };

// Reads the fields of one mapping. What it is given must outlive it.
class FieldReader {
 public:
  FieldReader(TomlReader& toml, const Dialect& dialect) : toml_(toml), dialect_(dialect) {}

  TomlReader& toml() { return toml_; }
  const Dialect& dialect() const { return dialect_; }

  // How to write a field: rating = { column = "NAME" }.
  std::string form_of(std::string_view name) const;
  // "a column", "an attribute".
  std::string a_column() const;

  // A field: { column = "a", … }. `name`: of its section's member, and of the placeholder in its
  // patterns. `more`: names that it has beside those of its kind.
  MappedField field(const toml::table& table, std::string_view name, FieldKind kind,
                    const std::set<std::string_view>& more = {});

  // The field of this name. Absent: there is none.
  std::optional<MappedField> optional_field(const toml::table& section, std::string_view name,
                                            FieldKind kind,
                                            const std::set<std::string_view>& more = {});

  // The conditions in the member `when`: a table, or several.
  std::vector<MappedWhen> conditions(const toml::table& section);

 private:
  std::set<std::string_view> names_of(FieldKind kind) const;
  void read_condition(const toml::node& node, std::vector<MappedWhen>& out);

  TomlReader& toml_;
  const Dialect& dialect_;
};

// A text, or a list of texts, that are not empty. Empty: it is not there, or is a fault.
std::vector<std::string> texts_in(TomlReader& reader, const toml::table& table,
                                  std::string_view name);

// The name of the file in the `table` of the field `product`. Absent: there is none, or it is a
// fault.
std::optional<std::string> product_table_in(TomlReader& reader, const toml::table& section);

// The zone in the member `zone`. Absent: it is not there, or is a fault.
std::optional<Zone> zone_in(TomlReader& reader, const toml::table& table);

}  // namespace quire
