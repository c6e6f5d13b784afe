// quire page, quire explain
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>

#include "app/app.h"
#include "base/limits.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "http/page_json.h"
#include "loop/wait.h"
#include "model/document.h"

namespace quire::cli {
namespace {

const std::map<std::string, Sort> sorts = {{"-created_at", Sort::newest},
                                           {"created_at", Sort::oldest},
                                           {"-rating", Sort::highest},
                                           {"rating", Sort::lowest}};

// CLI11 lets unsigned numbers wrap.
std::string whole_number(const std::string& text) {
  bool digits = text.find_first_not_of("0123456789") == text.npos;
  return digits && !text.empty() && text.size() < 19 ? "" : "it is a whole number from 1";
}

std::shared_ptr<Query> add_query(CLI::App& command) {
  auto query = std::make_shared<Query>();
  command.add_option("PRODUCT", query->product, "the product")->required();
  command.add_option("--language", query->languages, "repeatable; none: any")
      ->allow_extra_args(false);
  command.add_option("--rating", query->ratings, "1 to 5, repeatable; none: any")
      ->allow_extra_args(false);
  command.add_option("--limit", query->limit, "comments a page, 1 to 100")
      ->check(whole_number)
      ->capture_default_str();
  command
      .add_option("--sort", query->sort,
                  "-created_at (newest first), created_at, -rating or rating")
      ->transform(CLI::CheckedTransformer(sorts))
      ->option_text("SORT [-created_at]");
  command.add_option("--page", query->page, "the number of the page, from 1")->check(whole_number);
  command.add_option("--after", query->after,
                     "the cursor of the next page, as an earlier one gave it");
  command.add_option("--before", query->before, "the cursor of the previous page");
  return query;
}

std::string shown(std::string_view text, std::size_t most) {
  if (text.size() <= most) return printable(text);
  while (most > 0 && (text[most] & 0xC0) == 0x80) --most;
  return printable(text.substr(0, most)) + "…";
}

void print_table(const FoundPage& page) {
  for (const auto& row : page.rows) {
    auto comment = decode_document(row.document);
    if (!comment) continue;
    fmt::print("{}  {}  {:3}  {}  {}  {}\n", comment->id.text(), time_text(comment->created_ms()),
               comment->language, comment->rating,
               comment->author.empty() ? "anonymous" : shown(comment->author, 20),
               shown(comment->title.empty() ? comment->text : comment->title, 60));
  }
  fmt::print("{} of {}", page.rows.size(), page.total);
  if (page.number) fmt::print(", page {} of {}", page.number->number, page.number->count);
  fmt::print("\n");
  if (!page.numbers_missing.empty())
    fmt::print("page numbers are missing: {}\n", page.numbers_missing);
  if (page.previous) fmt::print("previous: --before {}\n", *page.previous);
  if (page.next) fmt::print("next:     --after {}\n", *page.next);
}

void print_plan(const FoundPage& page) {
  const Explanation& plan = *page.plan;
  fmt::print("{}\n", plan.summary);
  for (const auto& [list, key] : plan.start)
    fmt::print("list       {}{}\n", list, key.empty() ? "" : " from " + key);
  for (const auto& list : plan.skipped) fmt::print("skipped    {} (empty)\n", list);
  if (plan.residual) fmt::print("residual   {}\n", *plan.residual);
  fmt::print("read       {}\ndiscarded  {}\nrequests   {}\n", plan.read, plan.discarded,
             plan.requests);
  fmt::print("cost       {:.1f} estimated, {:.1f} consumed\n", plan.estimated_cost,
             plan.consumed_capacity);
}

int show(const Common& common, Query query, bool explain) {
  query.explain = explain;
  auto app = App::open({.store = common.store, .pages = common.pages});
  if (!app) return fail(app.error());
  auto page = wait((*app)->comments().page(query));
  if (!page) return fail(page.error());
  if (common.json) {
    fmt::print("{}\n", wait(http::page_json(*page, query)));
  } else if (explain) {
    print_plan(*page);
  } else {
    print_table(*page);
  }
  return done;
}

}  // namespace

Command add_page(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("page", "print a page of a product's comments");
  auto query = add_query(*command);
  command->footer("Example: quire page 42 --language en --rating 4 --rating 5");
  return {command, [&common, query] { return show(common, *query, false); }};
}

Command add_explain(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("explain", "print how a page is found, and what it cost");
  auto query = add_query(*command);
  command->footer("Example: quire explain 42 --rating 1 --rating 5");
  return {command, [&common, query] { return show(common, *query, true); }};
}

}  // namespace quire::cli
