// quire token new
#include <fmt/core.h>

#include <memory>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/terminal/checks.h"
#include "desk/tokens.h"
#include "model/validate.h"

namespace quire::cli {
namespace {

struct TokenOptions {
  std::string file;
  std::string name;
  std::string scopes = "post,edit";
  std::string until;
  std::string product;
};

Error wrong(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message)};
}

Result<desk::Token> token_of(const TokenOptions& options) {
  desk::Token token{.hash = {},
                    .name = options.name,
                    .scopes = {},
                    .until = options.until,
                    .product = options.product};
  if (!token.name.empty() && !desk::is_token_name(token.name))
    return wrong("--name takes 1 to 64 letters, digits, dots, dashes and underscores.");
  auto scopes = desk::parse_scopes(options.scopes);
  if (!scopes)
    return wrong(
        "--scopes takes post, edit, import, moderate, reply, invite, products, atom, feed and "
        "admin, with commas between.");
  token.scopes = std::move(*scopes);
  auto end = desk::end_of(token.until);
  if (!token.until.empty() && !end)
    return wrong(
        "--until takes a date, such as 2027-01-31, or an RFC 3339 time, such as "
        "2027-01-31T12:00:00Z.");
  if (end && *end < system_ms())
    return wrong("--until is in the past, so the token would never work. Give a later date.");
  if (!token.product.empty() && !is_product_name(token.product))
    return wrong("--product takes the beginning of a product: at most 256 bytes of UTF-8.");
  return token;
}

int new_token(const TokenOptions& options) {
  auto token = token_of(options);
  if (!token) return fail(token.error());
  auto secret = desk::Tokens::add(options.file, std::move(*token));
  if (!secret) return fail(secret.error());
  fmt::print("{}\n", *secret);
  fmt::print(stderr,
             "This token is shown once; {} keeps its hash. A running server takes it within a "
             "second.\n",
             options.file);
  return done;
}

}  // namespace

Command add_token(CLI::App& app, Common&) {
  auto* command = app.add_subcommand("token", "make tokens with which clients may write");
  command->require_subcommand(1);
  command->footer("Example: quire token new --tokens tokens.txt --name shop");
  auto options = std::make_shared<TokenOptions>();
  auto* make =
      command->add_subcommand("new", "print a new token once, and append its hash to the file");
  make->add_option("--tokens", options->file,
                   "file for the hash; made if missing, in a folder that exists")
      ->option_text("FILE")
      ->required()
      ->envname("QUIRE_TOKENS");
  make->add_option("--name", options->name,
                   "name of the token in logs; without it the first digits of its hash")
      ->option_text("NAME")
      ->check(not_empty);
  make->add_option(
          "--scopes", options->scopes,
          "post, edit (change and remove), import (post, also with created_at, and bring rows), "
          "moderate (decide which are published), reply (to comments), invite (customers), "
          "products (tell facts of products), feed (read changes), atom (read the list of all as "
          "a feed), admin (all of these)")
      ->option_text("SCOPE,...")
      ->capture_default_str();
  make->add_option("--until", options->until,
                   "last day on which the token works, in UTC, or an RFC 3339 time")
      ->option_text("DATE")
      ->check(not_empty);
  make->add_option("--product", options->product,
                   "prefix of the products to which the token may write")
      ->option_text("PREFIX")
      ->check(not_empty);
  make->footer(
      "Example: quire token new --tokens tokens.txt --name importer --scopes import \\\n"
      "           --until 2027-01-31 --product shop-a/");
  return {command, [options] { return new_token(*options); }};
}

}  // namespace quire::cli
