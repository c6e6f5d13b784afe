// quire export
#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "app/followed_table.h"
#include "app/open.h"
#include "cli/commands.h"
#include "cli/terminal/checks.h"
#include "loop/wait.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "model/validate.h"

namespace quire::cli {
namespace {

constexpr std::size_t rows_a_read = 1000;

// Whether all comments were written. Leaves out damaged ones, and counts them.
bool print(const std::vector<Entry>& entries, std::uint64_t& damaged) {
  for (const auto& entry : entries) {
    if (is_damaged(entry.document)) {
      ++damaged;
      continue;
    }
    auto json = document_json(entry.document);
    if (std::fwrite(json.data(), 1, json.size(), stdout) != json.size() ||
        std::fputc('\n', stdout) == EOF)
      return false;
  }
  return true;
}

Awaitable<Result<Slice>> read(View& view, const std::string& product, std::optional<Ulid> after) {
  if (product.empty()) co_return co_await view.scan(after, rows_a_read);
  co_return co_await view.comments(product, Order::oldest_first, after, rows_a_read);
}

bool print_line(std::string_view json) {
  return std::fwrite(json.data(), 1, json.size(), stdout) == json.size() &&
         std::fputc('\n', stdout) != EOF;
}

// The comments of a queue; of published ones, which are exported already, only the reports.
// Returns whether all was written.
Awaitable<Result<bool>> export_queue(View& view, QueueQuestion question) {
  bool published = question.kind == QueueQuestion::Kind::reported;
  question.limit = rows_a_read;
  do {
    auto page = co_await view.queue(question);
    if (!page) co_return page.error();
    for (const auto& [comment, reports] : page->rows) {
      auto document = encode_document(comment, Members::moderators);
      if (!published && !print_line(document_json(document))) co_return false;
      for (const auto& report : reports)
        if (!print_line(report_json(comment.id, report))) co_return false;
    }
    question.after = page->next;
  } while (question.after);
  co_return true;
}

// Comments that are not published, and the reports that no moderator has answered.
Awaitable<Result<bool>> export_queues(View& view, const std::string& product) {
  using Kind = QueueQuestion::Kind;
  for (auto kind : {Kind::pending, Kind::rejected, Kind::reported}) {
    QueueQuestion question{.kind = kind, .product = product};
    auto written = co_await export_queue(view, std::move(question));
    if (!written || !*written) co_return written;
  }
  co_return true;
}

// `adopted`: a table that others made, which has published comments alone.
Awaitable<Result<int>> export_all(Store& store, std::string product, bool adopted) {
  auto view = store.view();
  std::optional<Ulid> after;
  std::uint64_t found = 0, damaged = 0;
  for (bool end = false; !end;) {
    auto slice = co_await read(*view, product, after);
    if (!slice) co_return slice.error();
    if (!print(slice->entries, damaged)) co_return failed;
    found += slice->entries.size();
    if (!slice->entries.empty()) after = slice->entries.back().id;
    end = slice->end;
  }
  if (!adopted) {
    auto written = co_await export_queues(*view, product);
    if (!written) co_return written.error();
    if (!*written) co_return failed;
  }
  if (std::fflush(stdout) != 0) co_return failed;
  auto counted = co_await view->counted(product);
  if (!counted) co_return counted.error();
  auto missing = counted->value_or(0) > found ? counted->value() - found : 0;
  if (damaged > 0)
    fmt::print(stderr, "quire: {} damaged comments are left out; quire verify names them\n",
               damaged);
  if (missing > 0)
    fmt::print(stderr,
               "quire: {} of {} comments are missing, because pages of the store are damaged; "
               "quire verify names the pages\n",
               missing, counted->value());
  co_return damaged + missing > 0 ? with_differences : done;
}

// It finds the comments of a product in a table that others made. The other stores need none.
Result<std::unique_ptr<PageIndex>> index_of(const Common& common) {
  if (!is_adopted(common.store)) return std::unique_ptr<PageIndex>();
  return open_pages(common.pages, common.store, Access::read);
}

int export_comments(const Common& common, const std::string& product) {
  auto wrong = product.empty() ? std::nullopt : check_product(product);
  if (wrong) return fail(*wrong);
  auto index = index_of(common);
  if (!index) return fail(index.error());
  auto open = open_store(common.store, Access::read, index->get());
  if (!open) return fail(open.error());
  auto status = wait(export_all(*open->store, product, is_adopted(common.store)));
  if (!status) return fail(status.error());
  if (*status == failed)
    return fail({ErrorCode::unavailable, "The export could not be written completely."});
  return *status;
}

}  // namespace

Command add_export(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("export", "print all comments as JSON Lines, oldest first");
  auto product = std::make_shared<std::string>();
  command->add_option("--product", *product, "only the comments of this product")
      ->option_text("P")
      ->check(not_empty);
  command->footer(
      "Those of a table are in no order. Comments that are not published come last,\n"
      "with their status, and reports on lines of their own.\n"
      "Example: quire export --product 42 | gzip > 42.jsonl.gz");
  return {command, [&common, product] { return export_comments(common, *product); }};
}

}  // namespace quire::cli
