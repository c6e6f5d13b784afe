// Parts of a mapping's file that several of its sections have. Faults go to the reader.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/file_mapping.h"
#include "toml/toml_reader.h"

namespace quire {

// What a field's words mean.
enum class FieldKind { text, prose, time, rating, status, flag, tags, pictures };

// A field: { column = "a", … }. `name`: of its section's member, and of the placeholder in its
// patterns. `more`: names that it has beside those of its kind.
MappedField field_in(TomlReader& reader, const toml::table& table, std::string_view name,
                     FieldKind kind, const std::set<std::string_view>& more = {});

// The field of this name. Absent: there is none.
std::optional<MappedField> optional_field(TomlReader& reader, const toml::table& section,
                                          std::string_view name, FieldKind kind,
                                          const std::set<std::string_view>& more = {});

// The conditions in the member `when`: a table, or several.
std::vector<MappedWhen> conditions_in(TomlReader& reader, const toml::table& section);

// A text, or a list of texts, that are not empty. Empty: it is not there, or is a fault.
std::vector<std::string> texts_in(TomlReader& reader, const toml::table& table,
                                  std::string_view name);

// The zone in the member `zone`. Absent: it is not there, or is a fault.
std::optional<Zone> zone_in(TomlReader& reader, const toml::table& table);

}  // namespace quire
