// quire statistics
#include <fmt/core.h>

#include <memory>

#include "app/app.h"
#include "cli/as_of.h"
#include "cli/commands.h"
#include "cli/page.h"
#include "http/api/statistics_json.h"
#include "loop/wait.h"
#include "model/document.h"
#include "model/ratings.h"

namespace quire::cli {
namespace {

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

Command add_statistics(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("statistics", "print numbers of a product's ratings, languages, latest");
  auto query = std::make_shared<Query>();
  add_filter(*command, *query);
  command->footer("Example: quire statistics 42 --language en --filter verified=true");
  return {command, [&common, query] { return show_statistics(common, *query); }};
}

}  // namespace quire::cli
