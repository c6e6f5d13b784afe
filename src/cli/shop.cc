// quire shop
#include <fmt/core.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/webhook.h"
#include "shop/shop.h"

namespace quire::cli {
namespace {

constexpr const char* first_file =
    R"shop(# What the shop decides. Everything may be left out. After a change: quire shop check FILE.
# A server that runs takes the change within two seconds, if there is no fault in it.

[shop]
# Stands at the top of every page, in its title, and in feeds. At most 100 characters.
# Left out: Quire.
name = "My shop"

# A file at the top of every page: .svg, .png, .webp or .jpg.
# logo = "logo.svg"

# The colour of links and buttons. Texts in it must be readable on white.
# colour = "#1a7f5a"

# A style sheet behind that of the pages.
# style = "shop.css"

# Where the logo leads, and the shop's own page of a product.
# home = "https://shop.example"
# product_url = "https://shop.example/p/{product}"

# The language of visitors whose languages have no texts; and a folder with files such as sv.toml,
# which change single texts of the pages, or add a language.
language = "en"
# texts = "texts"

# The time zone in whose days pages show when something was written, such as "America/Los_Angeles".
# The interface for programs, the commands and the logs tell all times in UTC.
zone = "UTC"

# Begin a product's page with the comments in the visitor's languages, where it has such.
visitor_language = false

# Origins of the shop's own pages, such as ["https://shop.example"]. They may embed comments and
# form, and ask the HTTP interface from a browser. Pages of other origins may not.
embed = []

# Who may read the comments of all products in one list (/v1/comments) and one feed
# (/comments.atom): those who have a token (private), or anyone (public).
lists = "private"

# Hosts from which pages may load pictures of comments, such as ["img.shop.example"].
media = []

[writing]
# Who may write, besides programs with a token: nobody, customers (with a token that the shop has
# signed, or an invitation), or anyone.
who = "nobody"

# Where the pages send those who want to write: the shop's own page. Left out: to the form, where
# anyone may write, and nowhere else.
# link = "https://shop.example/account/reviews?product={product}"

# Take one comment of a customer for a product.
once = false

# Attributes that customers may fill in, such as ["size", "fit"].
fields = []

# How many days customers may change their own comments; 0: never. They may always delete them.
edit_days = 0

[moderation]
# Which comments wait until a moderator publishes them:
#   none   none of them. The rules below may stay, and rest
#   all    all of them
#   rules  those that any of the rules below holds
hold = "none"

# A rule: comments of a customer who has none published.
first = false

# A rule: comments with a link or a mail address.
links = true

# A rule: comments with one of the phrases in a file, a phrase a line. They are found as whole
# words, whatever their case and accents. The file's path is relative to this file.
# words = "words.txt"

# When so many people have reported a published comment, it waits for a moderator again. From 0
# to 100; 0: never.
reports = 0

[votes]
# Who may say whether a comment was helpful: off, or customers (with a token that the shop has
# signed).
who = "off"

[feeds]
# Keep a log of what happens to comments, which the shop's programs follow: GET /v1/changes with a
# token of the scope feed. docs/changes.md
changes = false

# Make Google's feed of product reviews, of published comments, at /feeds/google-reviews.xml: at
# most once an hour, when it is asked for.
google = false

# Who signs tokens for customers; one table for each. The algorithm is HS256, ES256, RS256 or EdDSA,
# and no other is accepted. The keys are public ones (a JSON Web Key Set). In place of keys, HS256
# may have a secret: the name of a file with 32 bytes or more, which the shop's server knows, too.
# [[identity]]
# issuer = "https://shop.example"
# audience = "reviews"
# algorithm = "ES256"
# keys = "jwks.json"

# Where Quire tells what happens to comments; one table for each, at most 16. Each has a name, and an
# address with https://. The secret is the name of a file with a line that this command prints:
# echo "whsec_$(openssl rand -base64 32)". The receiver knows it, too. The format "slack" is for
# Slack, Mattermost, Rocket.Chat and Discord's addresses that end in /slack; it needs no secret.
# Left out, events are all but votes; of "slack" new comments.
# [[webhook]]
# name = "bad-reviews"
# url = "https://hooks.slack.com/services/T0/B0/x"
# format = "slack"
# rating.max = 2
# [[webhook]]
# name = "copy"
# url = "https://shop.example/quire"
# secret = "webhook-secret"
# events = ["comment.posted", "comment.changed", "comment.removed"]
# language = ["en", "de"]
# products = ["shoes-"]
# imported = true
)shop";

constexpr const char* service_user = "quire";  // the package makes it, and its unit runs as it

struct CheckOptions {
  std::string file, user;
};

// Goes on as this user, who reads the file in the end: root may read all. Nobody else can become
// another user. Returns the user's name; empty: it is not known.
Result<std::string> become(const std::string& name) {
  bool root = geteuid() == 0;
  const auto* user = !name.empty() ? getpwnam(name.c_str())
                     : root        ? getpwnam(service_user)
                                   : getpwuid(geteuid());
  if (!user && !name.empty())
    return Error{ErrorCode::invalid_parameter, "There is no user " + name + "."};
  if (!user) return std::string(root ? "root" : "");
  std::string known = user->pw_name;
  if (user->pw_uid == geteuid()) return known;
  if (!root || initgroups(user->pw_name, user->pw_gid) != 0 || setgid(user->pw_gid) != 0 ||
      setuid(user->pw_uid) != 0)
    return Error{ErrorCode::invalid_parameter, "Only root can check as the user " + known +
                                                   ". Leave --user out, or become root."};
  return known;
}

int check_shop(const Common& common, const CheckOptions& options) {
  const auto& file = options.file;
  auto user = become(options.user);
  if (!user) return fail(user.error());
  auto shop = shop::read(file);
  if (!shop) {
    fail_by_line(shop.error());
    if (shop.error().code == ErrorCode::unavailable && geteuid() != 0 && !user->empty())
      fmt::print(stderr,
                 "quire: The server reads the files as the user {}. Give each to the user's group: "
                 "{}\n",
                 *user, commands_to_share("FILE"));
    return failed;
  }
  for (const auto& warning : shop->warnings) fmt::print(stderr, "quire: {}\n", warning);
  for (const auto& trouble : webhook_troubles(common.store, *shop))
    fmt::print(stderr, "quire: {}\n", trouble);
  fmt::print("{} is in order{}.\n", file,
             user->empty() ? "" : ", as the user " + *user + " reads it");
  return done;
}

int new_shop() {
  fmt::print("{}", first_file);
  return done;
}

}  // namespace

Command add_shop(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("shop", "check the file of what a shop decides, or begin one");
  command->require_subcommand(1);
  command->footer("Example: quire shop new > shop.toml && quire shop check shop.toml");
  auto options = std::make_shared<CheckOptions>();
  auto* check = command->add_subcommand("check", "say what is wrong with a shop file; then exit 1");
  check->add_option("FILE", options->file, "the shop file, as quire serve --shop takes it")
      ->required();
  check
      ->add_option("--user", options->user,
                   "who will read the file; of root: the service's user quire, where there is one")
      ->option_text("NAME");
  check->footer("Example: quire shop check shop.toml");
  auto* make = command->add_subcommand("new", "print a shop file with every line explained");
  make->footer("Example: quire shop new > shop.toml");
  return {command, [&common, options, check] {
            return check->parsed() ? check_shop(common, *options) : new_shop();
          }};
}

}  // namespace quire::cli
