// quire generate
#include <fmt/core.h>

#include <cstdio>
#include <memory>

#include "app/open.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/demo.h"
#include "cli/generator/generator.h"
#include "cli/terminal/terminal.h"
#include "loop/loop.h"
#include "model/document.h"

namespace quire::cli {
namespace {

struct GenerateOptions {
  Generation generation{.comments = 10'000, .products = 50, .seed = 1};
  bool to_stdout = false;
  bool demo = false;
};

int print(Generator generator) {
  while (auto comment = generator.next()) {
    auto document = encode_document(*comment);
    auto json = document_json(document);
    if (std::fwrite(json.data(), 1, json.size(), stdout) != json.size() ||
        std::fputc('\n', stdout) == EOF)
      break;
  }
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return done;
  return fail({ErrorCode::unavailable, "The comments could not be written completely."});
}

int tell(const Common& common, std::size_t added, std::size_t known) {
  if (common.json) {
    fmt::print("{{\"added\":{},\"known\":{}}}\n", added, known);
  } else {
    fmt::print("{} added, {} already there\n", added, known);
  }
  return done;
}

int store(const Common& common, const GenerateOptions& options) {
  auto open = open_store(common.store, Access::write);
  if (!open) return fail(open.error());
  if (options.generation.attributes) {
    auto declared = wait(declare_missing(*open->store, generated_facets()));
    if (!declared) return fail(declared.error());
  }
  Generator generator(options.generation);
  Progress progress("generating");
  std::size_t added = 0, made = 0;
  for (auto comment = generator.next(); comment;) {
    std::vector<Comment> batch;
    for (; comment && batch.size() < open->store->batch(); comment = generator.next())
      batch.push_back(std::move(*comment));
    made += batch.size();
    auto written = wait(open->store->insert_many(std::move(batch)));
    if (!written) return fail(written.error());
    added += *written;
    progress.show(static_cast<double>(made) / static_cast<double>(options.generation.comments),
                  made);
  }
  return tell(common, added, made - added);
}

int store_demo(const Common& common) {
  auto open = open_store(common.store, Access::write);
  if (!open) return fail(open.error());
  auto filled = fill_demo(*open->store);
  if (!filled) return fail(filled.error());
  return tell(common, filled->added, filled->known);
}

}  // namespace

Command add_generate(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("generate", "make random but repeatable comments");
  auto options = std::make_shared<GenerateOptions>();
  auto& generation = options->generation;
  command->add_option("--comments", generation.comments, "number of comments")
      ->option_text("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000'000));
  command->add_option("--products", generation.products, "number of products")
      ->option_text("N")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000'000));
  command->add_option("--seed", generation.seed, "the same seed gives the same comments")
      ->option_text("S")
      ->capture_default_str();
  command->add_flag(
      "--facets", generation.attributes,
      "comments have attributes: verified, size, country, tags and helpful; the store "
      "gets these facets");
  auto* to_stdout = command->add_flag("--stdout", options->to_stdout,
                                      "print the comments as JSON Lines and store nothing");
  command
      ->add_flag("--demo", options->demo,
                 "a small shop instead: products with names and pictures, replies, and "
                 "comments that wait for a moderator")
      ->excludes(to_stdout);
  command->footer("Example: quire generate --comments 100000 --products 500 --seed 7 --facets");
  return {command, [&common, options] {
            if (options->demo) return store_demo(common);
            return options->to_stdout ? print(Generator(options->generation))
                                      : store(common, *options);
          }};
}

}  // namespace quire::cli
