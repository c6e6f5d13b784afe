// quire get, post, delete: one comment each, for scripts
#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/followed_table.h"
#include "base/limits.h"
#include "cli/asking/operators_desk.h"
#include "cli/asking/shop_interface.h"
#include "cli/commands.h"
#include "cli/terminal/terminal.h"
#include "loop/loop.h"
#include "model/attributes.h"
#include "model/comment_json.h"
#include "model/document.h"
#include "model/validate.h"

namespace quire::cli {
namespace {

Result<Ulid> id_of(const std::string& text) {
  if (auto id = Ulid::parse(text)) return *id;
  return Error{ErrorCode::invalid_parameter,
               "\"" + text +
                   "\" is no id. An id has 26 characters, as in 01JD5ZK3V8Q6W3N0A9B7C5D2EF; quire "
                   "page prints those of comments."};
}

// Empty: the size is not known.
std::string size_text(const Picture& picture) {
  return picture.width > 0 ? fmt::format("{} x {}  ", picture.width, picture.height) : "";
}

void print(const Comment& comment) {
  auto line = [](const char* name, std::string_view value) {
    if (!value.empty()) fmt::print("{:<11} {}\n", name, printable(value));
  };
  line("id", comment.id.text());
  line("product", comment.product);
  line("language", comment.language);
  line("rating", std::to_string(comment.rating));
  const auto& [status, reason, note, held_by, held_ms, decided] = comment.moderation;
  line("status", status_name(status));
  line("reason", reason);
  line("note", note);
  line("held by", held_by);
  if (held_ms > 0) line("held at", time_text(held_ms));
  line("created at", time_text(comment.created_ms()));
  if (comment.customer) line("customer", comment.customer->text());
  line("author", comment.author);
  line("title", comment.title);
  line("text", comment.text);
  std::string attributes;
  append_json(attributes, comment.attributes);
  if (!comment.attributes.empty()) line("attributes", attributes);
  for (const auto& picture : comment.media)
    line("picture", fmt::format("{}  {}{}", picture.url, size_text(picture), picture.alt));
  if (!comment.reply) return;
  const auto& reply = *comment.reply;
  line("reply", fmt::format("{}  {}  {}", time_text(reply.created_ms), reply.author, reply.text));
}

int get(const Common& common, const std::string& text) {
  // In a table that others made, comments may have other ids, too.
  auto id = id_of(text);
  if (!id && !is_adopted(common.store)) return fail(id.error());
  auto store = open_desk(
      OperatorsDesk{.store = common.store, .pages = common.pages, .access = Access::read});
  if (!store) return fail(store.error());
  auto found = wait((*store)->app().comments().find(text));
  if (!found) return fail(found.error());
  auto members = found->published() ? Members::shown : Members::moderators;
  if (common.json)
    fmt::print("{}\n", document_json(encode_document(*found, members)));
  else
    print(*found);
  return done;
}

// Standard input, at most a byte over what a body may have.
std::string read_body() {
  if (isatty(STDIN_FILENO) == 1)
    fmt::print(stderr, "Type the comment as JSON, then Ctrl-D: {{\"rating\": 5}}\n");
  std::string body(limits::body_bytes + 1, '\0');
  body.resize(std::fread(body.data(), 1, body.size(), stdin));
  return body;
}

struct Posting {
  std::string product;
  std::string key;
  Moderated moderated = {};
};

int post(const Common& common, const Posting& posting) {
  if (auto named = check_product(posting.product); !named) return fail(named.error());
  auto body = read_body();
  if (body.size() > limits::body_bytes)
    return fail({ErrorCode::invalid_comment,
                 "The comment has over 256 KiB of JSON. Its text has at most 50,000 characters."});
  auto draft = parse_draft(body, posting.product);
  if (!draft) return fail(draft.error());
  auto store = open_desk(OperatorsDesk{.store = common.store,
                                       .pages = common.pages,
                                       .audit_log = posting.moderated.audit_log,
                                       .makes_store = true});
  if (!store) return fail(store.error());
  std::optional<std::string> key;
  if (!posting.key.empty()) key = posting.key;
  auto permit = (*store)->permit(desk::Deed::post, posting.product);
  auto posted = wait((*store)->desk().post(permit, std::move(*draft), std::move(key)));
  if (!posted) return fail(posted.error());
  if (common.json) {
    fmt::print("{}\n", document_json(posted->document));
  } else {
    fmt::print("{}\n", posted->comment.id.text());
  }
  return done;
}

int remove(const Common& common, const std::string& text, const Moderated& moderated) {
  auto id = id_of(text);
  if (!id) return fail(id.error());
  auto store = open_desk(OperatorsDesk{
      .store = common.store, .pages = common.pages, .audit_log = moderated.audit_log});
  if (!store) return fail(store.error());
  auto permit = (*store)->permit(desk::Deed::remove);
  auto removed = wait((*store)->desk().remove(permit, *id, {}));
  if (!removed) return fail(removed.error());
  if (!common.json) fmt::print("deleted {}\n", id->text());
  return done;
}

}  // namespace

Command add_get(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("get", "print a comment of any status");
  auto id = std::make_shared<std::string>();
  command->add_option("ID", *id, "of the comment, as page prints it")->required();
  command->footer("Example: quire get 01JD5ZK3V8Q6W3N0A9B7C5D2EF --json");
  return {command, [&common, id] { return get(common, *id); }};
}

Command add_post(CLI::App& app, Common& common) {
  auto* command =
      app.add_subcommand("post", "add a comment, read as JSON from standard input; print its id");
  auto posting = std::make_shared<Posting>();
  command->add_option("PRODUCT", posting->product, "the product")->required();
  command
      ->add_option("--idempotency-key", posting->key,
                   "of two posts with the same key within a day the second adds nothing, and "
                   "prints the id of the first")
      ->check([](const std::string& key) {
        bool fits = !key.empty() && key.size() <= limits::idempotency_key_bytes;
        return fits ? std::string() : "it has 1 to 256 bytes";
      })
      ->option_text("KEY");
  add_audit_log(*command, posting->moderated, "a decision is");
  command->footer(
      "Example: echo '{\"language\": \"en\", \"rating\": 5, \"title\": \"Fits\"}' | quire post 42\n"
      "Beside a server that writes the store, post over HTTP.");
  return {command, [&common, posting] { return post(common, *posting); }};
}

Command add_delete(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("delete", "delete a comment");
  auto id = std::make_shared<std::string>();
  auto moderated = std::make_shared<Moderated>();
  command->add_option("ID", *id, "of the comment, as page prints it")->required();
  add_audit_log(*command, *moderated, "the removal is");
  command->footer(
      "Example: quire delete 01JD5ZK3V8Q6W3N0A9B7C5D2EF\n"
      "Beside a server that writes the store, delete over HTTP.");
  return {command, [&common, id, moderated] { return remove(common, *id, *moderated); }};
}

}  // namespace quire::cli
