// quire statistics, quire leaderboard
#include <fmt/core.h>

#include <map>
#include <memory>

#include "app/app.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "http/statistics_json.h"
#include "loop/wait.h"
#include "model/document.h"
#include "model/ratings.h"

namespace quire::cli {
namespace {

const std::map<std::string, Leaders> orders = {{"five_star", Leaders::five_star},
                                               {"average", Leaders::average}};

void print_latest(const char* name, std::string_view document) {
  auto comment = document.empty() ? std::nullopt : decode_document(document);
  if (!comment) return;
  fmt::print("{:<16} {}  {}  {}\n", name, time_text(comment->created_ms()), comment->rating,
             comment->id.text());
}

void print_as_of(AsOf as_of_ms) {
  if (!as_of_ms) return;
  fmt::print("{:<16} {}\n", "as of", *as_of_ms > 0 ? time_text(*as_of_ms) : "not known");
}

void print(const Statistics& statistics) {
  fmt::print("{:<16} {}\n{:<16} {:.2f}\n", "comments", total(statistics.ratings), "average",
             average(statistics.ratings));
  for (std::size_t i = 5; i-- > 0;)
    fmt::print("{:<16} {}\n", i == 0 ? "1 star" : fmt::format("{} stars", i + 1),
               statistics.ratings[i]);
  for (const auto& [language, comments] : statistics.languages)
    fmt::print("{:<16} {}\n", language, comments);
  print_latest("latest", statistics.latest);
  print_latest("latest positive", statistics.latest_positive);
  print_latest("latest critical", statistics.latest_critical);
  print_as_of(statistics.as_of_ms);
}

// Without page numbers and cursors, which statistics do not need.
Result<std::unique_ptr<App>> open_app(const Common& common) {
  return App::open({.store = common.store, .pages = "none", .cursors = false});
}

int show_statistics(const Common& common, const Query& query) {
  auto app = open_app(common);
  if (!app) return fail(app.error());
  auto found = wait((*app)->comments().statistics(query.product, query.languages));
  if (!found) return fail(found.error());
  if (common.json) {
    fmt::print("{}\n", http::statistics_json(query.product, *found));
  } else {
    print(*found);
  }
  return done;
}

struct Board {
  Leaders by = Leaders::five_star;
  std::string language;
  std::size_t limit = 10;
};

int show_leaderboard(const Common& common, const Board& board) {
  auto app = open_app(common);
  if (!app) return fail(app.error());
  auto found = wait((*app)->comments().leaderboard(board.by, board.language, board.limit));
  if (!found) return fail(found.error());
  if (common.json) {
    fmt::print("{}\n", http::leaderboard_json(board.by, board.language, *found));
    return done;
  }
  for (const auto& [product, ratings] : found->leaders) {
    fmt::print("{:8}  {:4.2f}  {:4.2f}  {:8}  {}\n", ratings[4], average(ratings),
               adjusted_average(ratings), total(ratings), printable(product));
  }
  print_as_of(found->as_of_ms);
  return done;
}

}  // namespace

Command add_statistics(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("statistics", "print what a product's comments say together");
  auto query = std::make_shared<Query>();
  command->add_option("PRODUCT", query->product, "the product")->required();
  command->add_option("--language", query->languages, "repeatable; none: any")
      ->allow_extra_args(false);
  command->footer("Example: quire statistics 42 --language en");
  return {command, [&common, query] { return show_statistics(common, *query); }};
}

Command add_leaderboard(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand(
      "leaderboard",
      "print the best products: 5-rated comments, average, adjusted average, comments, product");
  auto board = std::make_shared<Board>();
  command->add_option("--by", board->by, "five_star or average (adjusted for few comments)")
      ->transform(CLI::CheckedTransformer(orders))
      ->option_text("ORDER [five_star]");
  command->add_option("--language", board->language, "only comments in this language");
  command->add_option("--limit", board->limit, "products, 1 to 100")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->footer("Example: quire leaderboard --by average --limit 20");
  return {command, [&common, board] { return show_leaderboard(common, *board); }};
}

}  // namespace quire::cli
