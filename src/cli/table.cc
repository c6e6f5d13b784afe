// quire table create, describe, export, map; parts are in cli/parts.h
#include "app/table.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <boost/json.hpp>
#include <map>
#include <memory>

#include "cli/commands.h"
#include "cli/parts.h"
#include "cli/terminal/one_of.h"
#include "cli/terminal/terminal.h"

namespace quire::cli {
namespace {

namespace json = boost::json;
using dynamodb::IndexDescription;
using dynamodb::TableOptions;
using dynamodb::TableStatus;

const std::map<std::string, TableFormat> formats = {
    {"nosql-workbench", TableFormat::nosql_workbench},
    {"cloudformation", TableFormat::cloudformation}};

std::vector<std::string> names(const IndexDescription& index) {
  std::vector<std::string> out;
  for (const auto& key : index.keys) out.push_back(key.name);
  return out;
}

json::object index_json(const IndexDescription& index) {
  return {{"name", index.name},
          {"status", index.status},
          {"keys", json::value_from(names(index))},
          {"projection", index.projection},
          {"projected", json::value_from(index.projected)},
          {"items", index.items},
          {"bytes", index.bytes}};
}

json::object status_json(const TableStatus& status) {
  const auto& table = status.table;
  json::array indexes;
  for (const auto& index : table.indexes) indexes.push_back(index_json(index));
  return {{"table", status.name},
          {"created", status.created},
          {"status", table.status},
          {"items", table.items},
          {"bytes", table.bytes},
          {"billing", table.on_demand ? "on_demand" : "provisioned"},
          {"read_units", table.read_units},
          {"write_units", table.write_units},
          {"stream", table.stream},
          {"stream_view", table.stream_view},
          {"expiry", json::value_from(table.expiry)},
          {"indexes", std::move(indexes)},
          {"differences", json::value_from(differences(table))},
          {"notes", json::value_from(status.notes)}};
}

void print_line(const char* what, std::string_view text) {
  fmt::print("{:<16} {}\n", what, printable(text));
}

void print_description(const TableStatus& status) {
  const auto& table = status.table;
  print_line("table", status.name);
  print_line("status", table.status);
  print_line("items", fmt::format("{}, as last counted", table.items));
  print_line("bytes", fmt::to_string(table.bytes));
  print_line("units", table.on_demand
                          ? "on demand"
                          : fmt::format("{} read, {} write", table.read_units, table.write_units));
  print_line("stream", table.stream.empty() ? "none" : table.stream);
  print_line("items expire by", !table.expiry           ? "not known"
                                : table.expiry->empty() ? "nothing"
                                                        : *table.expiry);
  for (const auto& index : table.indexes) {
    print_line("index",
               fmt::format("{}: {}, {} items, {} bytes, keys {}, {} {}", index.name, index.status,
                           index.items, index.bytes, fmt::join(names(index), " "), index.projection,
                           fmt::join(index.projected, " ")));
  }
}

// Differences are the result and go to standard output, notes to standard error.
int print_differences(const TableStatus& status) {
  auto found = differences(status.table);
  for (const auto& difference : found) fmt::print("{}\n", printable(difference));
  for (const auto& note : status.notes) fmt::print(stderr, "{}\n", printable(note));
  return found.empty() ? done : with_differences;
}

int print_json(const TableStatus& status) {
  fmt::print("{}\n", json::serialize(status_json(status)));
  return differences(status.table).empty() ? done : with_differences;
}

int create(const Common& common, const TableOptions& options) {
  auto status = quire::create_table(common.store, options);
  if (!status) return fail(status.error());
  if (common.json) return print_json(*status);
  fmt::print("The table {} {}.\n", status->name, status->created ? "is made" : "was there already");
  return print_differences(*status);
}

int describe(const Common& common) {
  auto status = quire::describe_table(common.store);
  if (!status) return fail(status.error());
  if (common.json) return print_json(*status);
  print_description(*status);
  return print_differences(*status);
}

int print_export(const Common& common, TableFormat format, const TableOptions& options) {
  auto text = export_table(common.store, format, options);
  if (!text) return fail(text.error());
  fmt::print("{}", *text);
  return done;
}

int print_mapping(const Common& common, const std::string& table) {
  auto text = map_table(table.empty() ? common.store : table);
  if (!text) return fail(text.error());
  fmt::print("{}", *text);
  return done;
}

void add_units(CLI::App& command, TableOptions& options) {
  auto add = [&](const char* name, std::uint64_t& units, const char* help, const char* variable) {
    return command.add_option(name, units, help)
        ->envname(variable)
        ->check(CLI::Range(1, 1'000'000))
        ->option_text("N");
  };
  auto* read =
      add("--read-units", options.read_units,
          "read units of the table and of each index; none: on demand", "QUIRE_READ_UNITS");
  auto* write =
      add("--write-units", options.write_units, "write units, likewise", "QUIRE_WRITE_UNITS");
  read->needs(write);
  write->needs(read);
}

}  // namespace

Command add_table(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("table", "make and describe a table, or map one that others made");
  command->require_subcommand(1);
  command->footer(
      "Example: quire table create --store \"dynamodb:comments?region=eu-west-1\"\n"
      "Credentials are found as AWS's own tools find them.");
  auto options = std::make_shared<TableOptions>();
  auto format = std::make_shared<TableFormat>();

  auto* make = command->add_subcommand(
      "create", "make the table with its indexes and stream, and wait until it is ready");
  add_units(*make, *options);
  make->footer("Example: quire table create --store \"dynamodb:comments?region=eu-west-1\"");

  auto* look = command->add_subcommand(
      "describe", "print what the table is like, and how it differs from what Quire needs");
  look->footer("Example: quire table describe --store \"dynamodb:comments?region=eu-west-1\"");

  auto* print = command->add_subcommand("export", "print the table for other tools");
  print->add_option("--format", *format, "nosql-workbench or cloudformation")
      ->required()
      ->transform(one_of(formats))
      ->option_text("FORMAT")
      ->envname("QUIRE_FORMAT");
  add_units(*print, *options);
  print->footer("Example: quire table export --format cloudformation --store dynamodb:comments");

  auto table = std::make_shared<std::string>();
  auto* map = command->add_subcommand(
      "map", "print a first mapping for a table that others made, from a sample of it");
  map->add_option("TABLE", *table, "its name, or its address as --store takes it")
      ->option_text("TABLE");
  map->footer("Example: quire table map reviews > reviews.toml");

  auto parts = add_parts(*command, common);

  return {command, [&common, options, format, table, make, look, map, parts] {
            if (parts.app->parsed()) return parts.run();
            if (map->parsed()) return print_mapping(common, *table);
            if (make->parsed()) return create(common, *options);
            if (look->parsed()) return describe(common);
            return print_export(common, *format, *options);
          }};
}

}  // namespace quire::cli
