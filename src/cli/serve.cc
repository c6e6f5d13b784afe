// quire serve
#include <fcntl.h>
#include <fmt/core.h>
#include <malloc.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/url.hpp>
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
#include "cli/endpoint.h"
#include "cli/log.h"
#include "cli/upgrade.h"
#include "http/server.h"
#include "http/token_file.h"

namespace quire::cli {
namespace {

namespace asio = boost::asio;

struct ServeOptions {
  std::string listen = "127.0.0.1:8080";
  std::string tokens;
  std::string cursor_keys;
  std::string access_log = "-";
  std::string audit_log;
  std::string operations_listen;
  bool demo = false;
  std::string public_url;
  unsigned threads = 0;
  std::size_t max_connections = 10'000;
  std::size_t max_connections_client = 0;
  std::size_t max_unsent = 256 * 1024 * 1024;
  double posts_per_minute_client = 60;
  double posts_per_minute_product = 600;
  std::string trusted_proxies;
  std::uint32_t numbers_behind = 60;
};

Error wrong(std::string message) {
  return {ErrorCode::invalid_parameter, std::move(message)};
}

// Null for none. `own` takes one that is not standard error.
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
        "--demo lets anyone post, so it listens on the loopback only: --listen 127.0.0.1:8080.");
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

// What the application uses besides the store.
struct Beside {
  std::unique_ptr<http::TokenFile> tokens;
  std::unique_ptr<http::AuditLog> audit;
};

Result<Beside> open_beside(const ServeOptions& options) {
  Beside out;
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
                                             const Beside& beside) {
  http::ApplicationOptions out;
  out.demo = options.demo;
  out.public_url = options.public_url;
  out.listen = listen;
  out.operations_apart = !options.operations_listen.empty();
  out.audit = beside.audit.get();
  out.posts_per_minute_client = options.posts_per_minute_client;
  out.posts_per_minute_product = options.posts_per_minute_product;
  if (beside.tokens) out.tokens = [file = beside.tokens.get()] { return file->tokens(); };
  return out;
}

// Serves operators on an address of their own, while it lives.
class OperationsServer {
 public:
  // Throws boost::system::system_error if it cannot listen there.
  OperationsServer(http::Operations& operations, const Endpoint& listen)
      : metrics_(http::Operations::route_names()),
        server_(operations, metrics_, {.listen = listen, .threads = 1, .trusted_proxies = {}}),
        thread_([this] { server_.run(); }) {}
  ~OperationsServer() {
    server_.stop();
    thread_.join();
  }

  Endpoint endpoint() const { return server_.endpoint(); }

