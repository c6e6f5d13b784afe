// quire import
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>

#include "app/open.h"
#include "cli/commands.h"
#include "cli/lines.h"
#include "cli/terminal/terminal.h"
#include "loop/loop.h"
#include "product/facts.h"
#include "service/importer.h"

namespace quire::cli {
namespace {

constexpr std::size_t max_reported = 20;
constexpr std::size_t facts_at_once = 10'000;  // of one transaction

struct ImportOptions {
  std::vector<std::string> files;
  std::string rejects;
  std::string customer_key;
  bool new_customers = false;  // rows of customers under another key are taken
  bool products = false;       // the rows are facts of products
  ImportTerms terms;
};

// The rows that the import rejects. Reports the first ones, and writes all to the rejects file.
class Rejects {
 public:
  Status open(const std::string& file, const std::vector<std::string>& inputs) {
    if (file.empty()) return Done{};
    for (const auto& input : inputs) {
      std::error_code missing;
      if (std::filesystem::equivalent(file, input, missing)) {
        return Error{ErrorCode::invalid_parameter,
                     "--rejects names a file that is imported: " + file + ". Name another file."};
      }
    }
    out_.open(file, std::ios::trunc | std::ios::binary);
    if (!out_)
      return Error{ErrorCode::unavailable,
                   "Cannot write the rejects file " + file + ": " + std::strerror(errno) + "."};
    return Done{};
  }

  void add(const std::string& file, const Lines& lines, std::string_view reason) {
    if (++count_ <= max_reported)
      fmt::print(stderr, "{}:{}: {}\n", file, lines.number(), printable(reason));
    if (count_ == max_reported + 1)
      fmt::print(stderr, "… and more{}\n", out_.is_open() ? "" : "; --rejects FILE keeps them all");
    if (out_.is_open()) out_ << lines.text() << '\n';
  }

  // Whether the rejects file was written completely.
  bool close() {
    if (!out_.is_open()) return true;
    out_.close();
    return !out_.fail();
  }
  std::size_t count() const { return count_; }

