// quire table create, describe, export, map, parts
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <boost/json.hpp>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <thread>

#include "app/followed_table.h"
#include "app/table.h"
#include "cli/commands.h"
#include "cli/terminal/checks.h"
#include "cli/terminal/terminal.h"
#include "model/validate.h"

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
          {"differences", json::value_from(status.differences)},
          {"notes", json::value_from(status.notes)}};
}

void print_line(const char* what, std::string_view text) {
  fmt::print("{:<16} {}\n", what, printable(text));
}

// `adopted`: others made the table, so that Quire does not ask whether its items expire.
void print_description(const TableStatus& status, bool adopted) {
  const auto& table = status.table;
  print_line("table", status.name);
  print_line("status", table.status);
  print_line("items", fmt::format("{}, as last counted", table.items));
  print_line("bytes", fmt::to_string(table.bytes));
  print_line("units", table.on_demand
                          ? "on demand"
                          : fmt::format("{} read, {} write", table.read_units, table.write_units));
  print_line("stream", table.stream.empty() ? "none" : table.stream);
  if (!adopted) {
    print_line("items expire by", !table.expiry           ? "not known"
                                  : table.expiry->empty() ? "nothing"
                                                          : *table.expiry);
  }
  for (const auto& index : table.indexes) {
    print_line("index",
               fmt::format("{}: {}, {} items, {} bytes, keys {}, {} {}", index.name, index.status,
                           index.items, index.bytes, fmt::join(names(index), " "), index.projection,
                           fmt::join(index.projected, " ")));
  }
}

// Differences are the result and go to standard output, notes to standard error.
int print_differences(const TableStatus& status) {
  for (const auto& difference : status.differences) fmt::print("{}\n", printable(difference));
  std::fflush(stdout);  // notes come after what they are about, in a pipe, too
  for (const auto& note : status.notes) fmt::print(stderr, "{}\n", printable(note));
  return status.differences.empty() ? done : with_differences;
}

int print_json(const TableStatus& status) {
  fmt::print("{}\n", json::serialize(status_json(status)));
  return status.differences.empty() ? done : with_differences;
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
  print_description(*status, is_adopted(common.store));
  return print_differences(*status);
}

int print_export(const Common& common, TableFormat format, const TableOptions& options) {
  auto text = export_table(common.store, format, options);
  if (!text) return fail(text.error());
  fmt::print("{}", *text);
  return done;
}

struct MapOptions {
  std::string table;
  std::string output;
};

// Makes the file, and never writes over another: its owner may have changed it.
Status write_new(const std::string& file, const std::string& text) {
  auto* out = std::fopen(file.c_str(), "wxe");
  if (!out && errno == EEXIST) {
    return Error{ErrorCode::invalid_parameter,
                 fmt::format("{} exists, and is left as it is. Take another name, or delete the "
                             "file.",
                             file)};
  }
  bool written = out && std::fputs(text.c_str(), out) >= 0;
  int code = errno;
  bool closed = out && std::fclose(out) == 0;
  if (written && closed) return Done{};
  if (written) code = errno;
  if (out) std::remove(file.c_str());
  return Error{ErrorCode::unavailable,
               fmt::format("Cannot write {}: {}.", file, std::strerror(code))};
}

