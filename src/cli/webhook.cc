// quire webhook
#include "cli/webhook.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "app/open.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/terminal/checks.h"
#include "loop/loop.h"
#include "model/document.h"
#include "webhook/courier/asks.h"
#include "webhook/courier/ledger.h"
#include "webhook/courier/receiver.h"
#include "webhook/message.h"

namespace quire::cli {
namespace {

using webhook::Account;
using webhook::Ask;

struct WebhookOptions {
  std::string shop, name, id;
};

Result<std::string> directory_of(const std::string& store) {
  constexpr std::string_view scheme = "lmdb:";
  if (!store.starts_with(scheme))
    return Error{
        ErrorCode::invalid_parameter,
        "Webhooks are told by a server on an embedded store: give --store lmdb:DIR. Those of "
        "a table are told by quire project: give the directory of its --events so."};
  TRY_DONE(is_there(store));
  return store.substr(scheme.size());
}

Result<webhook::Ledger> ledger_of(const std::string& store) {
  TRY(auto directory, directory_of(store));
  auto file = webhook::ledger_file(directory);
  auto ledger = webhook::read_ledger(file);
  if (ledger || ledger.error().code != ErrorCode::damaged) return ledger;
  return Error{ErrorCode::damaged, fmt::format("{}: {}.", file, ledger.error().message)};
}

std::string state_of(const Account& account) {
  if (account.ended_ms != 0) return "ended " + time_text(account.ended_ms);
  if (account.failing_ms == 0) return "in order";
  return fmt::format("fails since {}: {}", time_text(account.failing_ms), account.trouble);
}

std::string json_of(const std::string& name, const Account& account) {
  std::string out = "{\"name\":";
  append_json_string(out, name);
  out += fmt::format(",\"waiting\":{}", account.owed.size());
  auto add_time = [&](std::string_view member, std::uint64_t ms) {
    if (ms != 0) out += fmt::format(R"(,"{}":"{}")", member, time_text(ms));
  };
  if (!account.owed.empty()) add_time("oldest", account.owed.begin()->second.event.time_ms);
  add_time("failing_since", account.failing_ms);
  add_time("ended", account.ended_ms);
  if (!account.trouble.empty()) {
    out += ",\"trouble\":";
    append_json_string(out, account.trouble);
  }
  return out + "}";
}

int list_webhooks(const Common& common) {
  auto ledger = ledger_of(common.store);
  if (!ledger) return fail(ledger.error());
  for (const auto& [name, account] : *ledger) {
    if (common.json)
      fmt::print("{}\n", json_of(name, account));
    else
      fmt::print("{}  {}, {} waiting\n", name, state_of(account),
                 counted(account.owed.size(), "message"));
    if (common.json) continue;
    constexpr std::size_t shown = 10;
    std::size_t left = shown;
    for (const auto& [mark, owed] : account.owed) {
      if (owed.tries == 0) continue;
      if (left-- == 0) break;
      fmt::print("  {}  {}, {}, next {}\n", webhook::message_id(owed.event), owed.event.type,
                 counted(owed.tries, "failure"), time_text(owed.next_ms));
    }
  }
  return done;
}

Awaitable<webhook::Answer> send_test(boost::asio::io_context& context, const webhook::Webhook& to) {
  auto now_ms = system_ms();
  webhook::Event event{
      .mark = now_ms * 1000, .time_ms = now_ms, .type = std::string(webhook::test_type)};
  auto body = to.format == webhook::Format::slack ? webhook::slack_body(event, nullptr, {})
                                                  : webhook::standard_body(event, nullptr);
  webhook::Receiver receiver(context, to);
  co_return co_await receiver.send(webhook::message_id(event), std::move(body), to.secrets, now_ms);
}

int test_webhook(const Common& common, const WebhookOptions& options) {
  const auto& file = options.shop.empty() ? common.serve.shop : options.shop;
  if (file.empty())
    return fail({ErrorCode::invalid_parameter,
                 "The shop file is not known. Name it: --shop /etc/quire/shop.toml"});
  auto shop = shop::read(file);
  if (!shop) return fail_by_line(shop.error());
  auto found = std::find_if(shop->webhooks.begin(), shop->webhooks.end(),
                            [&](const auto& each) { return each.name == options.name; });
  if (found == shop->webhooks.end())
    return fail(
        {ErrorCode::invalid_parameter, fmt::format("{} has no webhook {}.", file, options.name)});
  LoopThread loop;
  auto answer = wait(loop.run(send_test(loop.context(), *found)));
  if (answer.outcome != webhook::Outcome::delivered)
    return fail({ErrorCode::unavailable,
                 fmt::format("The test of {} failed: {}.", options.name, answer.words)});
  fmt::print("{} took the test.\n", options.name);
  return done;
}

int leave(const Common& common, Ask ask) {
  auto ledger = ledger_of(common.store);
  if (!ledger) return fail(ledger.error());
  if (!ledger->contains(ask.webhook))
    return fail({ErrorCode::invalid_parameter,
                 fmt::format("No server has told a webhook {} yet. quire webhook list names those "
                             "that there are.",
                             ask.webhook)});
  if (!ask.id.empty() && !webhook::mark_of(ask.id))
    return fail({ErrorCode::invalid_parameter,
                 "The id of a message is that of its header webhook-id, such as "
                 "evt_1732104060123000."});
  auto left = webhook::leave_ask(webhook::asks_file(*directory_of(common.store)), ask);
  if (!left) return fail(left.error());
  fmt::print("The server does so within a second; one that does not run, when it begins.\n");
  return done;
}

}  // namespace

std::vector<std::string> webhook_troubles(const std::string& store, const shop::Shop& shop) {
  std::vector<std::string> out;
  if (shop.webhooks.empty()) return out;
  auto ledger = ledger_of(store);
  if (!ledger) return out;
  for (const auto& [name, account] : *ledger) {
    bool there = std::any_of(shop.webhooks.begin(), shop.webhooks.end(),
                             [&](const auto& each) { return each.name == name; });
    if (there && (account.ended_ms != 0 || account.failing_ms != 0))
      out.push_back(
          fmt::format("The webhook {}: {}. See quire webhook list.", name, state_of(account)));
  }
  return out;
}

Command add_webhook(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("webhook", "see, test and retry what webhooks are told");
  command->require_subcommand(1);
  command->footer("Example: quire webhook list");
  auto options = std::make_shared<WebhookOptions>();
  auto add = [&](const char* name, const char* text, const char* example) {
    auto* made = command->add_subcommand(name, text);
    made->footer(std::string("Example: quire webhook ") + example);
    return made;
  };
  auto name_of = [&](CLI::App* made) {
    made->add_option("NAME", options->name, "of the webhook in the shop file")->required();
  };
  add("list", "print each webhook, whether it works, and how many messages wait", "list --json");
  auto* test = add("test", "send a message to a webhook that tells of nothing",
                   "test bad-reviews --shop shop.toml");
  name_of(test);
  test->add_option("--shop", options->shop, "the shop file; default: that of the service")
      ->option_text("FILE")
      ->envname("QUIRE_SHOP");
  auto* retry = add("retry", "try now what waits, or one message again; begin an ended one again",
                    "retry bad-reviews");
  name_of(retry);
  retry->add_option("ID", options->id, "of the message: its header webhook-id");
  auto* skip = add("skip", "try a message no more", "skip bad-reviews evt_1732104060123000");
  name_of(skip);
  skip->add_option("ID", options->id, "of the message: its header webhook-id")->required();
  return {command, [&common, options, test, retry, skip] {
            if (test->parsed()) return test_webhook(common, *options);
            if (retry->parsed())
              return leave(common, {Ask::Deed::retry, options->name, options->id});
            if (skip->parsed()) return leave(common, {Ask::Deed::skip, options->name, options->id});
            return list_webhooks(common);
          }};
}

}  // namespace quire::cli
