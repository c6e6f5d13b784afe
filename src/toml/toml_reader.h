// Reads files of TOML. Tells every fault with its line: "shop.toml:3: …".
#pragma once

// The parser asserts some conditions of its input that it checks and reports afterwards.
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quire {

// Goes on after a fault, so that all of them are told at once. Not thread-safe.
class TomlReader {
 public:
  // `name`: of the file, for messages.
  explicit TomlReader(std::string name) : name_(std::move(name)) {}

  // Absent: `text` is no TOML, which is a fault.
  std::optional<toml::table> parse(std::string_view text);

  void refuse(const toml::node& at, std::string_view sentence);
  void refuse(std::uint32_t line, std::string_view sentence);
  // A fault of the file as a whole.
  void refuse(std::string_view sentence);

  // Refuses what is not in `names`, so that nothing misspelt is passed over.
  void expect(const toml::table& table, std::string_view where,
              const std::set<std::string_view>& names);
  // The table of this name. Null: it is not there, or no table; `form` shows how to write it.
  const toml::table* table(const toml::table& in, std::string_view name, std::string_view form);
  // Absent: it is not there, or no text, or an empty text.
  std::optional<std::string> text(const toml::table& in, std::string_view name);
  // False where it is not there.
  bool flag(const toml::table& in, std::string_view name);

  // By line; those of the file as a whole come last.
  std::vector<std::string> faults() const;

 private:
  std::string name_;
  std::vector<std::pair<std::uint32_t, std::string>> faults_;
};

}  // namespace quire
