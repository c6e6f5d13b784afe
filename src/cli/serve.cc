// quire serve
#include <fcntl.h>
#include <fmt/core.h>
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include "app/app.h"
#include "base/file_mode.h"
#include "cli/commands.h"
#include "cli/operations_server.h"
#include "cli/serve_options.h"
#include "cli/terminal/log.h"
#include "cli/terminal/upgrade.h"
#include "http/access/token_file.h"
#include "http/application/routes.h"
#include "http/server/server.h"

namespace quire::cli {
namespace {

namespace asio = boost::asio;

Error wrong(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message)};
}

// Null for no log. `own` keeps a log that is not standard error.
Result<LogWriter*> open_access_log(const std::string& file, std::optional<LogWriter>& own) {
  if (file == "none") return nullptr;
  if (file == "-") return &standard_error();
  int log = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
  if (log < 0)
    return Error{ErrorCode::unavailable,
                 "Cannot open the access log " + file + ": " + std::strerror(errno) + "."};
  return &own.emplace(log);
}

Result<http::ServerOptions> server_options(const ServeOptions& options) {
  http::ServerOptions out;
  auto endpoint = parse_endpoint(options.listen);
  if (!endpoint) return endpoint.error();
  if (options.demo && !endpoint->address().is_loopback()) {
    return wrong(
        "--demo lets anyone post, so it listens on a loopback address only: --listen "
        "127.0.0.1:8080.");
  }
  for (const auto& text : CLI::detail::split(options.trusted_proxies, ',')) {
    if (text.empty()) continue;
    auto network = http::Network::parse(text);
    if (!network) return network.error();
    out.trusted_proxies.push_back(*network);
  }
  out.listen = *endpoint;
  out.threads = options.threads;
  out.max_connections = options.max_connections;
  out.max_connections_client = options.max_connections_client;
  out.max_unsent = options.max_unsent;
  return out;
}

// The files that the application uses besides the store.
struct Files {
  std::unique_ptr<http::TokenFile> tokens;
  std::unique_ptr<http::AuditLog> audit;
};

Result<Files> open_files(const ServeOptions& options) {
  Files out;
  if (!options.tokens.empty()) {
    auto tokens = http::TokenFile::open(options.tokens);
    if (!tokens) return tokens.error();
    out.tokens = std::move(*tokens);
    out.tokens->watch();
    if (others_may_read(options.tokens))
      spdlog::warn("everyone on this machine may read the token file {}: chmod o-r {}",
                   options.tokens, options.tokens);
  }
  if (!options.audit_log.empty()) {
    auto audit = http::AuditLog::open(options.audit_log);
    if (!audit) return audit.error();
    out.audit = std::move(*audit);
  }
  return out;
}

http::ApplicationOptions application_options(const ServeOptions& options, const Endpoint& listen,
                                             const Files& files) {
  http::ApplicationOptions out;
  out.permission.demo = options.demo;
  out.permission.posts_per_minute_client = options.posts_per_minute_client;
  out.permission.posts_per_minute_product = options.posts_per_minute_product;
  out.site = {options.public_url, listen};
  out.operations_apart = !options.operations_listen.empty();
  out.audit = files.audit.get();
  out.cache = options.cache;
  if (files.tokens) out.permission.tokens = [file = files.tokens.get()] { return file->tokens(); };
  return out;
}

// Raises the limit of open files, because each connection needs one and the usual soft limit is
// 1024. Returns how many of the wanted connections there may be.
std::size_t allow_descriptors(std::size_t wanted) {
  constexpr rlim_t others = 100;  // files, logs, and connections to other servers
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= wanted + others) return wanted;
  auto room = limit.rlim_cur > 2 * others ? limit.rlim_cur - others : limit.rlim_cur / 2;
  spdlog::warn("{} open files leave room for {} connections, not {}: raise LimitNOFILE",
               limit.rlim_cur, room, wanted);
  return static_cast<std::size_t>(room);
}

