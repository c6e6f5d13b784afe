// quire table parts
#include "cli/commands.h"

#include <fmt/core.h>

#include <boost/json.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <thread>

#include "app/table.h"
#include "cli/terminal/checks.h"
#include "cli/terminal/terminal.h"
#include "model/validate.h"

namespace quire::cli {
namespace {

namespace json = boost::json;

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
  auto wrong = options.product ? check_product(*options.product) : std::nullopt;
  if (wrong) return fail(*wrong);
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

}  // namespace

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

}  // namespace quire::cli
