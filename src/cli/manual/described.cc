#include "cli/manual/described.h"

#include <algorithm>

namespace quire::cli {
namespace {

std::string value_of(const CLI::Option& option) {
  bool flag = option.get_items_expected_max() == 0;
  if (flag) return {};
  return option.get_option_text().empty() ? "VALUE" : option.get_option_text();
}

std::string name_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  return option.get_lnames().empty() ? "-" + option.get_snames().front()
                                     : "--" + option.get_lnames().front();
}

}  // namespace

std::vector<DescribedOption> options_of(const CLI::App& command) {
  std::vector<DescribedOption> found;
  for (const CLI::Option* option : command.get_options()) {
    if (option == command.get_help_ptr()) continue;
    auto value = value_of(*option);
    found.push_back({.name = name_of(*option),
                     .value = value,
                     .text = option->get_description(),
                     .initial = value.empty() ? std::string() : option->get_default_str(),
                     .variable = option->get_envname(),
                     .argument = option->get_positional(),
                     .several = option->get_expected_max() > 1});
  }
  std::stable_partition(found.begin(), found.end(), [](const auto& each) { return each.argument; });
  return found;
}

std::vector<const CLI::App*> commands_of(const CLI::App& command) {
  return command.get_subcommands({});
}

std::string full_name(const CLI::App& command, std::string_view separator) {
  if (!command.get_parent()) return command.get_name();
  return full_name(*command.get_parent(), separator).append(separator) + command.get_name();
}

}  // namespace quire::cli