// Runs on a thread of its own while it lives. Stops the server at SIGTERM or SIGINT; a second
// signal ends the wait for requests in flight. Returns memory that malloc keeps after a load to the
// system.
class Supervisor {
 public:
  explicit Supervisor(http::Server& server)
      : signals_(context_, SIGTERM, SIGINT), timer_(context_), server_(server) {
    wait_for_signal();
    trim_memory();
    thread_ = std::thread([this] { context_.run(); });
  }
  ~Supervisor() {
    context_.stop();
    thread_.join();
  }

 private:
  static constexpr std::size_t max_kept = 16 * 1024 * 1024;

  void wait_for_signal() {
    signals_.async_wait([this](boost::system::error_code cancelled, int) {
      if (cancelled) return;
      server_.stop();
      wait_for_signal();
    });
  }

  void trim_memory() {
    if (mallinfo2().fordblks > max_kept) malloc_trim(0);
    timer_.expires_after(std::chrono::seconds(10));
    timer_.async_wait([this](boost::system::error_code cancelled) {
      if (!cancelled) trim_memory();
    });
  }

  asio::io_context context_;
  asio::signal_set signals_;
  asio::steady_timer timer_;
  http::Server& server_;
  std::thread thread_;
};

void announce(const Endpoint& endpoint, const std::optional<OperationsServer>& operations,
              const ServeOptions& options) {
  if (operations) fmt::print("operations at {}\n", url_of(operations->endpoint()));
  fmt::print("listening on {}\n", url_of(endpoint));
  if (options.demo) standard_error().write("demo: anyone on this machine may post comments\n");
  std::fflush(stdout);
}

int serve(const Common& common, const ServeOptions& options) {
  auto server_opts = server_options(options);
  if (!server_opts) return fail(server_opts.error());
  std::optional<LogWriter> own_log;
  auto access_log = open_access_log(options.access_log, own_log);
  if (!access_log) return fail(access_log.error());
  server_opts->access_log = *access_log;
  std::optional<Endpoint> operations_listen;
  if (!options.operations_listen.empty()) {
    auto parsed = parse_endpoint(options.operations_listen, "--operations-listen");
    if (!parsed) return fail(parsed.error());
    operations_listen = *parsed;
  }
  auto files = open_files(options);
  if (!files) return fail(files.error());
  Upgrade upgrade;
  auto app = App::open({.store = common.store,
                        .pages = common.pages,
                        .access = Access::write,
                        .cursor_keys = options.cursor_keys,
                        .numbers_behind = std::chrono::seconds(options.numbers_behind),
                        .upgrading = upgrade.shown()});
  if (!app) return fail(app.error());

  std::signal(SIGPIPE, SIG_IGN);
  server_opts->max_connections = allow_descriptors(server_opts->max_connections);
  http::Metrics metrics(http::route_names());
  http::Application application((*app)->comments(), metrics,
                                application_options(options, server_opts->listen, *files));
  std::unique_ptr<http::Server> server;
  http::Metrics operations_metrics(http::Operations::route_names());  // nobody reads them
  std::optional<OperationsServer> operations;
  const std::string* listen = &options.listen;
  try {
    server = std::make_unique<http::Server>(application, metrics, std::move(*server_opts));
    listen = &options.operations_listen;
    if (operations_listen)
      operations.emplace(application.operations(), operations_metrics, *operations_listen);
  } catch (const boost::system::system_error& refused) {
    return fail({ErrorCode::unavailable,
                 fmt::format("Cannot listen on {}: {}.", *listen, refused.code().message())});
  }
  Supervisor supervisor(*server);
  announce(server->endpoint(), operations, options);
  server->run();
  return done;
}

}  // namespace

Command add_serve(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("serve", "serve comments over HTTP");
  auto options = std::make_shared<ServeOptions>();
  add_options(*command, *options);
  command->footer("Example: quire serve --listen 127.0.0.1:8080 --tokens tokens.txt");
  return {command, [&common, options] { return serve(common, *options); }};
}

}  // namespace quire::cli