 private:
  std::ofstream out_;
  std::size_t count_ = 0;
};

// What a file is that begins with this line. Empty: it may be JSON Lines.
std::string_view other_kind(std::string_view line) {
  auto first = line[std::min(line.find_first_not_of(" \t"), line.size() - 1)];
  if (first == '[') return "a JSON array";
  bool name = std::isalpha(static_cast<unsigned char>(first)) || first == '"';
  bool fields = line.find_first_of(",;\t") != line.npos && line.find('{') == line.npos;
  return name && fields ? "CSV" : "";
}

Error not_json_lines(const std::string& file, std::string_view kind) {
  return {
      ErrorCode::invalid_parameter,
      fmt::format("{} looks like {}. quire import takes JSON Lines: on each line a JSON object, "
                  "as quire import --help shows.",
                  file, kind)};
}

// Takes each row of a file until `failed()`. Nothing, or the error for which the import cannot go
// on.
std::optional<Error> import_file(const std::string& file, Rejects& rejects,
                                 const std::function<bool()>& failed,
                                 const std::function<Status(std::string_view)>& take) {
  auto lines = Lines::open(file);
  if (!lines) return lines.error();
  Progress progress("importing " + file);
  std::uint64_t rows = 0;
  while (!failed() && lines->next()) {
    if (lines->too_long()) {
      rejects.add(file, *lines, "The line has over 1 MiB; only its beginning is kept.");
    } else if (lines->text().empty()) {
      continue;
    } else if (auto kind = rows == 0 ? other_kind(lines->text()) : ""; !kind.empty()) {
      return not_json_lines(file, kind);
    } else if (auto taken = take(lines->text()); !taken) {
      rejects.add(file, *lines, taken.error().message);
    }
    progress.show(lines->part(), ++rows);
  }
  if (!lines->failed().empty()) {
    return Error{ErrorCode::unavailable, fmt::format("{} is damaged after line {}: {}.", file,
                                                     lines->number(), lines->failed())};
  }
  return {};
}

Awaitable<Result<Schema>> schema_of(Store& store) {
  auto view = store.view();
  auto schema = co_await view->schema();
  if (!schema) co_return schema.error();
  co_return **schema;
}

Status finish(Importer& importer) {
  Progress progress("storing the sorted rows");
  return importer.finish([&](double part) { progress.show(part, importer.counts().rows()); });
}

// A report without its comment is left out.
std::optional<Error> keep(Store& store, std::vector<ReportRow>& reports) {
  for (auto& [comment, report] : reports) {
    auto kept = wait(store.keep_report(comment, std::move(report)));
    if (!kept && kept.error().code != ErrorCode::not_found) return kept.error();
  }
  return {};
}

// Reads the key with the first row that needs it: other imports make none.
Importer::HashOf hash_by_key(const OpenStore& open, const std::string& file) {
  auto key = std::make_shared<std::optional<Result<identity::CustomerKey>>>();
  return [&open, file, key](std::string_view customer) -> Result<CustomerHash> {
    if (!*key) key->emplace(customer_key_of(open, file, Access::write));
    if (!**key) return (*key)->error();
    return (*key)->value().hash(customer);
  };
}

Importer::SameKey same_key(const OpenStore& open, const ImportOptions& options) {
  if (options.new_customers) return {};
  return
      [&](std::string_view check) { return has_customer_key(open, options.customer_key, check); };
}

struct Outcome {
  Imported counts = {};               // facts that are replaced are known
  std::optional<Error> stopped = {};  // for which the import did not go on
};

void name_those_that_differ(const Imported& counts) {
  for (const auto& id : counts.named)
    fmt::print(stderr, "{} differs from the comment that is there\n", id.text());
  if (counts.differing > counts.named.size()) fmt::print(stderr, "… and more\n");
  if (counts.differing > 0) fmt::print(stderr, "--update takes what the file has of them\n");
}

Result<Outcome> import_comments(const OpenStore& open, const ImportOptions& options,
                                Rejects& rejects) {
  auto schema = wait(schema_of(*open.store));
  if (!schema) return schema.error();
  Importer importer(
      [&](std::vector<ImportRow> batch) {
        return wait(open.store->import_rows(std::move(batch), options.terms));
      },
      open.store->batch(), system_ms(), std::move(*schema), open.store->sorting_directory(),
      hash_by_key(open, options.customer_key), same_key(open, options),
      [&](const Comment& comment) { return open.store->refuses(comment); });
  std::optional<Error> stopped;
  for (const auto& file : options.files) {
    importer.next_file();
    stopped = import_file(
        file, rejects, [&] { return importer.failed().has_value(); },
        [&](std::string_view line) { return importer.add(line); });
    if (stopped) break;
  }
  auto finished = finish(importer);
  if (!finished) stopped = finished.error();
  if (!stopped) stopped = keep(*open.store, importer.reports());
  if (!stopped && !importer.removed().empty()) {
    auto kept = wait(open.store->keep_removed(std::move(importer.removed())));
    if (!kept) stopped = kept.error();
  }
  name_those_that_differ(importer.counts());
  return Outcome{importer.counts(), std::move(stopped)};
}

// Of several rows of a product, the last counts.
Result<Outcome> import_facts(Store& store, const ImportOptions& options, Rejects& rejects) {
  Outcome all;
  std::vector<NamedFacts> batch;
  auto put = [&] {
    auto size = batch.size();
    auto fresh = wait(store.put_facts(std::exchange(batch, {})));
    if (!fresh) return void(all.stopped = fresh.error());
    all.counts.added += *fresh;
    all.counts.known += size - *fresh;
  };
  auto take = [&](std::string_view line) -> Status {
    auto row = parse_facts_row(line);
    if (!row) return row.error();
    batch.push_back(std::move(*row));
    if (batch.size() == facts_at_once) put();
    return Done{};
  };
  for (const auto& file : options.files) {
    auto stopped = import_file(
        file, rejects, [&] { return all.stopped.has_value(); }, take);
    if (stopped && !all.stopped) all.stopped = std::move(stopped);
    if (all.stopped) break;
  }
  if (!all.stopped && !batch.empty()) put();
  return all;
}

std::string told(const Imported& counts, bool products, std::size_t rejected) {
  if (products)
    return fmt::format("{} added, {} replaced, {} rejected", counts.added, counts.known, rejected);
  return fmt::format("{} added, {} known, {} differing, {} updated, {} removed here, {} rejected",
                     counts.added, counts.known, counts.differing, counts.updated,
                     counts.removed_here, rejected);
}

std::string json_of(const Imported& counts, bool products, std::size_t rejected) {
  if (products)
    return fmt::format(R"({{"added":{},"replaced":{},"rejected":{}}})", counts.added, counts.known,
                       rejected);
  return fmt::format(
      R"({{"added":{},"known":{},"differing":{},"updated":{},"removed_here":{},"rejected":{}}})",
      counts.added, counts.known, counts.differing, counts.updated, counts.removed_here, rejected);
}

int import(const Common& common, const ImportOptions& options) {
  auto begun = std::chrono::steady_clock::now();
  for (const auto& file : options.files) {
    if (auto readable = Lines::check(file); !readable) return fail(readable.error());
  }
  Rejects rejects;
  auto open = open_store(common.store, Access::write);
  if (!open) return fail(open.error());
  // Opened last, so that an import that cannot begin leaves the rejects of an earlier one alone.
  if (auto opened = rejects.open(options.rejects, options.files); !opened)
    return fail(opened.error());
  auto imported = options.products ? import_facts(*open->store, options, rejects)
                                   : import_comments(*open, options, rejects);
  if (!imported) return fail(imported.error());
  auto& [counts, stopped] = *imported;
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  if (common.json) {
    fmt::print("{}\n", json_of(counts, options.products, rejects.count()));
  } else {
    // A batch that failed may have added some of its rows.
    fmt::print("{}{} ({:.1f} s)\n", stopped ? "at least " : "",
               told(counts, options.products, rejects.count()), seconds);
  }
  if (!rejects.close())
    stopped = Error{ErrorCode::unavailable, "The rejects file could not be written completely."};
  if (stopped) return fail(*stopped);
  return rejects.count() > 0 ? with_differences : done;
}

}  // namespace

Command add_import(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("import", "add comments from JSON Lines, each once");
  auto options = std::make_shared<ImportOptions>();
  command->add_option("FILE", options->files, "files, plain or .gz; - for standard input")
      ->required();
  command
      ->add_option("--rejects", options->rejects,
                   "for the rows that are rejected, unchanged; of a line over 1 MiB its beginning")
      ->option_text("FILE");
  command->add_flag("--update", options->terms.update,
                    "rows change the comments that are there: what a row has, but for product,\n"
                    "time, status, customer and votes");
  command->add_flag("--again", options->terms.again,
                    "take rows again whose comments were removed or erased here");
  command->add_flag("--products", options->products,
                    "the rows are facts of products, in place of those before");
  command
      ->add_option("--customer-key", options->customer_key,
                   "file with the key of customers, as quire serve has it, for rows with customers")
      ->envname("QUIRE_CUSTOMER_KEY")
      ->option_text("FILE");
  command->add_flag("--new-customers", options->new_customers,
                    "take rows of customers whose key is not this store's: as new persons");
  command->footer(
      "A second import of the same file adds nothing. A row without an id is known by\n"
      "product, time, author, rating, title and text; rows that are equal in these\n"
      "count within their file: do not split it, else those of two parts are one. Rows\n"
      "of equal times sort by id. A row, on one line:\n"
      "  {\"product\": \"42\", \"language\": \"en\", \"rating\": 5, \"title\": \"Fits\", \"text\": "
      "\"…\",\n"
      "   \"author\": \"Ann\", \"created_at\": \"2024-11-20T12:01:00Z\",\n"
      "   \"attributes\": {\"size\": \"L\"}}\n"
      "A member that is null is absent. A rating may be 5.0 or \"5\", a product 42. Times\n"
      "are of ISO 8601: 2024-11-20 12:01:00, 2024-11-20T12:01+0100; a date is its first\n"
      "moment, and UTC stands in for a zone that is not named.\n"
      "With --products: {\"product\": \"42\", \"name\": \"Desk lamp\"}; or more: url, image,\n"
      "brand, gtin, mpn, sku.\n"
      "Example: quire import comments.jsonl.gz --rejects rejects.jsonl");
  return {command, [&common, options] { return import(common, *options); }};
}

}  // namespace quire::cli
