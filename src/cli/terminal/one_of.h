// Takes one of some names.
#pragma once

#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <map>
#include <string>
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

}  // namespace quire::cli
