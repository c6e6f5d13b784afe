// quire product
#include <fmt/core.h>

#include <boost/json.hpp>
#include <boost/system/error_code.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/asking/shop_interface.h"
#include "cli/commands.h"
#include "cli/terminal/checks.h"
#include "cli/terminal/terminal.h"
#include "product/facts.h"

namespace quire::cli {
namespace {

namespace json = boost::json;

struct ProductOptions {
  Moderated moderated;
  std::string product;
  std::string to;  // the product to which it moves
  std::vector<std::pair<std::string, std::vector<std::string>>> facts = {
      {"name", {}}, {"url", {}}, {"image", {}}, {"brand", {}},
      {"gtin", {}}, {"mpn", {}}, {"sku", {}}};
};

int print(const Common& common, const std::string& body) {
  auto row = parse_facts_row(body);
  if (!row)
    return fail(
        {ErrorCode::unavailable,
         "The answer has no facts of a product. Look whether --server is Quire's address."});
  if (common.json) {
    fmt::print("{}\n", body);
    return done;
  }
  auto answer = json::parse(encode_facts_row(*row));  // an object of strings and arrays of them
  for (const auto& [name, value] : answer.as_object()) {
    std::string text;
    for (const auto& each : value.is_array() ? value.get_array() : json::array{value})
      text.append(text.empty() ? "" : ", ").append(each.get_string());
    fmt::print("{:<8} {}\n", std::string_view(name), printable(text));
  }
  return done;
}

Result<std::unique_ptr<ShopInterface>> open_products(const Common& common,
                                                     const ProductOptions& options, Access access) {
  return ShopInterface::open(common.store, common.pages, options.moderated, access);
}

int get_facts(const Common& common, const ProductOptions& options) {
  auto shop = open_products(common, options, Access::read);
  if (!shop) return fail(shop.error());
  auto answer = (*shop)->product(options.product);
  if (!answer) return fail(answer.error());
  return print(common, *answer);
}

int set_facts(const Common& common, ProductOptions& options) {
  json::object facts;
  for (const auto& [name, values] : options.facts) {
    if (values.size() == 1 && !values.front().empty()) facts[name] = values.front();
    if (values.size() > 1) facts[name] = json::array(values.begin(), values.end());
  }
  auto body = json::serialize(facts);
  auto taken = parse_facts(body, options.product);
  if (!taken) return fail({ErrorCode::invalid_parameter, taken.error().message});
  options.moderated.makes_store = true;
  auto shop = open_products(common, options, Access::write);
  if (!shop) return fail(shop.error());
  auto answer = (*shop)->put_product(options.product, std::move(*taken));
  if (!answer) return fail(answer.error());
  return print(common, *answer);
}

int remove_facts(const Common& common, const ProductOptions& options) {
  auto shop = open_products(common, options, Access::write);
  if (!shop) return fail(shop.error());
  auto answer = (*shop)->remove_product(options.product);
  if (!answer) return fail(answer.error());
  if (!common.json) fmt::print("facts of {} removed\n", printable(options.product));
  return done;
}

// Goes on until no comment is left: a call moves some.
int move(const Common& common, const ProductOptions& options) {
  auto shop = open_products(common, options, Access::write);
  if (!shop) return fail(shop.error());
  std::int64_t comments = 0;
  for (bool more = true; more;) {
    auto answer = (*shop)->move_product(options.product, options.to);
    if (!answer) return fail(answer.error());
    boost::system::error_code wrong;
    auto body = json::parse(*answer, wrong);
    const auto* moved = wrong ? nullptr : body.if_object();
    const auto *count = moved ? moved->if_contains("comments") : nullptr,
               *left = moved ? moved->if_contains("more") : nullptr;
    if (!count || !count->is_int64() || !left || !left->is_bool())
      return fail({ErrorCode::unavailable,
                   "The answer is none of a move. Look whether --server is Quire's address."});
    comments += count->get_int64();
    more = left->get_bool();
  }
  if (common.json) {
    fmt::print("{}\n", json::serialize(json::object{{"to", options.to}, {"comments", comments}}));
    return done;
  }
  fmt::print("{} moved: {} is {} now\n", counted(static_cast<std::uint64_t>(comments), "comment"),
             printable(options.product), printable(options.to));
  return done;
}

void add_shared(CLI::App& command, ProductOptions& options, const std::string& scope) {
  command.add_option("PRODUCT", options.product, "its id")->required()->check(not_empty);
  add_server(command, options.moderated, scope);
  if (scope.empty()) return;
  add_audit_log(command, options.moderated, "the change is");
}

void add_facts(CLI::App& command, ProductOptions& options) {
  constexpr std::pair<const char*, const char*> told[] = {{"TEXT", "as visitors read it"},
                                                          {"URL", "the shop's own page"},
                                                          {"URL", "a picture"},
                                                          {"TEXT", "the brand"},
                                                          {"DIGITS", "8, 12, 13 or 14 digits"},
                                                          {"TEXT", "the maker's number"},
                                                          {"TEXT", "the shop's number"}};
  for (std::size_t i = 0; i < options.facts.size(); ++i) {
    auto& [name, value] = options.facts[i];
    bool listed = is_listed_fact(name);
    auto text = std::string(told[i].second) + (listed ? "; may be repeated" : "");
    auto* option = command.add_option("--" + name, value, text);
    option->option_text(told[i].first)->allow_extra_args(false);
    if (!listed) option->multi_option_policy(CLI::MultiOptionPolicy::Throw)->expected(1);
    if (name == "name") option->required();
  }
}

}  // namespace

Command add_product(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("product", "tell a product's name, page and picture");
  command->require_subcommand(1);
  command->footer("Example: quire product set 42 --name 'Desk lamp' --url https://shop.example/42");
  auto options = std::make_shared<ProductOptions>();
  auto* set = command->add_subcommand("set", "tell facts of a product, in place of those before");
  add_shared(*set, *options, "products");
  add_facts(*set, *options);
  set->footer("Example: quire product set 42 --name 'Desk lamp' --url https://shop.example/42");
  auto* get = command->add_subcommand("get", "print what is told of a product");
  add_shared(*get, *options, "");
  get->footer("Example: quire product get 42 --json");
  auto* remove = command->add_subcommand("remove", "forget what is told of a product");
  add_shared(*remove, *options, "products");
  remove->footer("Example: quire product remove 42");
  auto* moves = command->add_subcommand("move", "make the comments of a product another one's");
  add_shared(*moves, *options, "admin");
  moves->add_option("TO", options->to, "the other product")->required()->check(not_empty);
  moves->footer("Example: quire product move 42 43");
  return {command, [&common, options, set, get, moves] {
            if (moves->parsed()) return move(common, *options);
            if (set->parsed()) return set_facts(common, *options);
            if (get->parsed()) return get_facts(common, *options);
            return remove_facts(common, *options);
          }};
}

}  // namespace quire::cli
