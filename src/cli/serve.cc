// quire serve
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/resource.h>

#include <boost/asio/signal_set.hpp>
#include <boost/url.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include "cli/commands.h"
#include "cli/endpoint.h"
#include "cli/log.h"
#include "cli/upgrade.h"
#include "http/server.h"
#include "service/comments.h"
#include "wiring/cursor_keys.h"
#include "wiring/open.h"
#include "wiring/pages.h"

namespace quire::cli {
namespace {

namespace asio = boost::asio;

struct ServeOptions {
  std::string listen = "127.0.0.1:8080";
  std::string tokens;
  std::string cursor_keys;
  std::string access_log = "-";
  bool demo = false;
  std::string public_url;
  unsigned threads = 0;
  std::size_t most_connections = 10'000;
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
  int log = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
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
  out.most_connections = options.most_connections;
  return out;
}

Result<http::ApplicationOptions> application_options(const ServeOptions& options) {
  http::ApplicationOptions out{.tokens = {},
                               .demo = options.demo,
                               .public_url = options.public_url,
                               .posts_per_minute_client = options.posts_per_minute_client,
                               .posts_per_minute_product = options.posts_per_minute_product};
  if (options.tokens.empty()) return out;
  auto tokens = http::Tokens::read(options.tokens);
  if (!tokens) return tokens.error();
  out.tokens = std::move(*tokens);
  return out;
}

// A connection takes a descriptor, and the usual soft limit is 1024.
void allow_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Stops the server at SIGTERM or SIGINT; at the second one without waiting.
class Signals {
 public:
  explicit Signals(http::Server& server) : signals_(context_, SIGTERM, SIGINT), server_(server) {
    wait();
    thread_ = std::thread([this] { context_.run(); });
  }
  ~Signals() {
    context_.stop();
    thread_.join();
  }

 private:
  void wait() {
    signals_.async_wait([this](boost::system::error_code cancelled, int) {
      if (cancelled) return;
      server_.stop();
      wait();
    });
  }

  asio::io_context context_;
  asio::signal_set signals_;
  http::Server& server_;
  std::thread thread_;
};

void announce(const Endpoint& endpoint, const ServeOptions& options) {
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
  auto application_opts = application_options(options);
  if (!application_opts) return fail(application_opts.error());
  // Whoever keeps it writes it: here it may still be missing, or away.
  auto index = open_pages(common.pages, common.store, Access::read);
  if (!index) return fail(index.error());
  Upgrade upgrade;
  auto open = open_store(common.store, Access::write, upgrade.shown());
  if (!open) return fail(open.error());
  auto keys = options.cursor_keys.empty() ? open->cursor_keys()
                                          : open_cursor_keys(options.cursor_keys, Access::write);
  if (!keys) return fail(keys.error());

  std::signal(SIGPIPE, SIG_IGN);
  allow_descriptors();
  auto numbers = numbers_from(common.pages, index->get());
  numbers.most_behind = std::chrono::seconds(options.numbers_behind);
  Comments comments(*open->store, Seal(*keys), numbers);
  http::Metrics metrics(http::Application::route_names());
  http::Application application(comments, metrics, std::move(*application_opts));
  std::unique_ptr<http::Server> server;
  try {
    server = std::make_unique<http::Server>(application, metrics, std::move(*server_opts));
  } catch (const boost::system::system_error& refused) {
    return fail({ErrorCode::unavailable, fmt::format("Cannot listen on {}: {}.", options.listen,
                                                     refused.code().message())});
  }
  Signals signals(*server);
  announce(server->endpoint(), options);
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
                   "file with the hashes of tokens that may write; without it nobody may")
      ->envname("QUIRE_TOKENS");
  command
      ->add_option("--cursor-keys", options->cursor_keys,
                   "file with the keys of cursors; made if missing (default: kept with the "
                   "comments)")
      ->envname("QUIRE_CURSOR_KEYS");
  command
      ->add_option("--public-url", options->public_url,
                   "scheme and host under which the pages are seen, for feeds and search engines: "
                   "https://shop.example; none: as each request says")
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
  command->add_option("--max-connections", options->most_connections, "more are closed at once")
      ->envname("QUIRE_MAX_CONNECTIONS")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command
      ->add_option("--access-log", options->access_log, "file; - for standard error, none for none")
      ->envname("QUIRE_ACCESS_LOG")
      ->capture_default_str();
  command
      ->add_option("--posts-per-minute-client", options->posts_per_minute_client,
                   "posts taken from one address")
      ->envname("QUIRE_POSTS_PER_MINUTE_CLIENT")
      ->capture_default_str()
      ->check(rate);
  command
      ->add_option("--posts-per-minute-product", options->posts_per_minute_product,
                   "posts taken for one product")
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
