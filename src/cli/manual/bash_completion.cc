#include "cli/manual/described.h"

#include <fmt/core.h>

#include <set>

namespace quire::cli {
namespace {

// What the script knows, as text of bash.
struct Learned {
  std::string commands;               // of each command, by its full name
  std::string options;                // likewise
  std::set<std::string> with_values;  // options, of whichever command
};

void learn(const CLI::App& command, Learned& known) {
  std::string commands;
  std::string options = "--help";
  for (const CLI::App* each : commands_of(command)) {
    commands += (commands.empty() ? "" : " ") + each->get_name();
    learn(*each, known);
  }
  for (const auto& option : options_of(command)) {
    if (option.argument) continue;
    options += " " + option.name;
    if (!option.value.empty()) known.with_values.insert(option.name);
  }
  known.commands += fmt::format("    ['{}']='{}'\n", full_name(command), commands);
  known.options += fmt::format("    ['{}']='{}'\n", full_name(command), options);
}

// A value, which is a file unless the caller knows better, has its option before it; bash takes
// "=" for a word of its own.
constexpr const char* script = R"(# Completes quire's commands and options. Made from its --help.
_quire() {{
  local -A commands=(
{commands}  )
  local -A options=(
{options}  )
  local with_values='{values} '
  local command={program} at word=${{COMP_WORDS[COMP_CWORD]}}
  for ((at = 1; at < COMP_CWORD; ++at)); do
    local before=${{COMP_WORDS[at]}}
    if [[ $with_values == *" $before "* ]]; then
      ((++at))
      if [[ ${{COMP_WORDS[at]}} == '=' ]]; then ((++at)); fi
    elif [[ -v commands["$command $before"] ]]; then
      command+=" $before"
    fi
  done
  COMPREPLY=()
  if ((at > COMP_CWORD)); then return; fi
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "${{options[$command]}} ${{options[{program}]}}" -- "$word"))
  else
    COMPREPLY=($(compgen -W "${{commands[$command]}}" -- "$word"))
  fi
}}
complete -o bashdefault -o default -F _quire quire
)";

}  // namespace

std::string bash_completion(const CLI::App& program) {
  Learned known;
  learn(program, known);
  std::string values;
  for (const auto& option : known.with_values) values += " " + option;
  return fmt::format(script, fmt::arg("commands", known.commands),
                     fmt::arg("options", known.options), fmt::arg("values", values),
                     fmt::arg("program", program.get_name()));
}

}  // namespace quire::cli
