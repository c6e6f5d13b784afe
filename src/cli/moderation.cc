// quire queue, publish, reject, reply
#include <fmt/core.h>

#include <algorithm>
#include <boost/json.hpp>
#include <memory>
#include <string>
#include <vector>

#include "base/try.h"
#include "cli/asking/shop_interface.h"
#include "cli/commands.h"
#include "cli/page.h"
#include "cli/terminal/checks.h"
#include "cli/terminal/terminal.h"
#include "model/moderation.h"
#include "records/lines.h"

namespace quire::cli {
namespace {

namespace json = boost::json;

struct QueueOptions {
  Moderated moderated;
  std::string status = "pending", product, words, after, before;
  unsigned limit = 20;
};

std::string_view text_in(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

void print(const json::object& comment) {
  auto text = [&](std::string_view name) { return text_in(comment, name); };
  auto title = text("title").empty() ? text("text") : text("title");
  auto why = text("reason").empty() ? text("held_by") : text("reason");
  fmt::print("{}  {}  {}  {:3}  {}  {}  {}{}\n", text("id"), text("created_at"),
             shown(text("product"), 20), text("language"), comment.at("rating").as_int64(),
             text("author").empty() ? "anonymous" : shown(text("author"), 20), shown(title, 60),
             why.empty() ? "" : fmt::format("  ({})", printable(why)));
  for (const auto& each : comment.at("reports").as_array()) {
    const auto& report = each.as_object();
    auto note = text_in(report, "note");
    auto name = text_in(report, "name"), mail = text_in(report, "mail");
    fmt::print("  reported {}  {}{}\n", text_in(report, "at"), text_in(report, "reason"),
               note.empty() ? "" : ": " + shown(note, 60));
    if (!name.empty() || !mail.empty())
      fmt::print("  from {}{}{}\n", printable(name), name.empty() || mail.empty() ? "" : ", ",
                 printable(mail));
  }
}

int print_queue(const Common& common, const std::string& body) {
  auto page = json::parse(body).as_object();
  const auto& comments = page.at("comments").as_array();
  for (const auto& comment : comments) print(comment.as_object());
  const auto* total = page.if_contains("total");
  fmt::print("{}{}\n", comments.size(), total ? " of " + json::serialize(*total) : "");
  const auto& ways = page.at("page").as_object();
  auto print_way = [&](std::string_view name, std::string option) {
    std::string place(text_in(ways, name));
    if (place.empty()) return;
    auto typed = with_options(common.typed, {"--after", "--before"}, {std::move(option), place});
    fmt::print("{}: {}\n", name, quoted(typed));
  };
  print_way("previous", "--before");
  print_way("next", "--after");
  return done;
}

Result<QueueQuestion> question_of(const QueueOptions& options) {
  using Kind = QueueQuestion::Kind;
  QueueQuestion question{.product = options.product, .limit = options.limit};
  if (options.status == "rejected") question.kind = Kind::rejected;
  if (options.status == "reported") question.kind = Kind::reported;
  if (!options.words.empty()) {
    TRY_DONE(question.look_for(options.words));
  }
  question.after = Ulid::parse(options.after);
  question.before = Ulid::parse(options.before);
  if (question.after.has_value() == options.after.empty())
    return Error{ErrorCode::invalid_parameter, "--after is the place that quire queue printed."};
  if (question.before.has_value() == options.before.empty())
    return Error{ErrorCode::invalid_parameter, "--before is the place that quire queue printed."};
  return question;
}

int queue(const Common& common, const QueueOptions& options) {
  auto moderators =
      ShopInterface::open(common.store, common.pages, options.moderated, Access::read);
  if (!moderators) return fail(moderators.error());
  auto question = question_of(options);
  if (!question) return fail(question.error());
  auto body = (*moderators)->queue(*question);
  if (!body) return fail(body.error());
  if (!common.json) return print_queue(common, *body);
  fmt::print("{}\n", *body);
  return done;
}

struct DecisionOptions {
  Moderated moderated;
  std::vector<std::string> ids;
  Patch patch;
  std::string_view done;  // said of a comment on which the decision was made
};

// Prints what became of each decision. Returns whether all were made.
bool print_decided(const json::array& decided, std::string_view done, bool as_json) {
  bool all = true;
  for (const auto& each : decided) {
    const auto& decision = each.as_object();
    auto id = text_in(decision, "id");
    const auto* problem = decision.if_contains("problem");
    if (!problem && !as_json) fmt::print("{} {}\n", done, id);
    if (!problem) continue;
    all = false;
    fmt::print(stderr, "quire: {}: {}\n", printable(id),
               printable(text_in(problem->as_object(), "detail")));
  }
  return all;
}

int decide(const Common& common, const DecisionOptions& options) {
  auto ids = records::with_lines(options.ids);
  if (!ids) return fail(ids.error());
  auto moderators =
      ShopInterface::open(common.store, common.pages, options.moderated, Access::write);
  if (!moderators) return fail(moderators.error());
  constexpr auto most = desk::Desk::max_decisions;
  bool all = true;
  json::array decisions;
  std::optional<Error> stopped;
  for (std::size_t at = 0; at < ids->size() && !stopped; at += most) {
    auto some = std::span(*ids).subspan(at, std::min(most, ids->size() - at));
    auto body = (*moderators)->decide({some, options.patch});
    if (!body) stopped = body.error();
    if (!body) continue;
    auto answer = json::parse(*body).as_object();
    auto& decided = answer.at("decisions").as_array();
    all = print_decided(decided, options.done, common.json) && all;
    if (common.json) decisions.insert(decisions.end(), decided.begin(), decided.end());
  }
  if (common.json)
    fmt::print("{}\n", json::serialize(json::object{{"decisions", std::move(decisions)}}));
  if (stopped) return fail(*stopped);
  return all ? done : with_differences;
}

CLI::Option* add_note_option(CLI::App& command, Patch& patch) {
  return command.add_option("--note", patch.note, "for moderators alone, at most 1,000 characters")
      ->option_text("N");
}

// A command that makes a moderator's decision on comments.
Command add_decision(CLI::App& app, Common& common, std::shared_ptr<DecisionOptions> options,
                     const char* name, const char* description) {
  auto* command = app.add_subcommand(name, description);
  command->add_option("ID", options->ids, "of comments; -: from standard input, an id a line")
      ->required();
  add_server(*command, options->moderated, "moderate");
  add_audit_log(*command, options->moderated, "decisions are");
  return {command, [&common, options] { return decide(common, *options); }};
}

// One with this status.
Command add_status(CLI::App& app, Common& common, CommentStatus status, const char* name,
                   const char* description) {
  auto options = std::make_shared<DecisionOptions>();
  options->patch.status = status;
  options->done = status_name(status);
  auto command = add_decision(app, common, options, name, description);
  if (status != CommentStatus::rejected) return command;
  command.app->add_option("--reason", options->patch.reason, std::string(reasons_wanted))
      ->required()
      ->option_text("R")
      ->check([](const std::string& text) {
        if (is_reason(text)) return std::string();
        return fmt::format("takes {}, not \"{}\"", reasons_wanted, text);
      });
  add_note_option(*command.app, options->patch);
  return command;
}

struct ReplyOptions {
  Moderated moderated;
  std::string id, text, author;
  bool removes = false;
};

int reply(const Common& common, const ReplyOptions& options) {
  if (options.removes != options.text.empty())
    return fail({ErrorCode::invalid_parameter, "Give --text, or --remove, and not both."});
  auto shop = ShopInterface::open(common.store, common.pages, options.moderated, Access::write);
  if (!shop) return fail(shop.error());
  std::optional<Reply> reply;
  if (!options.removes) reply = Reply{.author = options.author, .text = options.text};
  auto answer = (*shop)->reply(options.id, std::move(reply));
  if (!answer) return fail(answer.error());
  if (common.json && !options.removes)
    fmt::print("{}\n", *answer);
  else
    fmt::print("{} {}\n", options.removes ? "reply removed from" : "replied to", options.id);
  return done;
}

}  // namespace

Command add_queue(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("queue", "print the comments that wait for a moderator, oldest first");
  auto options = std::make_shared<QueueOptions>();
  command->add_option("--status", options->status, "pending, rejected, or reported by readers")
      ->capture_default_str()
      ->option_text("S")
      ->check([](const std::string& text) {
        bool taken = text == "pending" || text == "rejected" || text == "reported";
        return taken ? "" : "takes pending, rejected or reported, not \"" + text + "\"";
      });
  command->add_option("--product", options->product, "only the comments of this product")
      ->option_text("P")
      ->check(not_empty);
  command->add_option("--q", options->words, "only comments that have these words")
      ->option_text("WORDS")
      ->check(not_empty);
  command->add_option("--limit", options->limit, "at most this many, 1 to 100")
      ->check(CLI::Range(1u, 100u))
      ->capture_default_str()
      ->option_text("N");
  auto* after =
      command->add_option("--after", options->after, "those after this place, of an earlier answer")
          ->option_text("C")
          ->check(not_empty);
  command->add_option("--before", options->before, "those before this place, of an earlier answer")
      ->option_text("C")
      ->check(not_empty)
      ->excludes(after);
  add_server(*command, options->moderated, "moderate");
  command->footer("Example: quire queue --server https://reviews.example --token-file token.txt");
  return {command, [&common, options] { return queue(common, *options); }};
}

Command add_publish(CLI::App& app, Common& common) {
  auto command = add_status(app, common, CommentStatus::published, "publish",
                            "publish comments that wait for a moderator, or were rejected");
  command.app->footer(
      "Beside a server that writes the store: --server and --token-file.\n"
      "Example: quire publish 01JD5ZK3V8Q6W3N0A9B7C5D2EF");
  return command;
}

Command add_reject(CLI::App& app, Common& common) {
  auto command = add_status(app, common, CommentStatus::rejected, "reject",
                            "reject comments: they are kept, and shown to moderators alone");
  command.app->footer(
      "Beside a server that writes the store: --server and --token-file.\n"
      "Example: quire reject 01JD5ZK3V8Q6W3N0A9B7C5D2EF --reason spam --note Again");
  return command;
}

Command add_note(CLI::App& app, Common& common) {
  auto options = std::make_shared<DecisionOptions>();
  options->done = "noted";
  auto command = add_decision(app, common, options, "note",
                              "note something on comments for moderators, and decide nothing");
  add_note_option(*command.app, options->patch)->required();
  command.app->footer(
      "An empty note removes the one that is there.\n"
      "Beside a server that writes the store: --server and --token-file.\n"
      "Example: quire note 01JD5ZK3V8Q6W3N0A9B7C5D2EF --note 'Asked the supplier'");
  return command;
}

Command add_reply(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("reply", "reply to a comment for the shop");
  auto options = std::make_shared<ReplyOptions>();
  command->add_option("ID", options->id, "of the comment")->required()->check(not_empty);
  command->add_option("--text", options->text, "of the reply")->option_text("T");
  command->add_option("--author", options->author, "who replies; else the shop")->option_text("A");
  command->add_flag("--remove", options->removes, "remove the reply");
  add_server(*command, options->moderated, "reply");
  add_audit_log(*command, options->moderated, "the reply is");
  command->footer(
      "Another reply takes the place of the first one.\n"
      "Beside a server that writes the store: --server and --token-file.\n"
      "Example: quire reply 01JD5ZK3V8Q6W3N0A9B7C5D2EF --text \"Thank you, Ann.\"");
  return {command, [&common, options] { return reply(common, *options); }};
}

}  // namespace quire::cli