 private:
  http::Metrics metrics_;  // of this server; nobody asks for them
  http::Server server_;
  std::thread thread_;
};

// Each connection takes a descriptor, and the usual soft limit is 1024. Gives how many connections
// there may be, of those wanted.
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

// Beside the server: stops it at SIGTERM or SIGINT, at the second one without waiting; and gives
// back what malloc keeps of a load that has passed.
class Upkeep {
 public:
  explicit Upkeep(http::Server& server)
      : signals_(context_, SIGTERM, SIGINT), timer_(context_), server_(server) {
    wait_for_signal();
    trim_memory();
    thread_ = std::thread([this] { context_.run(); });
  }
  ~Upkeep() {
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
  auto beside = open_beside(options);
  if (!beside) return fail(beside.error());
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
  http::Metrics metrics(http::Application::route_names());
  http::Application application((*app)->comments(), metrics,
                                application_options(options, server_opts->listen, *beside));
  std::unique_ptr<http::Server> server;
  std::optional<OperationsServer> operations;
  const std::string* listen = &options.listen;
  try {
    server = std::make_unique<http::Server>(application, metrics, std::move(*server_opts));
    listen = &options.operations_listen;
    if (operations_listen) operations.emplace(application.operations(), *operations_listen);
  } catch (const boost::system::system_error& refused) {
    return fail({ErrorCode::unavailable,
                 fmt::format("Cannot listen on {}: {}.", *listen, refused.code().message())});
  }
  Upkeep upkeep(*server);
  announce(server->endpoint(), operations, options);
  server->run();
  return done;
}

}  // namespace

// CLI11's own ranges let "nan" through, which no limit would hold against.
const CLI::Validator rate(
    [](std::string& text) {
      double value = 0;
      bool number = CLI::detail::lexical_cast(text, value) && value >= 1 && value <= 1e9;
      return number ? std::string() : "must be a number from 1 to 1000000000";
    },
    "1 to 1000000000");

Command add_serve(CLI::App& app, Common& common) {
  auto* command = app.add_subcommand("serve", "serve comments over HTTP");
  auto options = std::make_shared<ServeOptions>();
  command->add_option("--listen", options->listen, "ADDRESS:PORT; port 0 picks one")
      ->envname("QUIRE_LISTEN")
      ->capture_default_str();
  command
      ->add_option("--tokens", options->tokens,
                   "file with the hashes of tokens that may write, read again when it changes; "
                   "without it nobody may")
      ->envname("QUIRE_TOKENS");
  command
      ->add_option("--cursor-keys", options->cursor_keys,
                   "file with the keys of cursors; made if missing (default: kept with the "
                   "comments)")
      ->envname("QUIRE_CURSOR_KEYS");
  command
      ->add_option("--public-url", options->public_url,
                   "scheme and host under which the pages are seen, for feeds and search engines: "
                   "https://shop.example; none: as each request says that names this machine")
      ->envname("QUIRE_PUBLIC_URL")
      ->check([](const std::string& url) -> std::string {
        auto parsed = boost::urls::parse_uri(url);
        bool web = parsed && (parsed->scheme() == "http" || parsed->scheme() == "https");
        // A scheme and a host, and a port at most.
        if (web && !parsed->host().empty() && !parsed->has_userinfo() &&
            url.size() == parsed->scheme().size() + 3 + parsed->encoded_host_and_port().size())
          return {};
        return "it is http:// or https:// and a host, without a slash at the end";
      });
  command->add_flag("--demo", options->demo, "let anyone post; listens on the loopback only")
      ->envname("QUIRE_DEMO");
  command->add_option("--threads", options->threads, "0: one a core")
      ->envname("QUIRE_THREADS")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  command
      ->add_option("--max-connections", options->max_connections,
                   "for one more, the connection whose client is silent longest is closed")
      ->envname("QUIRE_MAX_CONNECTIONS")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command
      ->add_option("--max-connections-client", options->max_connections_client,
                   "of one address (IPv6: of one /64), more are closed at once; 0: a tenth of "
                   "--max-connections, but at least 100")
      ->envname("QUIRE_MAX_CONNECTIONS_CLIENT")
      ->capture_default_str()
      ->check(CLI::Range(0, 1'000'000));
  command
      ->add_option("--max-unsent", options->max_unsent,
                   "bytes of answers that may wait for slow clients, as in 256MiB; beyond it "
                   "answers are 503")
      ->envname("QUIRE_MAX_UNSENT")
      ->default_str("256MiB")
      ->transform(CLI::AsSizeValue(false));
  command
      ->add_option("--access-log", options->access_log, "file; - for standard error, none for none")
      ->envname("QUIRE_ACCESS_LOG")
      ->capture_default_str();
  command
      ->add_option("--audit-log", options->audit_log,
                   "file to which who changed and removed which comments is appended; none: "
                   "nowhere")
      ->envname("QUIRE_AUDIT_LOG");
  command
      ->add_option("--operations-listen", options->operations_listen,
                   "ADDRESS:PORT of /metrics, /readyz and /healthz alone; none: they are among the "
                   "public addresses")
      ->envname("QUIRE_OPERATIONS_LISTEN");
  command
      ->add_option("--posts-per-minute-client", options->posts_per_minute_client,
                   "writes taken from one address (IPv6: from one /48)")
      ->envname("QUIRE_POSTS_PER_MINUTE_CLIENT")
      ->capture_default_str()
      ->check(rate);
  command
      ->add_option("--posts-per-minute-product", options->posts_per_minute_product,
                   "posts taken for one product; from one address at most a quarter of them")
      ->envname("QUIRE_POSTS_PER_MINUTE_PRODUCT")
      ->capture_default_str()
      ->check(rate);
  command
      ->add_option("--trusted-proxy", options->trusted_proxies,
                   "addresses or networks, with commas between, whose Forwarded or X-Forwarded-For "
                   "is believed")
      ->envname("QUIRE_TRUSTED_PROXY");
  command
      ->add_option("--numbers-behind", options->numbers_behind,
                   "seconds; a page index that is further behind the table gives no page numbers")
      ->envname("QUIRE_NUMBERS_BEHIND")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000'000));
  command->footer("Example: quire serve --listen 127.0.0.1:8080 --tokens tokens.txt");
  return {command, [&common, options] { return serve(common, *options); }};
}

}  // namespace quire::cli
