// quire import
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

#include "base/try.h"
#include "cli/asking/operators_desk.h"
#include "cli/asking/shop_interface.h"
#include "cli/commands.h"
#include "cli/importing/facts_server.h"
#include "cli/importing/map_file.h"
#include "cli/importing/rows.h"
#include "cli/importing/server_target.h"
#include "cli/importing/targets.h"
#include "cli/terminal/terminal.h"
#include "records/lines.h"

namespace quire::cli {
namespace {

struct ImportOptions {
  std::vector<std::string> files;
  std::string map;  // empty: Quire's own rows
  Given given;
  bool print = false;
  bool products = false;  // the rows are facts of products
  bool facts = false;     // those of products are taken from files of others
  std::string rejects;
  ImportTerms terms;
  ImportedCustomers customers;
  Moderated moderated;  // a server to which the rows are sent
};

Error wrong_use(std::string sentence) {
  return {ErrorCode::invalid_parameter, std::move(sentence)};
}

Status check(const ImportOptions& options) {
  if (options.files.empty()) return wrong_use("Name the file to import; - is standard input.");
  if (options.map.empty() && (!options.given.product.empty() || !options.given.language.empty()))
    return wrong_use("--product and --language are for files of others: name their --map.");
  if (options.products && !options.map.empty())
    return wrong_use("--products takes rows of facts, and --map makes comments: use one of both.");
  if (options.facts && options.map.empty())
    return wrong_use("--facts takes what a --map finds in a file of another system: name one.");
  bool of_comments = options.terms.update || options.terms.again || options.customers.anew;
  if ((options.products || options.facts) && of_comments)
    return wrong_use("--update, --again and --new-customers are for comments, not for facts.");
  if (!options.moderated.server.empty() && options.print)
    return wrong_use("--print sends nothing to a --server: use one of both.");
  for (const auto& file : options.files) {
    if (auto readable = records::Lines::check(file); !readable) return readable;
  }
  return Done{};
}

Status check(const FileMapping& mapping, const ImportOptions& options) {
  if (options.facts && !mapping.facts)
    return wrong_use(options.map +
                     " does not say where facts of products are. Add a section [facts] to a copy "
                     "of it: docs/moving.md shows one.");
  if (!options.facts && !mapping.has_comments)
    return wrong_use(options.map +
                     " says where facts of products are, and of no comments. Take "
                     "these by --facts.");
  return Done{};
}

// Where the rows go, with what that needs.
struct Goal {
  std::unique_ptr<StoreDesk> store = {};
  std::unique_ptr<Target> target = {};
};

Status open_goal(Goal& goal, const Common& common, const ImportOptions& options, Rejects& rejects) {
  if (options.print) {
    goal.target = std::make_unique<PrintTarget>();
    return Done{};
  }
  bool facts = options.products || options.facts;
  if (facts && !options.moderated.server.empty()) {
    TRY(auto server, AskedServer::at(options.moderated.server, options.moderated.token_file));
    goal.target = std::make_unique<ServerFactsTarget>(std::move(server), rejects);
    return Done{};
  }
  if (!options.moderated.server.empty()) {
    TRY(goal.target, ServerTarget::to({.server = options.moderated.server,
                                       .token_file = options.moderated.token_file,
                                       .update = options.terms.update,
                                       .again = options.terms.again,
                                       .new_customers = options.customers.anew},
                                      rejects));
    return Done{};
  }
  TRY(goal.store, open_desk(OperatorsDesk{.store = common.store,
                                          .pages = "none",
                                          .audit_log = options.moderated.audit_log,
                                          .makes_store = true}));
  if (facts) {
    goal.target = std::make_unique<FactsTarget>(*goal.store, rejects);
    return Done{};
  }
  TRY(goal.target, StoreTarget::to(*goal.store, options.terms, options.customers, rejects));
  return Done{};
}

// Gives the rows of all files to the target. An error: the import did not go on.
Status give(const ImportOptions& options, const std::optional<MappedFiles>& mapped, Target& target,
            Rejects& rejects, Remarks& remarks) {
  for (const auto& file : options.files) {
    target.next_file();
    auto given = mapped ? give_mapped_rows(file, *mapped, target, rejects, remarks)
                        : give_own_rows(file, target, rejects);
    if (!given) return given;
    if (target.failed()) break;
  }
  return Done{};
}

// What an import tells at its end: standard output is for rows where it prints some.
void tell(const Common& common, const std::vector<Tally>& tallies, std::uint64_t rejected,
          double seconds, bool complete) {
  std::string text;
  for (const auto& [name, rows] : tallies) {
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    text +=
        common.json ? fmt::format("\"{}\":{},", name, rows) : fmt::format("{} {}, ", rows, words);
  }
  if (common.json) return fmt::print("{{{}\"rejected\":{}}}\n", text, rejected);
  // A batch that failed may have added some of its rows.
  fmt::print("{}{}{} rejected ({:.1f} s)\n", complete ? "" : "at least ", text, rejected, seconds);
}

void tell(const Remarks& remarks) {
  for (const auto& [what, count] : remarks) fmt::print(stderr, "{} {}\n", count, what);
}

int propose(const std::vector<std::string>& files) {
  if (files.size() > 1) return fail(wrong_use("--map new proposes a mapping for one file."));
  auto proposed = proposed_map(files.front());
  if (!proposed) return fail(proposed.error());
  fmt::print("{}", *proposed);
  return done;
}

int import(const Common& common, ImportOptions options) {
  auto begun = std::chrono::steady_clock::now();
  if (options.map == "list") {
    print_maps();
    return done;
  }
  if (auto fit = check(options); !fit) return fail(fit.error());
  if (options.map == "new") return propose(options.files);
  std::optional<MappedFiles> mapped;
  if (!options.map.empty()) {
    auto read = read_map(options.map, options.facts, options.given);
    if (!read) return fail_by_line(read.error());
    if (auto fit = check(*read, options); !fit) return fail(fit.error());
    mapped = {std::move(*read), options.given, options.facts};
  }
  auto rejects = Rejects::to(options.rejects, options.files);
  if (!rejects) return fail(rejects.error());
  Goal goal;
  if (auto opened = open_goal(goal, common, options, *rejects); !opened)
    return fail(opened.error());
  if (auto opened = mapped ? Status{Done{}} : rejects->open(); !opened) return fail(opened.error());
  Remarks remarks;
  auto given = give(options, mapped, *goal.target, *rejects, remarks);
  auto finished = goal.target->finish();
  auto kept = rejects->finish();
  tell(remarks);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  bool complete = given.ok() && finished.ok();
  if (!options.print) tell(common, goal.target->tally(), rejects->count(), seconds, complete);
  for (const auto& status : {finished, given, kept})
    if (!status) return fail(status.error());
  return rejects->count() > 0 ? with_differences : done;
}

constexpr std::string_view footer =
    "A second import of the same file adds nothing. A row without an id is known by\n"
    "product, time, author, rating, title and text; rows that are equal in these\n"
    "count within their file: do not split it, else those of two parts are one.\n"
    "A row, on one line:\n"
    "  {\"product\": \"42\", \"language\": \"en\", \"rating\": 5, \"title\": \"Fits\", \"text\": "
    "\"…\",\n"
    "   \"author\": \"Ann\", \"created_at\": \"2024-11-20T12:01:00Z\",\n"
    "   \"attributes\": {\"size\": \"L\"}}\n"
    "A rating may be \"5\", a product 42. Without a zone, a time is of UTC.\n"
    "With --products: {\"product\": \"42\", \"name\": \"Desk lamp\"}; or more: url, image,\n"
    "brand, gtin, mpn, sku.\n"
    "Examples: quire import comments.jsonl.gz --rejects rejects.jsonl\n"
    "          quire import reviews.csv --map judgeme";

void add_options_of_files(CLI::App& command, ImportOptions& options) {
  command
      .add_option("--map", options.map,
                  "of another system: a name of --map list, or a file; --map new proposes one for "
                  "the file")
      ->option_text("NAME|FILE|list|new");
  command.add_flag("--print", options.print, "print the rows, and store nothing");
  command.add_flag("--facts", options.facts, "take facts of products alone, with --map");
  command.add_option("--product", options.given.product, "product of all rows, with --map")
      ->option_text("PRODUCT");
  command
      .add_option("--language", options.given.language,
                  "language of rows that name none, with --map")
      ->option_text("TAG");
}

}  // namespace

Command add_import(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("import", "add comments of a file, each once");
  auto options = std::make_shared<ImportOptions>();
  command->add_option("FILE", options->files, "files, plain or .gz; - for standard input");
  add_options_of_files(*command, *options);
  command->add_flag("--update", options->terms.update,
                    "comments that are there take what their rows have");
  command->add_flag("--again", options->terms.again, "take comments that were removed here, too");
  command
      ->add_option("--rejects", options->rejects,
                   "for the rows that are rejected, with the reason; of a line over 1 MiB its "
                   "beginning")
      ->option_text("FILE");
  command->add_flag("--products", options->products, "the rows are facts, and replace a product's");
  command
      ->add_option("--customer-key", options->customers.key_file,
                   "file with the key of customers, as quire serve has it, for rows with customers")
      ->envname("QUIRE_CUSTOMER_KEY")
      ->option_text("FILE");
  command->add_flag("--new-customers", options->customers.anew,
                    "take rows of customers whose key is not this store's: as new persons");
  add_server(*command, options->moderated, "import");
  add_audit_log(*command, options->moderated, "what is imported is");
  command->footer(std::string(footer));
  return {command, [&common, options] { return import(common, *options); }};
}

}  // namespace quire::cli
