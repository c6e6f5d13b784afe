// quire page
#include "cli/page.h"

#include <string>
#include <string_view>
#include <vector>

#include "app/app.h"
#include "base/text.h"
#include "cli/terminal/checks.h"
#include "cli/terminal/terminal.h"
#include "http/api/json.h"
#include "http/query.h"
#include "loop/loop.h"
#include "model/document.h"

namespace quire::cli {

namespace {

void print_plan(const Common&, const FoundPage& page) {
  const Explanation& plan = *page.explanation;
  fmt::print("{}\n", plan.summary);
  for (const auto& [list, key] : plan.start)
    fmt::print("list       {}{}\n", list, key.empty() ? "" : " from " + key);
  auto age = plan.counts_age_ms ? fmt::format(" {:.1f} s ago", *plan.counts_age_ms / 1000.0) : "";
  for (const auto& list : plan.skipped) fmt::print("skipped    {} (empty{})\n", list, age);
  if (plan.residual) fmt::print("residual   {}\n", *plan.residual);
  fmt::print("read       {}\ndiscarded  {}\n", plan.read, plan.discarded);
  if (plan.index == "bitmap") {
    fmt::print("blocks     {} looked at, {} skipped\n", plan.blocks, plan.blocks_skipped);
  } else {
    fmt::print("requests   {}\ncost       {:.1f} estimated, {:.1f} consumed\n", plan.requests,
               plan.estimated_cost, plan.consumed_capacity);
  }
  fmt::print("time       {} µs\n", plan.microseconds);
}

// An empty text, or why the text is refused. CLI11 itself lets unsigned numbers wrap.
std::string whole_number(const std::string& text) {
  bool digits = text.find_first_not_of("0123456789") == text.npos;
  bool taken = digits && !text.empty() && text.size() < 19;
  return taken ? "" : fmt::format("takes a whole number, not \"{}\"", text);
}

std::string rating(const std::string& text) {
  bool taken = text.size() == 1 && text >= "1" && text <= "5";
  return taken ? "" : fmt::format("takes a whole number from 1 to 5, not \"{}\"", text);
}

void print_counts(const FoundPage& page) {
  for (const auto& counts : page.facets) {
    fmt::print("{}:", counts.facet);
    for (const auto& [value, comments] : counts.values)
      fmt::print(" {} {},", printable(value), comments);
    if (counts.values.empty() && counts.type == FacetType::number && counts.comments > 0)
      fmt::print(" {} to {},", counts.min, counts.max);
    fmt::print(" {}\n", counted(counts.comments, "comment"));
  }
  if (!page.facets_missing.empty()) fmt::print("counts are missing: {}\n", page.facets_missing);
}

// Whether an address is as redis://USER:PASSWORD@HOST.
bool has_password(const std::string& address) {
  auto user = address.substr(0, address.find('@'));
  return user.size() < address.size() && user.rfind(':') > user.find("//");
}

// The command that prints a neighbouring page. Without the address of a page index that has a
// password: pages by cursor need no index.
std::string command_for(const Common& common, const char* position, const std::string& cursor) {
  std::vector<std::string_view> dropped{"--page", "--skip", "--after", "--before"};
  if (has_password(common.pages)) dropped.emplace_back("--pages");
  return quoted(with_options(common.typed, dropped, {position, cursor}));
}

void print_table(const Common& common, const FoundPage& page) {
  for (const auto& row : page.rows) {
    auto comment = decode_document(row.document);
    if (!comment) continue;
    fmt::print("{}  {}  {:3}  {}  {}  {}\n", comment->id.text(), time_text(comment->created_ms()),
               comment->language, comment->rating,
               comment->author.empty() ? "anonymous" : shown(comment->author, 20),
               shown(comment->title.empty() ? comment->text : comment->title, 60));
  }
  fmt::print("{}", page.rows.size());
  if (page.total) fmt::print(" of {}", *page.total);
  if (page.number) fmt::print(", page {} of {}", page.number->number, page.number->count);
  fmt::print("\n");
  if (!page.numbers_missing.empty())
    fmt::print("page numbers are missing: {}\n", page.numbers_missing);
  print_counts(page);
  if (page.previous) fmt::print("previous: {}\n", command_for(common, "--before", *page.previous));
  if (page.next) fmt::print("next: {}\n", command_for(common, "--after", *page.next));
}

}  // namespace

Command add_explain(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("explain", "print how a page is found, and what that costs");
  auto query = add_query(*command);
  command->footer("Example: quire explain 42 --rating 1 --rating 5 --filter verified=true");
  return {command, [&common, query] {
            query->explain = true;
            return show_page(common, *query, print_plan);
          }};
}

std::string shown(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return printable(text);
  while (max_bytes > 0 && (text[max_bytes] & 0xC0) == 0x80) --max_bytes;
  return printable(text.substr(0, max_bytes)) + "…";
}

void add_filter(CLI::App& command, Query& query) {
  command.add_option("PRODUCT", query.product, "the product")->required();
  command.add_option("--language", query.languages, "only this language; repeatable")
      ->allow_extra_args(false)
      ->option_text("L");
  command.add_option("--rating", query.ratings, "only this rating, 1 to 5; repeatable")
      ->check(rating)
      ->allow_extra_args(false)
      ->option_text("R");
  command
      .add_option("--q", query.words,
                  "words that title and text have, all of them; needs an index of words")
      ->option_text("WORDS")
      ->check(not_empty);
  auto take = [&query](const std::vector<std::string>& conditions) {
    for (const auto& each : conditions) {
      auto end = each.find('=');
      if (end == each.npos) throw CLI::ValidationError("--filter", each + " has no \"=\"");
      auto added = http::add_filter(query, each.substr(0, end), each.substr(end + 1));
      if (!added) throw CLI::ValidationError("--filter", each + ": " + added.error().message);
    }
  };
  command
      .add_option_function<std::vector<std::string>>(
          "--filter", take,
          "NAME=VALUE, not.NAME=VALUE, NAME.all=VALUE, NAME.min=N or NAME.max=N of a facet; "
          "repeatable")
      ->allow_extra_args(false)
      ->option_text("CONDITION");
}

std::shared_ptr<Query> add_query(CLI::App& command) {
  auto query = std::make_shared<Query>();
  add_filter(command, *query);
  command.add_flag("--facets", query->counts, "print the number of comments of each value");
  command.add_option("--limit", query->limit, "comments on a page, 1 to 100")
      ->check(whole_number)
      ->option_text("N")
      ->capture_default_str();
  auto sort = [query = query.get()](const std::string& text) {
    if (auto taken = http::set_sort(*query, text); !taken)
      throw CLI::ValidationError("--sort", taken.error().message);
  };
  command
      .add_option_function<std::string>("--sort", sort,
                                        "created_at, rating or a number facet; - before it: "
                                        "greatest first")
      ->option_text("SORT")
      ->default_str("-created_at");
  command.option_defaults()->group("Which page (one of these)");
  command.add_option("--page", query->page, "number of the page, from 1")
      ->check(whole_number)
      ->option_text("N");
  command.add_option("--skip", query->skip, "how many comments to skip")
      ->check(whole_number)
      ->option_text("N");
  command.add_option("--after", query->after, "the page after this cursor, which a page printed")
      ->option_text("CURSOR");
  command.add_option("--before", query->before, "the page before this cursor")
      ->option_text("CURSOR");
  return query;
}

int show_page(const Common& common, const Query& query,
              void (*print)(const Common&, const FoundPage&)) {
  auto app = App::open({.store = common.store, .pages = common.pages});
  if (!app) return fail(app.error());
  auto page = wait((*app)->comments().page(query));
  if (!page) return fail(page.error());
  if (common.json) {
    fmt::print("{}\n", wait(http::page_json(*page, query)));
  } else {
    print(common, *page);
  }
  return done;
}

Command add_page(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("page", "print a page of a product's comments");
  auto query = add_query(*command);
  command->footer(
      "Examples: quire page 42 --language en --rating 4 --rating 5\n"
      "          quire page 42 --filter size=L --filter not.tags=gift\n"
      "          quire page 42 --q 'zipper broke'\n"
      "          quire page 42 --sort -helpful --skip 200 --facets");
  return {command, [&common, query] { return show_page(common, *query, print_table); }};
}

}  // namespace quire::cli
