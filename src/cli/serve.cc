// quire serve
#include <fcntl.h>
#include <fmt/core.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "app/app.h"
#include "app/followed_table.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/service_manager.h"
#include "base/text.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/demo.h"
#include "cli/generator/demo.h"
#include "cli/reload.h"
#include "cli/serving/serve_options.h"
#include "cli/serving/supervisor.h"
#include "cli/telling.h"
#include "cli/terminal/log.h"
#include "desk/demo_moderator.h"
#include "desk/tokens.h"
#include "http/application/routes.h"
#include "loop/bell.h"
#include "loop/loop.h"

namespace quire::cli {
namespace {

constexpr std::chrono::minutes between_sweeps{1};

// The log of requests: none, standard error, or a file of its own.
struct AccessLog {
  LogWriter* writer = nullptr;
  std::optional<OwnLog> own = {};
  std::optional<LogWriter> own_writer = {};
};

Status open_access_log(const std::string& file, AccessLog& out) {
  if (file == "none") return Done{};
  if (file == "-") {
    out.writer = &standard_error();
    return Done{};
  }
  LogFile log{"the access log", file, O_WRONLY};
  TRY(auto descriptor, open_log(log));
  out.own = OwnLog{std::move(log), descriptor};
  out.writer = &out.own_writer.emplace(descriptor);
  return Done{};
}

// The files that the application uses besides the store.
struct Files {
  std::unique_ptr<desk::DemoModerator> moderator;  // of a demo without tokens
  std::unique_ptr<desk::TokenFile> tokens;
  std::unique_ptr<desk::AuditLog> audit;
  // Rings after each change of the shop; the thread that watches it holds it, too.
  std::shared_ptr<Bell> shop_changed = std::make_shared<Bell>();
  std::unique_ptr<shop::ShopFile> shop;
};

Result<Files> open_files(const ServeOptions& options) {
  Files out;
  std::error_code unknown;
  bool absent =
      options.tokens.empty() || (options.demo && !std::filesystem::exists(options.tokens, unknown));
  if (options.demo && absent) {
    TRY(out.moderator, desk::DemoModerator::make());
  }
  if (!absent) {
    TRY(out.tokens, desk::TokenFile::open(options.tokens));
    out.tokens->watch();
    if (others_may_read(options.tokens))
      spdlog::warn("everyone on this machine may read the token file {}: {}", options.tokens,
                   commands_to_hide(options.tokens));
  }
  if (!options.audit_log.empty()) {
    TRY(out.audit, desk::AuditLog::open(options.audit_log));
  }
  if (!options.shop.empty()) {
    TRY(out.shop, shop::ShopFile::open(options.shop));
    out.shop->watch([bell = out.shop_changed] { bell->ring(); });
  } else if (options.demo) {
    TRY(out.shop, shop::ShopFile::of(demo_shop));
  }
  return out;
}

http::ApplicationOptions application_options(const ServeOptions& options, const Endpoint& listen,
                                             const Files& files,
                                             std::optional<identity::CustomerKey> customers) {
  http::ApplicationOptions out;
  out.desk.customer_key = std::move(customers);
  out.desk.demo = options.demo;
  out.desk.rates = options.rates;
  out.site = {options.public_url, listen};
  out.operations_apart = !options.operations_listen.empty();
  out.desk.audit = files.audit.get();
  out.desk.shop = files.shop.get();
  out.cache = options.cache;
  if (auto* moderator = files.moderator.get()) {
    out.desk.moderator = moderator;
    out.desk.tokens = [moderator] { return moderator->tokens(); };
  }
  if (files.tokens) out.desk.tokens = [file = files.tokens.get()] { return file->tokens(); };
  return out;
}

// Fills an empty directory, unless the command names it: then it is somebody's own.
Status prepare_demo(const Common& common, Store& store) {
  bool named = std::any_of(common.typed.begin(), common.typed.end(),
                           [](const auto& each) { return each.starts_with("--store"); });
  if (!common.serve.demo || named || !common.store.starts_with("lmdb:")) return Done{};
  TRY(auto empty, is_empty(store));
  if (empty) TRY_DONE(fill_demo(store));
  return Done{};
}

// Where to begin: a product, the form, and the page of moderators.
void announce_demo(const std::string& url, const Common& common, const Files& files, Store& store) {
  std::string text = "demo: anyone on this machine may post comments\n";
  auto product = wait(busiest_product(store));
  auto page = url + "/products/" + percent_encode(product);
  if (product.empty())
    text += "  no comments yet: quire generate --demo --store " + common.store + "\n";
  else
    text += "  a product:       " + page + "\n";
  if (common.serve.shop.empty() && !product.empty())
    text += "  the form:        " + page + "/review\n";
  if (files.moderator)
    text += "  the moderation:  " + url + "/moderation?secret=" + files.moderator->secret() + "\n";
  standard_error().write(text);
}

// Absent: operations are on the server's own endpoint.
Result<std::optional<Endpoint>> operations_endpoint(const std::string& text) {
  if (text.empty()) return std::optional<Endpoint>();
  TRY(auto parsed, parse_endpoint(text, "--operations-listen"));
  return std::optional(parsed);
}

void announce(const Endpoint& endpoint, const std::optional<OperationsServer>& operations) {
  if (operations) fmt::print("operations at {}\n", url_of(operations->endpoint()));
  fmt::print("listening on {}\n", url_of(endpoint));
  std::fflush(stdout);  // in a pipe, too, the address comes first
}

// Beside the requests of the server: sweeps what is left of the removed comments of a table each
// minute, and forgets each hour the contacts of notices that were kept long enough. `first`: the
// minute in which it begins to. A table may not answer, and then holds up the end of the server.
void sweep(const std::stop_token& stop, Comments& comments, int first) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  for (int minute = 0; !stop.stop_requested(); ++minute) {
    if (minute % 60 == first) {
      auto forgotten = wait(comments.forget_contacts(system_ms()));
      if (!forgotten)
        spdlog::warn("contacts of notices stay for an hour: {}", forgotten.error().message);
    }
    if (wake.wait_for(lock, stop, between_sweeps, [&] { return stop.stop_requested(); })) return;
    auto more = wait(comments.sweep());
    while (more && *more && !stop.stop_requested()) more = wait(comments.sweep());
    if (!more) spdlog::warn("sweeping votes rests for a minute: {}", more.error().message);
  }
}

// A table has no directory: quire project tells its events.
Told told_of(Comments& comments, const Common& common, const Files& files) {
  constexpr std::string_view embedded = "lmdb:";
  bool is_directory = common.store.starts_with(embedded);
  return {.log = comments.store(),
          .comments = comments,
          .directory = is_directory ? common.store.substr(embedded.size()) : "",
          .public_url = common.serve.public_url,
          .shop = files.shop.get(),
          .shop_changed = *files.shop_changed};
}

int serve(const Common& common) {
  ignore_early_hangups();
  const ServeOptions& options = common.serve;
  auto settings = read_settings(common.typed);
  if (!settings) return fail(settings.error());
  auto server_opts = server_options(options);
  if (!server_opts) return fail(server_opts.error());
  AccessLog access_log;
  if (auto opened = open_access_log(options.access_log, access_log); !opened)
    return fail(opened.error());
  server_opts->access_log = access_log.writer;
  auto operations_listen = operations_endpoint(options.operations_listen);
  if (!operations_listen) return fail(operations_listen.error());
  auto files = open_files(options);
  if (!files) return fail_by_line(files.error());
  auto app = App::open({.store = common.store,
                        .pages = common.pages,
                        .access = Access::write,
                        .cursor_keys = options.cursor_keys,
                        .numbers_behind = std::chrono::seconds(options.numbers_behind)});
  if (!app) return fail(app.error());
  Telling telling(told_of((*app)->comments(), common, *files));
  if (auto begun = telling.begin(); !begun) return fail(begun.error());
  if (auto prepared = prepare_demo(common, (*app)->comments().store()); !prepared)
    return fail(prepared.error());
  std::optional<identity::CustomerKey> customers;
  if (!is_adopted(common.store)) {
    auto key = (*app)->customer_key(options.customer_key, Access::write);
    if (!key) return fail(key.error());
    customers = *key;
  }

  std::signal(SIGPIPE, SIG_IGN);
  http::Metrics metrics(http::route_names());
  auto application_opts =
      application_options(options, server_opts->listen, *files, std::move(customers));
  application_opts.webhooks = [&] { return telling.deliveries(); };
  application_opts.same_key = [&](std::string_view check) {
    return (*app)->has_customer_key(options.customer_key, check);
  };
  http::Application application((*app)->comments(), metrics, std::move(application_opts));
  std::unique_ptr<http::Server> server;
  http::Metrics operations_metrics(http::Operations::route_names());  // nobody reads them
  std::optional<OperationsServer> operations;
  const auto* listen = &options.listen;
  try {
    server = std::make_unique<http::Server>(application, metrics, std::move(*server_opts));
    listen = &options.operations_listen;
    if (const auto& apart = *operations_listen)
      operations.emplace(application.operations(), operations_metrics, *apart);
  } catch (const boost::system::system_error& refused) {
    return fail({ErrorCode::unavailable,
                 fmt::format("Cannot listen on {}: {}.", *listen, refused.code().message())});
  }
  Reload reload(std::move(*settings),
                {*server, application.limits(), files->audit.get(),
                 options.shop.empty() ? nullptr : files->shop.get(), access_log.own});
  std::jthread sweeper(sweep, std::ref((*app)->comments()),
                       common.store.starts_with("lmdb:") ? 0 : 1);
  Supervisor supervisor(*server, drain_of(options), [&reload] { reload.run(); });
  announce(server->endpoint(), operations);
  if (options.demo)
    announce_demo(url_of(server->endpoint()), common, *files, (*app)->comments().store());
  notify_service_manager("READY=1");
  server->run();
  return done;
}

}  // namespace

Command add_serve(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("serve", "serve comments over HTTP");
  add_options(*command, common.serve);
  command->footer("Example: quire serve --listen 127.0.0.1:8080 --tokens tokens.txt");
  return {command, [&common] { return serve(common); }};
}

}  // namespace quire::cli
