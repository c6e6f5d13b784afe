#include "mapping/presets/fitting_preset.h"

#include <optional>
#include <set>
#include <string>

#include "mapping/file_mapping.h"

namespace quire {
namespace {

using Names = std::set<std::string, std::less<>>;

bool is_there(const Names& names, const MappedField& field) {
  return std::any_of(field.columns.begin(), field.columns.end(),
                     [&](const auto& column) { return names.contains(column); });
}

// How many fields of the mapping the file has. 0: it lacks one that says whose file it is.
std::size_t fields_there(const FileMapping& mapping, const Names& names, std::size_t& all) {
  std::size_t found = 0;
  bool certain = is_there(names, mapping.rating);
  auto count = [&](const std::optional<MappedField>& field, bool needed) {
    if (!field) return;
    bool there = is_there(names, *field);
    ++all;
    found += there;
    certain &= there || !needed;
  };
  for (const auto* field : {&mapping.product, &mapping.text, &mapping.author}) count(*field, true);
  for (const auto* field : {&mapping.id, &mapping.language, &mapping.title, &mapping.status,
                            &mapping.pictures, &mapping.reply.text, &mapping.reply.created_at})
    count(*field, false);
  for (const auto& attribute : mapping.attributes) count(attribute.field, false);
  all += 2;  // rating and time
  found += 1 + is_there(names, mapping.created_at);
  return certain && 3 * found >= 2 * all ? found : 0;
}

}  // namespace

const Preset* fitting_preset(const std::vector<FileColumn>& columns) {
  Names names;
  for (const auto& column : columns) {
    names.insert(column.column.name);
    names.insert(column.list);
  }
  const Preset* best = nullptr;
  std::size_t most = 0;
  for (const auto& preset : presets()) {
    auto mapping = parse_file_mapping(preset.text, preset.name);
    if (!mapping) continue;  // a test says that there is none
    std::size_t all = 0;
    auto found = fields_there(*mapping, names, all);
    if (found <= most) continue;
    best = &preset;
    most = found;
  }
  return best;
}

}  // namespace quire
