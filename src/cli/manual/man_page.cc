#include "cli/manual/described.h"

#include <fmt/core.h>

#include <cctype>
#include <string_view>

namespace quire::cli {
namespace {

constexpr std::string_view exit_status =
    ".SH EXIT STATUS\n"
    ".TP\n0\ndone\n"
    ".TP\n1\nfailed; standard error says why\n"
    ".TP\n2\nwrong usage, such as an unknown option\n"
    ".TP\n3\ndone, but with rejected rows, or differences were found\n";

// The text as it is, whatever characters it has.
std::string plain(std::string_view text) {
  std::string out;
  for (char c : text) {
    bool begins_line = out.empty() || out.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string synopsis_of(const CLI::App& command) {
  auto out = fmt::format(".B {}\n", plain(full_name(command)));
  if (!commands_of(command).empty()) return out + "\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n";
  out += "[\\fIOPTIONS\\fR]";
  for (const auto& option : options_of(command)) {
    if (option.argument)
      out += fmt::format(" \\fI{}\\fR{}", plain(upper(option.name)), option.several ? "..." : "");
  }
  return out + "\n";
}

std::string option_text(const DescribedOption& option) {
  auto out = option.argument ? fmt::format(".TP\n.I {}\n", plain(upper(option.name)))
                             : fmt::format(".TP\n\\fB{}\\fR", plain(option.name));
  if (!option.argument)
    out += option.value.empty() ? "\n" : fmt::format(" \\fI{}\\fR\n", plain(option.value));
  out += plain(option.text) + "\n";
  if (!option.initial.empty()) out += fmt::format(".br\nDefault: {}\n", plain(option.initial));
  if (!option.variable.empty()) out += fmt::format(".br\nEnvironment: {}\n", option.variable);
  return out;
}

std::string options_text(const CLI::App& command) {
  std::string out;
  for (const auto& option : options_of(command)) out += option_text(option);
  return out;
}

std::string examples_text(const CLI::App& command) {
  auto footer = command.get_footer();
  if (footer.empty()) return {};
  footer.erase(0, footer.find_first_not_of('\n'));
  return fmt::format(".PP\n.nf\n{}\n.fi\n", plain(footer));
}

// The commands below the program, which have pages of their own.
std::string list_text(const CLI::App& program) {
  std::string out = ".SH COMMANDS\nEach has a page of its own.\n";
  for (const CLI::App* command : commands_of(program)) {
    out += fmt::format(".TP\n.BR {} (1)\n{}\n", plain(full_name(*command, "-")),
                       plain(command->get_description()));
  }
  return out;
}

// The commands below a command, which have none.
std::string parts_text(const CLI::App& command) {
  std::string out;
  for (const CLI::App* each : commands_of(command)) {
    out += fmt::format(".SS {}\n{}\n{}", plain(full_name(*each)), plain(each->get_description()),
                       options_text(*each));
    out += examples_text(*each);
  }
  return out.empty() ? out : ".SH COMMANDS\n" + out;
}

}  // namespace

std::string man_page(const CLI::App& command) {
  auto name = full_name(command, "-");
  bool program = !command.get_parent();
  auto out = fmt::format(".TH {} 1 \"\" \"quire {}\" Quire\n", plain(upper(name)), QUIRE_VERSION);
  out += fmt::format(".SH NAME\n{} \\- {}\n", plain(name), plain(command.get_description()));
  out += ".SH SYNOPSIS\n" + synopsis_of(command);
  if (auto text = examples_text(command); !text.empty())
    out += (program ? ".SH DESCRIPTION\n" : ".SH EXAMPLES\n") + text;
  out += program ? list_text(command) : parts_text(command);
  if (auto options = options_text(command); !options.empty()) out += ".SH OPTIONS\n" + options;
  out += exit_status;
  if (program) {
    out +=
        ".SH FILES\n.TP\n.I /etc/quire/quire.toml\n"
        "options of the service, and of commands that name neither a store nor a file\n";
  } else {
    out += ".SH SEE ALSO\n.BR quire (1),\nwhich has the options of every command.\n";
  }
  return out;
}

}  // namespace quire::cli
