// quire reply
#include <fmt/core.h>

#include <boost/json.hpp>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/moderators.h"
#include "cli/terminal/checks.h"

namespace quire::cli {
namespace {

namespace json = boost::json;

struct ReplyOptions {
  Moderated moderated;
  std::string id, text, author;
  bool removes = false;
};

int reply(const Common& common, const ReplyOptions& options) {
  if (options.removes != options.text.empty())
    return fail({ErrorCode::invalid_parameter, "Give --text, or --remove, and not both."});
  auto shop = Moderators::open(common, options.moderated, Access::write);
  if (!shop) return fail(shop.error());
  std::optional<std::string> body;
  if (!options.removes)
    body = json::serialize(json::object{{"author", options.author}, {"text", options.text}});
  auto answer = (*shop)->reply(options.id, std::move(body));
  if (!answer) return fail(answer.error());
  if (common.json && !options.removes)
    fmt::print("{}\n", *answer);
  else
    fmt::print("{} {}\n", options.removes ? "reply removed from" : "replied to", options.id);
  return done;
}

}  // namespace

Command add_reply(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("reply", "reply to a comment for the shop");
  auto options = std::make_shared<ReplyOptions>();
  command->add_option("ID", options->id, "of the comment")->required()->check(not_empty);
  command->add_option("--text", options->text, "of the reply")->option_text("T");
  command->add_option("--author", options->author, "who replies; else the shop")->option_text("A");
  command->add_flag("--remove", options->removes, "remove the reply");
  add_server(*command, options->moderated, "reply");
  command
      ->add_option("--audit-log", options->moderated.audit_log,
                   "file to which the reply is appended; a server has its own")
      ->envname("QUIRE_AUDIT_LOG")
      ->option_text("FILE");
  command->footer(
      "Another reply takes the place of the first one.\n"
      "Beside a server that writes the store: --server and --token-file.\n"
      "Example: quire reply 01JD5ZK3V8Q6W3N0A9B7C5D2EF --text \"Thank you, Ann.\"");
  return {command, [&common, options] { return reply(common, *options); }};
}

}  // namespace quire::cli