int map(const Common& common, const MapOptions& options) {
  auto text = map_table(options.table, common.store);
  if (!text) return fail(text.error());
  if (options.output.empty()) {
    fmt::print("{}", *text);
    return done;
  }
  auto written = write_new(options.output, *text);
  if (!written) return fail(written.error());
  for (const auto& remark : CLI::detail::split(text->substr(0, text->find("\n\n")), '\n'))
    fmt::print("{}\n", printable(remark.substr(remark.starts_with("# ") ? 2 : 0)));
  fmt::print("The mapping is in {}.\n", printable(options.output));
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

// A place in `indexes`.
enum class ListIndex : std::size_t {};

std::map<std::string, ListIndex> names_of_indexes() {
  std::map<std::string, ListIndex> names;
  for (std::size_t i = 0; i < indexes.size(); ++i) names.emplace(indexes[i].name, ListIndex(i));
  return names;
}

const std::map<std::string, ListIndex> index_names = names_of_indexes();

struct PartsOptions {
  unsigned parts = 0;  // 0: none is given
  std::optional<std::string> product;
  bool all_products = false;
  std::vector<ListIndex> indexes;
};

int print_parts(const Common& common) {
  auto parts = parts_of_table(common.store);
  if (!parts) return fail(parts.error());
  json::array rows;
  for (const auto& [place, row] : parts->rows) {
    const auto& [product, index] = place;
    json::object each{{"index", indexes[index].name}, {"written", row.written}, {"read", row.read}};
    if (!product.empty()) each["product"] = product;
    rows.push_back(std::move(each));
    if (common.json) continue;
    fmt::print("{:<24} {:<16} {:>2} written, {:>2} read\n",
               product.empty() ? "all products" : printable("product " + product),
               indexes[index].name, row.written, row.read);
  }
  if (common.json) fmt::print("{}\n", json::serialize(json::object{{"parts", std::move(rows)}}));
  return done;
}

// An empty product, such as a shell's variable that is not set, must not declare for the table:
// parts that are read are read for ever.
int declare(const Common& common, const PartsOptions& options) {
  if (options.product.has_value() == options.all_products)
    return fail({ErrorCode::invalid_parameter,
                 "Say whose lists: --product PRODUCT, or --all-products for those of all products "
                 "without a declaration of their own.",
                 "product"});
  auto named = options.product ? check_product(*options.product) : Status(Done{});
  if (!named) return fail(named.error());
  std::vector<std::size_t> of;
  for (auto index : options.indexes) of.push_back(static_cast<std::size_t>(index));
  if (of.empty())
    for (std::size_t i = 0; i < indexes.size(); ++i) of.push_back(i);
  auto wait = [](std::chrono::seconds time) {
    fmt::print(stderr, "Waiting {} seconds until all servers ask these parts.\n", time.count());
    std::this_thread::sleep_for(time);
  };
  auto parts = static_cast<std::uint8_t>(options.parts);
  auto declared = declare_parts(common.store, options.product.value_or(""), of, parts, wait);
  if (!declared) return fail(declared.error());
  return print_parts(common);
}

Command add_parts(CLI::App& table, Common& common) {
  auto* command = table.add_subcommand(
      "parts", "print or declare in how many parts lists lie that are written to very often");
  auto options = std::make_shared<PartsOptions>();
  auto* parts = command
                    ->add_option("PARTS", options->parts,
                                 "how many parts new comments go into, 1 to 16; none: print what "
                                 "is declared")
                    ->check(CLI::Range(1, static_cast<int>(max_parts)))
                    ->option_text("PARTS");
  command->add_option("--product", options->product, "of this product's lists")
      ->needs(parts)
      ->option_text("PRODUCT");
  command
      ->add_flag("--all-products", options->all_products,
                 "of the lists of all products without a declaration of their own")
      ->needs(parts);
  command
      ->add_option("--index", options->indexes,
                   "of the lists of all, byLang, byRating or byLangAndRating; repeatable; none: "
                   "of all four")
      ->allow_extra_args(false)
      ->transform(one_of(index_names))
      ->needs(parts)
      ->option_text("INDEX");
  command->footer(
      "Pages ask every part that was ever declared, so more parts cost more for ever.\n"
      "Example: quire table parts 4 --product 42 --index byRating --index all");
  return {command, [&common, options] {
            return options->parts > 0 ? declare(common, *options) : print_parts(common);
          }};
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
      "describe", "print what the table is like, and how it differs from what is needed");
  look->footer("Example: quire table describe --store \"dynamodb:comments?region=eu-west-1\"");

  auto* print = command->add_subcommand("export", "print the table for other tools");
  print->add_option("--format", *format, "nosql-workbench or cloudformation")
      ->required()
      ->transform(one_of(formats))
      ->option_text("FORMAT")
      ->envname("QUIRE_FORMAT");
  add_units(*print, *options);
  print->footer("Example: quire table export --format cloudformation --store dynamodb:comments");

  auto mapping = std::make_shared<MapOptions>();
  auto* sample = command->add_subcommand(
      "map", "print a first mapping for a table that others made, from a sample of it");
  sample
      ->add_option(
          "TABLE", mapping->table,
          "its address as --store takes it; a name alone is a table where that of --store is")
      ->option_text("TABLE");
  sample
      ->add_option("--output", mapping->output,
                   "write the mapping to this new file; after a failure there is none")
      ->option_text("FILE")
      ->check(not_empty);
  sample->footer("Example: quire table map reviews --output reviews.toml");

  auto parts = add_parts(*command, common);

  return {command, [&common, options, format, mapping, make, look, sample, parts] {
            if (parts.app->parsed()) return parts.run();
            if (sample->parsed()) return map(common, *mapping);
            if (make->parsed()) return create(common, *options);
            if (look->parsed()) return describe(common);
            return print_export(common, *format, *options);
          }};
}

}  // namespace quire::cli
