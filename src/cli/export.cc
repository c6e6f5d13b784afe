// quire export
#include <fmt/core.h>

#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/followed_table.h"
#include "app/open.h"
#include "base/iso_time.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/exporting/comments.h"
#include "cli/exporting/google_feed.h"
#include "cli/exporting/outputs.h"
#include "cli/importing/map_file.h"
#include "cli/terminal/checks.h"
#include "loop/loop.h"
#include "mapping/backwards/comment_rows.h"
#include "model/moderation.h"
#include "model/validate.h"
#include "product/facts.h"

namespace quire::cli {
namespace {

constexpr std::size_t rows_a_read = 1000;

// Prints what the shop tells of its products, as an import of them takes it.
Awaitable<Result<int>> export_facts(Store& store, std::string only) {
  auto view = store.view();
  JsonLines out({}, false);
  std::vector<std::string> names;
  if (!only.empty()) names.push_back(std::move(only));
  bool all = names.empty();
  for (std::string after; out.whole();) {
    if (all) {
      CO_TRY(names, co_await view->names(after, rows_a_read));
    }
    CO_TRY(auto facts, co_await view->facts(names));
    for (std::size_t i = 0; i < names.size(); ++i)
      if (const auto& told = facts[i]) out.line(encode_facts_row({names[i], *told}));
    if (!all || names.empty()) break;
    after = names.back();
  }
  if (!out.whole() || std::fflush(stdout) != 0) co_return failed;
  co_return tell_of_missing(view->left_out());
}

// It finds the comments of a product in a table that others made. The other stores need none.
Result<std::unique_ptr<PageIndex>> index_of(const Common& common) {
  if (!is_adopted(common.store)) return std::unique_ptr<PageIndex>();
  return open_pages(common.pages, common.store, Access::read);
}

enum class Format { jsonl, csv, google };
const std::map<std::string, Format> formats = {
    {"jsonl", Format::jsonl}, {"csv", Format::csv}, {"google-reviews", Format::google}};

struct ExportOptions {
  std::string product, since, status, map, shop;
  Format format = Format::jsonl;
  bool products = false;  // the facts of products instead of comments
  bool contacts = false;  // of notices
  bool zip = false;
};

Result<ExportWish> wish_of(const Common& common, const ExportOptions& options) {
  ExportWish wish{.product = options.product,
                  .oldest_first = !common.store.starts_with("dynamodb:")};
  if (!options.product.empty()) TRY_DONE(check_product(options.product));
  if (!options.since.empty()) {
    auto ms = parse_iso_time(options.since);
    if (!ms)
      return Error{ErrorCode::invalid_parameter,
                   "--since is a day or a time, such as 2026-11-22 or 2026-11-22T08:00:00Z."};
    wish.since_ms = *ms;
  }
  if (!options.status.empty()) {
    wish.status = parse_status(options.status);
    if (!wish.status)
      return Error{ErrorCode::invalid_parameter, "--status is published, pending or rejected."};
  }
  return wish;
}

// Options that say something of another format are refused: the export would not be what was meant.
Status check_options(const ExportOptions& options) {
  bool csv = options.format == Format::csv, google = options.format == Format::google;
  bool some = !options.product.empty() || !options.since.empty() || !options.status.empty();
  auto refused = [](std::string message) {
    return Error{ErrorCode::invalid_parameter, std::move(message)};
  };
  if (options.products && (csv || google || !options.since.empty() || !options.status.empty()))
    return refused("--products prints facts as JSON Lines. Leave out --format, --since, --status.");
  if (csv && options.map.empty())
    return refused("--format csv needs --map: judgeme, loox, okendo, shopify or woocommerce.");
  if (!csv && !options.map.empty()) return refused("--map is of --format csv.");
  if (google && some)
    return refused(
        "Google takes what is missing in a feed as removed, so a feed has all reviews. Leave out "
        "--product, --since, --status.");
  if (!google && options.zip) return refused("--zip is of --format google-reviews.");
  return Done{};
}

Result<int> export_csv(Store& store, const ExportOptions& options, ExportWish wish) {
  Given given;
  TRY(auto mapping, read_map(options.map, false, given));
  TRY(auto rows, CommentRows::of(std::move(mapping)));
  CsvFile out(std::move(rows));
  TRY(auto status, wait(export_comments(store, std::move(wish), out)));
  out.tell();
  return status;
}

Result<int> export_as(const Common& common, const ExportOptions& options) {
  TRY_DONE(check_options(options));
  TRY(auto wish, wish_of(common, options));
  TRY(auto index, index_of(common));
  TRY(auto open, open_store(common.store, Access::read, index.get()));
  auto& store = *open.store;
  if (options.products) return wait(export_facts(store, options.product));
  if (options.format == Format::google) return export_google_feed(store, options.shop, options.zip);
  if (options.format == Format::csv) return export_csv(store, options, std::move(wish));
  std::string key;
  if (open.customer_check) {
    TRY(key, open.customer_check({}));
  }
  JsonLines out(std::move(key), options.contacts);
  return wait(export_comments(store, std::move(wish), out));
}

int export_lines(const Common& common, const ExportOptions& options) {
  auto status = export_as(common, options);
  if (!status) return fail(status.error());
  if (*status == failed && options.format != Format::google)
    return fail({ErrorCode::unavailable,
                 "The export could not be written completely. See whether its disk is full, and "
                 "export again."});
  return *status;
}

}  // namespace

Command add_export(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("export", "print all comments, oldest first");
  auto options = std::make_shared<ExportOptions>();
  command->add_option("--product", options->product, "only those of this product")
      ->option_text("P")
      ->check(not_empty);
  command->add_option("--since", options->since, "only those of this day or time (UTC), or later")
      ->option_text("T")
      ->check(not_empty);
  command->add_option("--status", options->status, "only published, pending or rejected ones")
      ->option_text("S")
      ->check(not_empty);
  command
      ->add_option("--format", options->format,
                   "jsonl; csv, for another system; google-reviews, a feed of the published ones")
      ->option_text("F")
      ->default_str("jsonl")
      ->transform(one_of(formats));
  command
      ->add_option(
          "--map", options->map,
          "of csv: judgeme, loox, okendo, shopify, woocommerce, or a mapping with [export]")
      ->option_text("NAME|FILE")
      ->check(not_empty);
  command
      ->add_option("--shop", options->shop,
                   "of google-reviews: the shop file, with name and product_url")
      ->envname("QUIRE_SHOP")
      ->option_text("FILE");
  command->add_flag("--zip", options->zip, "of google-reviews: a .zip of files below 100 MB");
  command->add_flag("--products", options->products,
                    "what the shop tells of its products, instead of comments");
  command->add_flag("--private", options->contacts,
                    "with name and mail of those who gave notice of a comment");
  command->footer(
      "Those of a table are in no order. Comments that are not published come last,\n"
      "with their status. Reports have lines of their own.\n"
      "Example: quire export --product 42 | gzip > 42.jsonl.gz\n"
      "Example: quire export --since 2026-11-22 --status published\n"
      "Example: quire export --format csv --map judgeme > reviews.csv");
  return {command, [&common, options] { return export_lines(common, *options); }};
}

}  // namespace quire::cli
