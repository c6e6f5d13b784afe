#include "cli/terminal/terminal.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace quire::cli {

namespace {

constexpr std::string_view plain_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";

std::string quoted(const std::string& argument) {
  bool plain = argument.find_first_not_of(plain_characters) == argument.npos;
  if (plain && !argument.empty()) return argument;
  std::string out = "'";
  for (char c : argument) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

constexpr std::size_t columns = 80;
constexpr std::size_t max_name = 30;  // a longer name has a line of its own

struct Row {
  std::string name;
  std::string text;
};
using Rows = std::vector<Row>;

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

void append(std::string& out, const std::string& group, const Rows& rows, std::size_t column) {
  out += group + ":\n";
  for (const auto& [name, text] : rows) {
    out += "  " + name;
    auto end = 2 + width_of(name);
    if (end + 2 > column) {
      out += '\n';
      end = 0;
    }
    out.append(column - end, ' ');
    append_words(out, text, std::string(column, ' '));
  }
}

// "QUIRE_MAX_UNSENT" of "max-unsent".
std::string usual_variable(std::string_view name) {
  std::string out = "QUIRE_";
  for (char c : name) out += c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
  return out;
}

Row row_of(const CLI::Option& option) {
  Row row{option.get_name(option.get_positional(), true), option.get_description()};
  bool flag = option.get_type_size() == 0;
  if (!option.get_option_text().empty()) row.name += " " + option.get_option_text();
  if (!flag && !option.get_default_str().empty()) row.text += " [" + option.get_default_str() + "]";
  const auto& variable = option.get_envname();
  if (!variable.empty() && variable != usual_variable(option.get_lnames().front()))
    row.text += " (" + variable + ")";
  return row;
}

using Groups = std::vector<std::pair<std::string, Rows>>;

void add(Groups& groups, const std::string& name, Row row) {
  auto known = std::find_if(groups.begin(), groups.end(),
                            [&](const auto& group) { return group.first == name; });
  if (known == groups.end()) known = groups.insert(groups.end(), {name, {}});
  known->second.push_back(std::move(row));
}

Groups groups_of(const CLI::App& command) {
  Groups groups;
  for (const CLI::App* each : command.get_subcommands({}))
    add(groups, each->get_group(), {each->get_name(), each->get_description()});
  auto options = command.get_options();
  std::stable_partition(options.begin(), options.end(),
                        [](const CLI::Option* each) { return each->get_positional(); });
  for (const CLI::Option* option : options) {
    bool help = option == command.get_help_ptr() && command.get_parent();
    if (!help)
      add(groups, option->get_positional() ? "Arguments" : option->get_group(), row_of(*option));
  }
  return groups;
}

std::string usage_of(const CLI::App& command, const std::string& name) {
  std::string out = "Usage: " + name + " [OPTIONS]";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    bool several = option->get_expected_max() > 1;
    out += " " + option->get_name(true, false) + (several ? "..." : "");
  }
  bool commands = !command.get_subcommands({}).empty();
  return out + (commands ? " COMMAND" : "") + "\n";
}

}  // namespace

void append_words(std::string& out, std::string_view text, std::string_view begin) {
  std::size_t used = begin.size();
  while (!text.empty()) {
    auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    bool first = used == begin.size();
    if (!first && used + 1 + width_of(word) > columns) {
      out.append("\n").append(begin);
      used = begin.size();
    } else if (!first) {
      out += ' ';
      ++used;
    }
    out += word;
    used += width_of(word);
  }
  out += '\n';
}

std::string quoted(const std::vector<std::string>& arguments) {
  std::string out;
  for (const auto& each : arguments) out += (out.empty() ? "" : " ") + quoted(each);
  return out;
}

std::vector<std::string> with_options(const std::vector<std::string>& arguments,
                                      const std::vector<std::string_view>& dropped,
                                      const std::vector<std::string>& added) {
  auto is_dropped = [&](std::string_view name) {
    return std::find(dropped.begin(), dropped.end(), name) != dropped.end();
  };
  std::vector<std::string> out;
  auto end = std::find(arguments.begin(), arguments.end(), "--");  // behind it are no options
  for (auto each = arguments.begin(); each != end; ++each) {
    std::string_view text = *each;
    if (is_dropped(text)) {
      if (each + 1 != end) ++each;
    } else if (!is_dropped(text.substr(0, text.find('=')))) {
      out.push_back(*each);
    }
  }
  out.insert(out.end(), added.begin(), added.end());
  out.insert(out.end(), end, arguments.end());
  return out;
}

std::string help_of(const CLI::App& command, const std::string& name) {
  auto groups = groups_of(command);
  std::size_t column = 0;
  for (const auto& [group, rows] : groups) {
    for (const auto& row : rows) {
      if (auto width = width_of(row.name); width <= max_name) column = std::max(column, width + 4);
    }
  }
  std::string out = usage_of(command, name);
  append_words(out, command.get_description());
  for (const auto& [group, rows] : groups) append(out, group, rows, column);
  out += "\n";
  if (command.get_parent())
    out += "For every command --store, --pages, --json and --config: see quire --help.\n";
  if (!command.get_footer().empty()) out += command.get_footer() + "\n";
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto rest = text.substr(i);
    auto byte = [&](std::size_t at) {
      return at < rest.size() ? static_cast<unsigned char>(rest[at]) : 0u;
    };
    bool c1 = byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) < 0xA0;
    bool turns = byte(0) == 0xE2 && ((byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE) ||
                                     (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9));
    bool control = byte(0) < 0x20 || byte(0) == 0x7F;
    out += c1 || turns || control ? ' ' : text[i];
    i += turns ? 2 : c1 ? 1 : 0;
  }
  return out;
}

namespace {

// ", 3 min left". Empty: it is not known yet.
std::string time_left(double seconds, double part) {
  if (part < 0.01 || part >= 1) return {};
  auto left = seconds * (1 - part) / part;
  return left < 100 ? fmt::format(", {:.0f} s left", left)
                    : fmt::format(", {:.0f} min left", left / 60);
}

}  // namespace

Progress::Progress(std::string what)
    : what_(std::move(what)),
      terminal_(isatty(STDERR_FILENO) == 1),
      begun_(std::chrono::steady_clock::now()),
      next_(begun_ + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::show(double part, std::uint64_t count) {
  if (!terminal_) return;
  auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  constexpr std::size_t width = 30;
  auto filled = static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * width);
  double seconds = std::chrono::duration<double>(now - begun_).count();
  fmt::print(stderr, "\r{} [{}{}] {:3.0f} % {} ({:.0f}/s{})\x1b[K", what_, std::string(filled, '='),
             std::string(width - filled, ' '), std::clamp(part, 0.0, 1.0) * 100, count,
             static_cast<double>(count) / seconds, time_left(seconds, part));
  std::fflush(stderr);
}

}  // namespace quire::cli
