// Takes options from arguments, environment and file, in this order of weight, and runs the
// command.
#include <fmt/core.h>
#include <unistd.h>

// The parser asserts some conditions of its input that it checks and reports afterwards.
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/terminal/checks.h"
#include "cli/terminal/log.h"
#include "cli/terminal/terminal.h"

namespace quire::cli {
namespace {

constexpr std::size_t max_config_bytes = 1 << 20;

// In CLI11 a file outweighs the environment. So the environment's options become arguments before
// those of the caller: the last of two counts, and a file only sets options that no argument has.
void add_environment(const CLI::App& app, std::vector<std::string>& arguments) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string& name = option->get_envname();
    const char* value = name.empty() ? nullptr : std::getenv(name.c_str());
    if (value && *value)
      arguments.push_back(fmt::format("--{}={}", option->get_lnames().front(), value));
  }
}

// The option that an argument names, of the command or of those that it belongs to.
const CLI::Option* option_in(const std::string& argument, const CLI::App* command) {
  auto name = argument.substr(0, argument.find('='));
  for (; name.starts_with('-') && command; command = command->get_parent())
    if (const auto* found = command->get_option_no_throw(name)) return found;
  return nullptr;
}

std::vector<std::string> arguments_of(const CLI::App& app, const std::vector<std::string>& typed) {
  std::vector<std::string> arguments;
  add_environment(app, arguments);
  const CLI::App* named = &app;
  for (std::size_t i = 1; i < typed.size(); ++i) {
    arguments.emplace_back(typed[i]);
    const auto* option = option_in(typed[i], named);
    bool takes =
        option && option->get_items_expected_min() > 0 && typed[i].find('=') == typed[i].npos;
    if (takes && i + 1 < typed.size()) {
      // Else a forgotten value makes a value of the option that follows.
      if (option_in(typed[i + 1], named)) throw CLI::ArgumentMismatch(typed[i] + ": no value");
      arguments.emplace_back(typed[++i]);
      continue;
    }
    auto commands = named->get_subcommands(
        [&](const CLI::App* command) { return command->check_name(typed[i]); });
    if (commands.empty()) continue;
    named = commands.front();
    add_environment(*named, arguments);
  }
  return arguments;
}

// The service's options. A command that names neither a store nor a file is about the service's
// store, where there is one. A file that this user may not read is named, and refused later.
constexpr const char* service_file = "/etc/quire/quire.toml";

bool service_is_meant(const std::vector<std::string>& arguments) {
  for (std::string_view each : arguments) {
    auto name = each.substr(0, each.find('='));
    for (auto other : {"--store", "--config", "--version", "--help", "-h"})
      if (name == other) return false;
  }
  return access(service_file, F_OK) == 0 || errno == EACCES;
}

// An option that is given twice has its last value.
void take_last(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (!option->get_envname().empty()) option->take_last();
  }
  for (CLI::App* command : app.get_subcommands({})) take_last(*command);
}

// An error of a line, as reason() tells it behind the name of the file.
CLI::ConfigError at_line(toml::source_index line, std::string_view sentence) {
  return CLI::ConfigError(fmt::format(":{}: {}", line, sentence));
}

std::string text_of(const toml::node& value) {
  if (const auto* text = value.as_string()) return **text;
  if (const auto* number = value.as_integer()) return std::to_string(**number);
  if (const auto* number = value.as_floating_point()) return fmt::format("{}", **number);
  if (const auto* flag = value.as_boolean()) return **flag ? "true" : "false";
  throw at_line(value.source().begin.line, "An option is a text, a number, true or false");
}

// Adds what a section sets, and what the sections in it set.
void add_items(const toml::table& section, const std::vector<std::string>& names,
               std::vector<CLI::ConfigItem>& items) {
  for (const auto& [key, value] : section) {
    if (value.is_table()) continue;
    CLI::ConfigItem item{names, std::string(key.str()), {}};
    if (const auto* list = value.as_array()) {
      for (const auto& each : *list) item.inputs.push_back(text_of(each));
    } else {
      item.inputs.push_back(text_of(value));
    }
    items.push_back(std::move(item));
  }
  for (const auto& [key, value] : section) {
    if (!value.is_table()) continue;
    auto inner = names;
    inner.emplace_back(key.str());
    items.push_back({inner, "++", {}});
    add_items(*value.as_table(), inner, items);
    items.push_back({inner, "--", {}});
  }
}

// CLI11's own reader knows a part of TOML, and takes the rest for values. CLI11 reads beyond the
// values of an option that has none, and takes the last of several where an option has one.
class OptionsFile : public CLI::ConfigTOML {
 public:
  explicit OptionsFile(const CLI::App& app) : app_(app) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& file) const override {
    std::vector<CLI::ConfigItem> items;
    try {
      add_items(toml::parse(file), {}, items);
    } catch (const toml::parse_error& wrong) {
      throw at_line(wrong.source().begin.line, wrong.description());
    }
    for (const auto& item : items) {
      bool section = item.name == "++" || item.name == "--";  // its begin or end
      if (item.inputs.empty() && !section)
        throw CLI::ConfigError(item.fullname() + " = [] names no value: leave the line out");
      if (item.inputs.size() > 1 && takes_one(item))
        throw CLI::ConfigError(item.fullname() +
                               " takes one value: write a list as one text, with commas between");
    }
    return items;
  }

 private:
  bool takes_one(const CLI::ConfigItem& item) const {
    const CLI::App* command = &app_;
    for (const auto& parent : item.parents) {
      auto found =
          command->get_subcommands([&](const CLI::App* each) { return each->check_name(parent); });
      if (found.empty()) return false;
      command = found.front();
    }
    const auto* option = command->get_option_no_throw("--" + item.name);
    return option && option->get_items_expected_max() == 1;
  }

  const CLI::App& app_;
};

