#include "cli/terminal/checks.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>

namespace quire::cli {
namespace {

using Names = std::vector<std::string>;

// The command as far as it was understood.
const CLI::App& command_of(const CLI::App& app) {
  auto named = app.get_subcommands();
  return named.empty() ? app : command_of(*named.back());
}

Names commands_below(const CLI::App& command) {
  Names names;
  for (const CLI::App* each : command.get_subcommands({})) names.push_back(each->get_name());
  return names;
}

Names options_of(const CLI::App& command) {
  Names names;
  for (const CLI::Option* option : command.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  return names;
}

// " Did you mean --rating?", or nothing.
std::string meant(std::string_view dashes, std::string_view typed, const Names& names) {
  auto name = closest(typed, names);
  return name.empty() ? "" : fmt::format(" Did you mean {}{}?", dashes, name);
}

std::string no_option(const CLI::App& app, std::string_view typed) {
  Names names;
  for (const CLI::App* each = &command_of(app); each; each = each->get_parent()) {
    auto own = options_of(*each);
    names.insert(names.end(), own.begin(), own.end());
  }
  auto name = typed.substr(0, typed.find('='));
  auto letters = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  return fmt::format("{} has no option {}.{}", name_of(app), name, meant("--", letters, names));
}

// Arguments that no command takes.
std::string not_taken(const CLI::App& app, const Names& rest) {
  auto is_option = [](const std::string& text) { return text.size() > 1 && text[0] == '-'; };
  auto commands = commands_below(command_of(app));
  if (!commands.empty() && !is_option(rest.front())) {
    return fmt::format("{} has no command \"{}\".{}", name_of(app), rest.front(),
                       meant("", rest.front(), commands));
  }
  auto option = std::find_if(rest.begin(), rest.end(), is_option);
  if (option != rest.end()) return no_option(app, *option);
  return fmt::format("{} does not take \"{}\".", name_of(app), fmt::join(rest, " "));
}

std::string unreadable(const std::string& file) {
  std::error_code ignored;
  bool folder = std::filesystem::is_directory(file, ignored);
  int code = folder ? EISDIR : access(file.c_str(), R_OK) == 0 ? 0 : errno;
  auto text = fmt::format("Cannot read the options in {}: {}.", file,
                          code == 0 ? "it is no file" : std::strerror(code));
  if (code == EACCES) text += " Run quire as a user that may, or name another store with --store.";
  return text;
}

// The command of a section, such as "table.create". Null: there is none.
const CLI::App* command_of(const CLI::App& app, std::string_view section) {
  if (section.empty()) return &app;
  auto name = section.substr(0, section.find('.'));
  auto named = app.get_subcommands([&](const CLI::App* each) { return each->get_name() == name; });
  if (named.empty()) return nullptr;
  return command_of(*named.front(), section.substr(std::min(name.size() + 1, section.size())));
}

bool has(const CLI::App& command, const std::string& option) {
  auto names = options_of(command);
  return std::find(names.begin(), names.end(), option) != names.end();
}

// A line of the file that sets nothing. `setting`: "serve.thread"; "serve.++" begins a section.
std::string no_setting(const CLI::App& app, const std::string& setting) {
  auto dot = setting.rfind('.');
  auto section = dot == setting.npos ? "" : setting.substr(0, dot);
  auto name = setting.substr(dot == setting.npos ? 0 : dot + 1);
  const auto* command = command_of(app, section);
  if (name == "++" || !command) {
    return fmt::format("There is no section [{}].{}", section,
                       meant("", section, commands_below(app)));
  }
  if (command != &app && has(app, name))
    return fmt::format("{} is an option of every command. Write it above the sections.", name);
  auto others = app.get_subcommands([&](const CLI::App* each) { return has(*each, name); });
  if (!others.empty())
    return fmt::format("{0} is an option of quire {1}. Write it below [{1}].", name,
                       others.front()->get_name());
  return fmt::format("There is no option {}.{}", setting, meant("", name, options_of(*command)));
}

// Damerau's distance, of which each pair of letters is swapped once at most.
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> earlier, before(to.size() + 1), now(to.size() + 1);
  std::iota(before.begin(), before.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    now[0] = i + 1;
    for (std::size_t j = 0; j < to.size(); ++j) {
      now[j + 1] = std::min({before[j] + (from[i] != to[j]), before[j + 1] + 1, now[j] + 1});
      bool swapped = i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j];
      if (swapped) now[j + 1] = std::min(now[j + 1], earlier[j - 1] + 1);
    }
    earlier = std::exchange(before, now);
  }
  return before.back();
}

}  // namespace

std::string name_of(const CLI::App& app) {
  auto named = app.get_subcommands();
  return named.empty() ? app.get_name() : app.get_name() + " " + name_of(*named.back());
}

std::string reason(const CLI::App& app, const CLI::ParseError& wrong) {
  constexpr std::string_view unparsed = "INI was not able to parse ",
                             unread = "Could not convert: ";
  std::string what = wrong.what();
  std::string kind = wrong.get_name();
  auto colon = what.find(": ");
  // Its name is that of the command.
  if (dynamic_cast<const CLI::ExtrasError*>(&wrong)) return not_taken(app, app.remaining(true));
  if (kind == "RequiredError" && what.starts_with("A subcommand")) {
    auto rest = app.remaining(true);
    return rest.empty() ? "Name a command." : not_taken(app, rest);
  }
  // A misspelt option is missing under its name.
  if (kind == "RequiredError" && !app.remaining(true).empty())
    return not_taken(app, app.remaining(true));
  if (kind == "ArgumentMismatch" && colon != what.npos)
    return what.substr(0, colon) + " needs a value.";
  if (kind == "ConversionError" && what.starts_with(unread)) {
    auto equals = what.find(" = ");
    return fmt::format("{} does not take \"{}\".",
                       what.substr(unread.size(), equals - unread.size()), what.substr(equals + 3));
  }
  if (kind == "ValidationError" && what.starts_with("--config: ")) {
    const auto& given = app["--config"]->results();
    const std::string file = given.empty() ? "" : given.back();
    std::error_code ignored;
    bool plain = access(file.c_str(), R_OK) == 0 && !std::filesystem::is_directory(file, ignored);
    return plain ? what.substr(10) : unreadable(file);
  }
  if (kind == "FileError") return unreadable(app["--config"]->as<std::string>());
  if (kind == "ConfigError" && what.starts_with(':'))  // a line
    return app["--config"]->as<std::string>() + what + ".";
  if (kind == "ConfigError") {
    return fmt::format(
        "{}: {}", app["--config"]->as<std::string>(),
        what.starts_with(unparsed) ? no_setting(app, what.substr(unparsed.size())) : what + ".");
  }
  return what + (what.ends_with('.') ? "" : ".");
}

std::string closest(std::string_view typed, const std::vector<std::string>& names) {
  constexpr std::size_t max_size = 64;  // of a name; longer ones are none
  std::size_t fewest = (std::min(typed.size(), max_size) + 1) / 3 + 1;
  std::string found;
  if (typed.size() < 2 || typed.size() > max_size) return found;
  for (const auto& name : names) {
    auto edits = name.starts_with(typed) ? 1 : edits_between(typed, name);
    if (edits >= fewest) continue;
    fewest = edits;
    found = name;
  }
  return found;
}

}  // namespace quire::cli
