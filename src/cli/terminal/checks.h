// Checks of arguments, and the name that a misspelt one may mean.
#pragma once

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace quire::cli {

// Replaces a name by the number of its value, as CLI11 reads enumerations. `values` must outlive
// it.
template <class Value>
CLI::Validator one_of(const std::map<std::string, Value>& values) {
  return {[&values](std::string& text) -> std::string {
            auto found = values.find(text);
            if (found == values.end()) {
              std::vector<std::string> names;
              for (const auto& [name, value] : values) names.push_back(name);
              return fmt::format("takes {}, not \"{}\"", fmt::join(names, ", "), text);
            }
            text = std::to_string(static_cast<std::underlying_type_t<Value>>(found->second));
            return {};
          },
          ""};
}

// The name that takes the fewest letters added, left out, changed or swapped, or that begins with
// `typed`. Empty: no name is near.
std::string closest(std::string_view typed, const std::vector<std::string>& names);

// The command as far as it was understood: "quire table create".
std::string name_of(const CLI::App& app);

// Why the arguments or the file were refused, as sentences. `app` has parsed them.
std::string reason(const CLI::App& app, const CLI::ParseError& wrong);

// Refuses an empty value, such as a variable of the shell that is not set: without the value, a
// command does more than its user wants.
inline const CLI::Validator not_empty(
    [](std::string& text) { return text.empty() ? std::string("is empty") : std::string(); }, "");

}  // namespace quire::cli