// CLI11 would wait for the writer of a pipe. Returns why the file cannot be read; empty: it can.
std::string cannot_read(const std::string& file) {
  auto text = read_whole("the configuration file", file, max_config_bytes);
  return text ? std::string() : text.error().message;
}

void add_shared_options(CLI::App& app, Common& common) {
  constexpr const char* group = "Options of every command";
  app.option_defaults()->group(group);
  app.set_help_flag("-h,--help", "of quire, or of the command before it");
  app.add_option("--store", common.store,
                 "where comments are: lmdb:DIR or dynamodb:TABLE?region=R&endpoint=URL")
      ->envname("QUIRE_STORE")
      ->capture_default_str()
      ->option_text("STORE");
  app.add_option("--pages", common.pages,
                 "page index: store (with lmdb:), none, lmdb:DIR, sqlite:FILE, "
                 "redis://HOST:PORT/DB, rediss://, mysql://, postgresql://")
      ->envname("QUIRE_PAGES")
      ->option_text("INDEX");
  app.add_flag("--json", common.json, "print the HTTP interface's JSON");
  app.set_config("--config", "", "TOML file with options; without --store: /etc/quire/quire.toml")
      ->envname("QUIRE_CONFIG")
      ->check(CLI::Validator(cannot_read, ""))
      ->option_text("FILE");
  app.config_formatter(std::make_shared<OptionsFile>(app));
  app.set_version_flag("--version", "quire " QUIRE_VERSION, "print the version");
  app.option_defaults()->group("Options");
}

void parse(CLI::App& app, const std::vector<std::string>& typed) {
  auto arguments = arguments_of(app, typed);
  if (service_is_meant(arguments))
    arguments.insert(arguments.begin(), fmt::format("--config={}", service_file));
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes the last first
  app.parse(std::move(arguments));
}

int refuse(const CLI::App& app, const CLI::ParseError& wrong) {
  standard_error().write(
      printable(fmt::format("quire: {} For help: {} --help", reason(app, wrong), name_of(app))) +
      "\n");
  return wrong_usage;
}

// A script must not take output that is cut short for all of it.
int ended(int status) {
  bool written = std::fflush(stdout) == 0 && !std::ferror(stdout);
  if (written || status != done) return status;
  return fail({ErrorCode::unavailable,
               "Standard output does not take all that the command printed. What the command was "
               "to do is done."});
}

}  // namespace

std::vector<Command> add_commands(CLI::App& app, Common& common) {
  app.name("quire");
  app.description("Pages, filters and counts product comments, at any size.");
  app.fallthrough();
  app.require_subcommand(1);
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.formatter_fn([](const CLI::App* command, const std::string& name, CLI::AppFormatMode) {
    return help_of(*command, name);
  });
  add_shared_options(app, common);
  app.footer(
      "An option may also come from the environment (--store: QUIRE_STORE) or from the\n"
      "file; a flag outweighs both. Example: quire page product-1 --rating 5");
  std::vector<Command> commands;
  auto add = [&](const char* group, std::initializer_list<AddCommand*> adds) {
    for (auto each : adds) {
      commands.push_back(each(app, common));
      commands.back().app->fallthrough()->group(group);
    }
  };
  add("Serve", {add_serve, add_shop, add_token, add_webhook});
  add("Read", {add_page, add_explain, add_get, add_statistics, add_leaderboard, add_export});
  add("Write", {add_post, add_delete, add_product, add_import, add_generate, add_facet, add_words});
  add("Moderate", {add_queue, add_publish, add_reject, add_note, add_reply});
  add("Customers", {add_invite, add_customer});
  add("Keep a store", {add_verify, add_backup, add_compact});
  add("On DynamoDB", {add_table, add_project, add_backfill, add_lambda});
  take_last(app);
  return commands;
}

Result<Settings> read_settings(const std::vector<std::string>& typed) {
  Settings settings;
  settings.common.typed = typed;
  CLI::App app("", "quire");
  auto commands = add_commands(app, settings.common);
  try {
    parse(app, typed);
  } catch (const CLI::ParseError& wrong) {
    return Error{ErrorCode::invalid_parameter, reason(app, wrong)};
  }
  for (const CLI::App* each : {&app, app.get_subcommand("serve")}) {
    for (const CLI::Option* option : each->get_options()) {
      auto text = option->count() > 0 ? CLI::detail::join(option->results(), ",")
                                      : option->get_default_str();
      settings.texts.emplace(option->get_single_name(), std::move(text));
    }
  }
  return settings;
}

int run(int argc, char** argv) {
  CLI::App app;
  Common common;
  common.typed.assign(argv, argv + argc);
  auto commands = add_commands(app, common);
  try {
    parse(app, common.typed);
  } catch (const CLI::Success& asked) {
    return ended(app.exit(asked));
  } catch (const CLI::ParseError& wrong) {
    return refuse(app, wrong);
  }
  for (const auto& command : commands) {
    if (command.app->parsed()) return ended(command.run());
  }
  return wrong_usage;
}

}  // namespace quire::cli
