#include "cli/manual/described.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "cli/terminal/terminal.h"

namespace quire::cli {
namespace {

constexpr std::string_view head =
    "# The options of the service quire.\n"
    "#\n"
    "# A line without # sets an option. The others show its default or, in capitals, what its\n"
    "# value is. The environment outweighs this file. After a change: systemctl restart quire;\n"
    "# for limits alone: systemctl reload quire\n";

// The package makes these, with the rights that the server needs.
const std::map<std::string, std::string, std::less<>> of_package = {
    {"--store", "lmdb:/var/lib/quire/store"}, {"--tokens", "/etc/quire/tokens"}};

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == text.npos &&
         std::count(text.begin(), text.end(), '.') <= 1;
}

std::string setting(const DescribedOption& option) {
  auto name = std::string_view(option.name).substr(2);
  if (option.value.empty()) return fmt::format("#{} = false\n", name);
  auto own = of_package.find(option.name);
  if (own != of_package.end()) return fmt::format("{} = \"{}\"\n", name, own->second);
  auto value = option.initial.empty() ? option.value : option.initial;
  return is_number(value) ? fmt::format("#{} = {}\n", name, value)
                          : fmt::format("#{} = \"{}\"\n", name, value);
}

std::string settings(const CLI::App& command) {
  std::string out;
  for (const auto& option : options_of(command)) {
    bool lasting = !option.variable.empty() && option.name != "--config";
    if (!lasting) continue;
    out += "\n# ";
    append_words(out, option.text, "# ");
    out += setting(option);
  }
  return out;
}

}  // namespace

std::string configuration_file(const CLI::App& program) {
  std::string out(head);
  out += settings(program) + "\n[serve]\n";
  for (const CLI::App* command : commands_of(program)) {
    if (command->get_name() == "serve") out += settings(*command);
  }
  return out;
}

}  // namespace quire::cli
