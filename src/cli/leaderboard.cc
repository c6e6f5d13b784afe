// quire leaderboard
#include <fmt/core.h>

#include <map>
#include <memory>

#include "app/app.h"
#include "cli/as_of.h"
#include "cli/commands.h"
#include "cli/not_empty.h"
#include "cli/terminal/one_of.h"
#include "cli/terminal/terminal.h"
#include "http/api/statistics_json.h"
#include "loop/wait.h"
#include "model/ratings.h"

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
  for (const auto& [product, ratings] : found->leaders) {
    fmt::print("{:10}  {:7.2f}  {:8.2f}  {:8}  {}\n", ratings[4], average(ratings),
               adjusted_average(ratings), total(ratings), printable(product));
  }
  print_as_of(found->as_of_ms);
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

}  // namespace quire::cli
