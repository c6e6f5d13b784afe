#include "toml/toml_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quire {

std::optional<toml::table> TomlReader::parse(std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& wrong) {
    refuse(wrong.source().begin.line, fmt::format("{}.", wrong.description()));
    return {};
  }
}

void TomlReader::refuse(const toml::node& at, std::string_view sentence) {
  refuse(at.source().begin.line, sentence);
}

void TomlReader::refuse(std::uint32_t line, std::string_view sentence) {
  faults_.emplace_back(line, fmt::format("{}:{}: {}", name_, line, sentence));
}

void TomlReader::refuse(std::string_view sentence) {
  faults_.emplace_back(UINT32_MAX, fmt::format("{}: {}", name_, sentence));
}

void TomlReader::expect(const toml::table& table, std::string_view where,
                        const std::set<std::string_view>& names) {
  for (const auto& [key, value] : table) {
    if (names.contains(key.str())) continue;
    refuse(key.source().begin.line, fmt::format("{} has no \"{}\". Take one of: {}.", where,
                                                key.str(), fmt::join(names, ", ")));
  }
}

const toml::table* TomlReader::table(const toml::table& in, std::string_view name,
                                     std::string_view form) {
  const auto* node = in.get(name);
  if (node && !node->is_table()) refuse(*node, fmt::format("{} is a table. Write {}.", name, form));
  return node ? node->as_table() : nullptr;
}

std::optional<std::string> TomlReader::text(const toml::table& in, std::string_view name) {
  const auto* node = in.get(name);
  if (!node) return {};
  auto value = node->value_exact<std::string>();
  if (value && !value->empty()) return value;
  refuse(*node, fmt::format("{} is a text that is not empty, in quotes.", name));
  return {};
}

bool TomlReader::flag(const toml::table& in, std::string_view name) {
  const auto* node = in.get(name);
  auto value = node ? node->value_exact<bool>() : false;
  if (!value) refuse(*node, std::string(name) + " is true or false.");
  return value.value_or(false);
}

std::vector<std::string> TomlReader::faults() const {
  auto sorted = faults_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (auto& [line, sentence] : sorted) out.push_back(std::move(sentence));
  return out;
}

}  // namespace quire
