// quire product
#include <fmt/core.h>

#include <boost/json.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/moderators.h"
#include "cli/terminal/checks.h"
#include "cli/terminal/terminal.h"

namespace quire::cli {
namespace {

namespace json = boost::json;

struct ProductOptions {
  Moderated moderated;
  std::string product;
  std::vector<std::pair<std::string, std::string>> facts = {
      {"name", ""}, {"url", ""}, {"image", ""}, {"brand", ""},
      {"gtin", ""}, {"mpn", ""}, {"sku", ""}};
};

void print(const Common& common, const std::string& body) {
  if (common.json) {
    fmt::print("{}\n", body);
    return;
  }
  auto answer = json::parse(body);
  for (const auto& [name, value] : answer.as_object())
    fmt::print("{:<8} {}\n", std::string_view(name), printable(value.get_string()));
}

int ask(const Common& common, ProductOptions& options, bool sets) {
  options.moderated.makes_store = sets;
  auto shop = Moderators::open(common, options.moderated, sets ? Access::write : Access::read);
  if (!shop) return fail(shop.error());
  std::optional<std::string> body;
  if (sets) {
    json::object facts;
    for (const auto& [name, value] : options.facts)
      if (!value.empty()) facts[name] = value;
    body = json::serialize(facts);
  }
  auto answer = (*shop)->product(options.product, std::move(body));
  if (!answer) return fail(answer.error());
  print(common, *answer);
  return done;
}

void add_shared(CLI::App& command, ProductOptions& options) {
  command.add_option("PRODUCT", options.product, "its id")->required()->check(not_empty);
  add_server(command, options.moderated, "products");
}

}  // namespace

Command add_product(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("product", "tell a product's name, page and picture");
  command->require_subcommand(1);
  command->footer("Example: quire product set 42 --name 'Desk lamp' --url https://shop.example/42");
  auto options = std::make_shared<ProductOptions>();
  auto* set = command->add_subcommand("set", "tell facts of a product, in place of those before");
  add_shared(*set, *options);
  constexpr std::pair<const char*, const char*> told[] = {{"TEXT", "as visitors read it"},
                                                          {"URL", "the shop's own page"},
                                                          {"URL", "a picture"},
                                                          {"TEXT", "the brand"},
                                                          {"DIGITS", "8, 12, 13 or 14 digits"},
                                                          {"TEXT", "the maker's number"},
                                                          {"TEXT", "the shop's number"}};
  for (std::size_t i = 0; i < options->facts.size(); ++i) {
    auto& [name, value] = options->facts[i];
    auto* option = set->add_option("--" + name, value, told[i].second)->option_text(told[i].first);
    if (name == "name") option->required();
  }
  set->add_option("--audit-log", options->moderated.audit_log,
                  "file to which the change is appended; a server has its own")
      ->envname("QUIRE_AUDIT_LOG")
      ->option_text("FILE");
  set->footer("Example: quire product set 42 --name 'Desk lamp' --url https://shop.example/42");
  auto* get = command->add_subcommand("get", "print what is told of a product");
  add_shared(*get, *options);
  get->footer("Example: quire product get 42 --json");
  return {command, [&common, options, set] { return ask(common, *options, set->parsed()); }};
}

}  // namespace quire::cli
