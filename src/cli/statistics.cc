// quire statistics
#include <fmt/core.h>

#include <map>
#include <memory>

#include "app/app.h"
#include "cli/commands.h"
#include "cli/page.h"
#include "cli/terminal/checks.h"
#include "cli/terminal/terminal.h"
#include "http/api/json.h"
#include "loop/loop.h"
#include "model/counts.h"
#include "model/document.h"

namespace quire::cli {

namespace {

const std::map<std::string, Leaders> orders = {{"five_star", Leaders::five_star},
                                               {"average", Leaders::average}};

struct Board {
  Leaders by = Leaders::five_star;
  std::string language;
  std::size_t limit = 10;
};

int show_leaderboard(const Common& common, const Board& board) {
  // Without page numbers and cursors, which a leaderboard does not need.
  auto app = App::open({.store = common.store, .pages = "none", .cursors = false});
  if (!app) return fail(app.error());
  auto found = wait((*app)->comments().leaderboard(board.by, board.language, board.limit));
  if (!found) return fail(found.error());
  if (common.json) {
    fmt::print("{}\n", http::leaderboard_json(board.by, *found));
    return done;
  }
  fmt::print("{:>10}  {:>7}  {:>8}  {:>8}  {}\n", "five stars", "average", "adjusted", "comments",
             "product");
  for (const auto& [product, ratings, facts] : found->leaders) {
    fmt::print("{:10}  {:7.2f}  {:8.2f}  {:8}  {}{}\n", ratings[4], average(ratings),
               adjusted_average(ratings), total(ratings), printable(product),
               facts ? "  " + printable(facts->name) : "");
  }
  print_as_of(found->as_of_ms);
  return done;
}

void print_latest(const char* name, std::string_view document) {
  auto comment = document.empty() ? std::nullopt : decode_document(document);
  if (!comment) return;
  fmt::print("{:<16} {}  {}  {}\n", name, time_text(comment->created_ms()), comment->rating,
             comment->id.text());
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

int show_statistics(const Common& common, const Query& query) {
  // A page index counts what is under facets. Without these it is not needed, and cursors never.
  auto pages = query.facets.empty() ? "none" : common.pages;
  auto app = App::open({.store = common.store, .pages = pages, .cursors = false});
  if (!app) return fail(app.error());
  auto found = wait((*app)->comments().statistics(query));
  if (!found) return fail(found.error());
  if (common.json) {
    fmt::print("{}\n", http::statistics_json(query.product, *found));
  } else {
    print(*found);
  }
  return done;
}

}  // namespace

Command add_leaderboard(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("leaderboard", "print the best products, with their averages");
  auto board = std::make_shared<Board>();
  command
      ->add_option("--by", board->by,
                   "five_star (most five-star ratings) or average (adjusted for few comments)")
      ->transform(one_of(orders))
      ->option_text("ORDER")
      ->default_str("five_star");
  command->add_option("--language", board->language, "only comments in this language")
      ->option_text("L")
      ->check(not_empty);
  command->add_option("--limit", board->limit, "products, 1 to 100")
      ->option_text("N")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->footer("Example: quire leaderboard --by average --limit 20");
  return {command, [&common, board] { return show_leaderboard(common, *board); }};
}

Command add_statistics(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("statistics", "print numbers of a product's ratings, languages, latest");
  auto query = std::make_shared<Query>();
  add_filter(*command, *query);
  command->footer("Example: quire statistics 42 --language en --filter verified=true");
  return {command, [&common, query] { return show_statistics(common, *query); }};
}

}  // namespace quire::cli
