// quire export
#include <fmt/core.h>

#include <cstdio>
#include <map>
#include <memory>
#include <utility>

#include "app/followed_table.h"
#include "app/open.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/terminal/checks.h"
#include "loop/loop.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "model/validate.h"
#include "product/facts.h"
#include "store/moderation_view.h"

namespace quire::cli {
namespace {

constexpr std::size_t rows_a_read = 1000;

// What the export has so far.
struct Exported {
  std::string customer_key;               // the check text of the store's; empty: none, or told
  std::uint64_t published = 0, held = 0;  // comments, with the damaged ones
  std::uint64_t damaged = 0;              // comments that were read as damaged ones
  bool whole = true;                      // whether all lines were written
  bool contacts = false;                  // whether reports have those who gave notice
};

void print_line(Exported& out, std::string_view json) {
  out.whole = std::fwrite(json.data(), 1, json.size(), stdout) == json.size() &&
              std::fputc('\n', stdout) != EOF && out.whole;
}

void print_reports(Exported& out, const Queued& row) {
  for (const auto& report : row.reports)
    print_line(out, report_json(row.comment.id, report, out.contacts));
}

// The key is told before the first row that needs it.
void print_document(Exported& out, std::string_view document) {
  if (!out.customer_key.empty() && customer_of(document))
    print_line(out, customer_key_json(std::exchange(out.customer_key, {})));
  print_line(out, exported_json(document));
}

void print(Exported& out, const Comment& comment) {
  print_document(out, encode_document(comment, Members::kept));
}

// `moderated`: those of the comments that moderators have decided on, and the reports.
void print(Exported& out, const std::vector<Entry>& entries, const std::vector<Queued>& moderated) {
  std::map<Ulid, const Comment*> decided;
  for (const auto& row : moderated) decided.emplace(row.comment.id, &row.comment);
  for (const auto& entry : entries) {
    auto known = decided.find(entry.id);
    if (is_damaged(entry.document))
      ++out.damaged;
    else if (known != decided.end())
      print(out, *known->second);
    else
      print_document(out, entry.document);
  }
  out.published += entries.size();
  for (const auto& row : moderated) print_reports(out, row);
}

Awaitable<Result<Slice>> read(View& view, const std::string& product, std::optional<Ulid> after) {
  if (product.empty()) co_return co_await view.scan(after, rows_a_read);
  co_return co_await view.comments(product, Order::oldest_first, after, rows_a_read);
}

Awaitable<Status> export_published(View& view, const std::string& product, Exported& out) {
  std::optional<Ulid> after;
  for (bool end = false; !end && out.whole;) {
    CO_TRY(auto slice, co_await read(view, product, after));
    std::vector<Queued> moderated;
    if (auto* moderation = view.moderation()) {
      CO_TRY(moderated, co_await moderation->moderated(product, slice.entries));
    }
    print(out, slice.entries, moderated);
    if (!slice.entries.empty()) after = slice.entries.back().id;
    end = slice.end;
  }
  co_return Done{};
}

Awaitable<Status> export_queue(ModerationView& view, QueueQuestion question, Exported& out) {
  question.limit = rows_a_read;
  do {
    CO_TRY(auto page, co_await view.queue(question));
    for (const auto& row : page.rows) {
      print(out, row.comment);
      print_reports(out, row);
    }
    out.held += page.rows.size() + page.damaged;
    question.after = page.next;
  } while (question.after && out.whole);
  co_return Done{};
}

// Comments that were removed or emptied: an import passes them over, here and there.
Awaitable<Status> export_removed(View& view, Exported& out) {
  for (bool more = true; more && out.whole;) {
    CO_TRY(auto ids, co_await view.removed());
    for (const auto& id : ids) print_line(out, removed_json(id));
    more = !ids.empty();
  }
  co_return Done{};
}

// How many comments the store has by its own counts. Absent: its counts may be behind.
Awaitable<Result<std::optional<std::uint64_t>>> count_held(View& view, const std::string& product) {
  using Count = std::optional<std::uint64_t>;
  if (!product.empty()) co_return Count();  // they are not counted by product
  auto* moderation = view.moderation();
  if (!moderation) co_return Count();
  CO_TRY(auto totals, co_await moderation->status_totals());
  if (!totals) co_return Count();
  const auto& comments = totals->comments;
  co_return Count(comments[static_cast<int>(CommentStatus::pending)] +
                  comments[static_cast<int>(CommentStatus::rejected)]);
}

// Tells what the export lacks. `left_out`: damaged rows of any kind that the view left out.
int tell(const Exported& out, std::uint64_t left_out, std::uint64_t counted_published,
         std::uint64_t counted_held) {
  auto missing = [](std::uint64_t counted, std::uint64_t found) {
    return counted > found ? counted - found : 0;
  };
  auto lost = missing(counted_published, out.published) + missing(counted_held, out.held);
  int status = tell_of_missing(out.damaged + left_out);
  if (lost > 0)
    fmt::print(stderr,
               "quire: {} of {} comments are missing, because pages of the store are damaged; "
               "quire verify names the pages\n",
               lost, counted_published + counted_held);
  return lost > 0 ? with_differences : status;
}

Awaitable<Result<int>> export_all(Store& store, std::string product, Exported out) {
  auto view = store.view();
  CO_TRY_DONE(co_await export_published(*view, product, out));
  for (auto kind : {QueueQuestion::Kind::pending, QueueQuestion::Kind::rejected}) {
    auto* moderation = view->moderation();
    if (!moderation) break;
    QueueQuestion question{.kind = kind, .product = product};
    CO_TRY_DONE(co_await export_queue(*moderation, std::move(question), out));
  }
  if (product.empty()) {
    CO_TRY_DONE(co_await export_removed(*view, out));
  }
  if (!out.whole || std::fflush(stdout) != 0) co_return failed;
  CO_TRY(auto counted, co_await view->counted(product));
  CO_TRY(auto held, co_await count_held(*view, product));
  co_return tell(out, view->left_out(), counted.value_or(0), held.value_or(0));
}

// Prints what the shop tells of its products, as an import of them takes it.
Awaitable<Result<int>> export_facts(Store& store, std::string only) {
  auto view = store.view();
  Exported out;
  std::vector<std::string> names;
  if (!only.empty()) names.push_back(std::move(only));
  bool all = names.empty();
  for (std::string after; out.whole;) {
    if (all) {
      CO_TRY(names, co_await view->names(after, rows_a_read));
    }
    CO_TRY(auto facts, co_await view->facts(names));
    for (std::size_t i = 0; i < names.size(); ++i)
      if (const auto& told = facts[i]) print_line(out, encode_facts_row({names[i], *told}));
    if (!all || names.empty()) break;
    after = names.back();
  }
  if (!out.whole || std::fflush(stdout) != 0) co_return failed;
  co_return tell_of_missing(view->left_out());
}

// It finds the comments of a product in a table that others made. The other stores need none.
Result<std::unique_ptr<PageIndex>> index_of(const Common& common) {
  if (!is_adopted(common.store)) return std::unique_ptr<PageIndex>();
  return open_pages(common.pages, common.store, Access::read);
}

struct ExportOptions {
  std::string product;
  bool products = false;  // the facts of products instead of comments
  bool contacts = false;  // of notices
};

int export_lines(const Common& common, const ExportOptions& options) {
  const auto& product = options.product;
  auto named = product.empty() ? Status(Done{}) : check_product(product);
  if (!named) return fail(named.error());
  auto index = index_of(common);
  if (!index) return fail(index.error());
  auto open = open_store(common.store, Access::read, index->get());
  if (!open) return fail(open.error());
  Result<std::string> key = std::string();
  if (open->customer_check && !options.products) key = open->customer_check({});
  if (!key) return fail(key.error());
  Exported out{.customer_key = *key, .contacts = options.contacts};
  auto status = options.products ? wait(export_facts(*open->store, product))
                                 : wait(export_all(*open->store, product, std::move(out)));
  if (!status) return fail(status.error());
  if (*status == failed)
    return fail({ErrorCode::unavailable,
                 "The export could not be written completely. See whether its disk is full, and "
                 "export again."});
  return *status;
}

}  // namespace

Command add_export(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("export", "print all comments as JSON Lines, oldest first");
  auto options = std::make_shared<ExportOptions>();
  command->add_option("--product", options->product, "only those of this product")
      ->option_text("P")
      ->check(not_empty);
  command->add_flag("--products", options->products,
                    "what the shop tells of its products, instead of comments");
  command->add_flag("--private", options->contacts,
                    "with name and mail of those who gave notice of a comment");
  command->footer(
      "Those of a table are in no order. Comments that are not published come last,\n"
      "with their status. Reports have lines of their own.\n"
      "Example: quire export --product 42 | gzip > 42.jsonl.gz");
  return {command, [&common, options] { return export_lines(common, *options); }};
}

}  // namespace quire::cli
