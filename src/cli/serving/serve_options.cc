#include "cli/serving/serve_options.h"

#include <fmt/core.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include "base/try.h"
#include "http/site.h"

namespace quire::cli {

namespace {

// How many of the wanted connections there may be. The usual soft limit is 1024 files.
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

// CLI11's own ranges let "nan" through, which no limit would hold against.
const CLI::Validator rate(
    [](std::string& text) {
      double value = 0;
      bool number = CLI::detail::lexical_cast(text, value) && value >= 1 && value <= 1e9;
      return number ? std::string() : "must be a number from 1 to 1000000000";
    },
    "1 to 1000000000");

// CLI11's own message lists every unit there is, and "-1" is a very large number to CLI11.
const CLI::Validator size(
    [](std::string& text) {
      constexpr std::uint64_t most = std::uint64_t{1} << 40;
      std::uint64_t bytes = most + 1;
      try {
        if (!text.starts_with('-') && CLI::AsSizeValue(false)(text).empty())
          CLI::detail::lexical_cast(text, bytes);
      } catch (const CLI::ValidationError&) {  // says the same
      }
      return bytes <= most ? std::string() : "takes bytes up to 1TiB, such as 256MiB";
    },
    "");

template <class Value>
CLI::Option* add(CLI::App& command, const std::string& name, Value& value, const char* value_name,
                 const char* text, const char* variable) {
  return command.add_option(name, value, text)
      ->option_text(value_name)
      ->envname(variable)
      ->capture_default_str();
}

void add_addresses(CLI::App& command, ServeOptions& options) {
  command.option_defaults()->group("Addresses");
  add(command, "--listen", options.listen, "ADDRESS:PORT", "port 0 picks a free one",
      "QUIRE_LISTEN");
  add(command, "--operations-listen", options.operations_listen, "ADDRESS:PORT",
      "serves /metrics, /readyz and /healthz, and --listen no longer does",
      "QUIRE_OPERATIONS_LISTEN");
  add(command, "--public-url", options.public_url, "URL",
      "where visitors see the pages, such as https://shop.example/reviews", "QUIRE_PUBLIC_URL")
      ->check(http::check_public_url);
  add(command, "--trusted-proxy", options.trusted_proxies, "NETWORK,...",
      "proxies whose X-Forwarded-For is believed", "QUIRE_TRUSTED_PROXY");
}

void add_shop_and_writers(CLI::App& command, ServeOptions& options) {
  command.option_defaults()->group("Shop and writers (changed files are read again)");
  add(command, "--shop", options.shop, "FILE", "name, writers and rules of the shop", "QUIRE_SHOP");
  add(command, "--tokens", options.tokens, "FILE", "hashes of tokens that may write",
      "QUIRE_TOKENS");
  command.add_flag("--demo", options.demo, "anyone on this machine may post; on the loopback only")
      ->envname("QUIRE_DEMO");
}

void add_files(CLI::App& command, ServeOptions& options) {
  command.option_defaults()->group("Files (SIGHUP opens logs again)");
  add(command, "--access-log", options.access_log, "FILE",
      "a line a request; - is standard error, none no log", "QUIRE_ACCESS_LOG");
  add(command, "--audit-log", options.audit_log, "FILE",
      "a line for each change, decision, erasure and import", "QUIRE_AUDIT_LOG");
  add(command, "--cursor-keys", options.cursor_keys, "FILE",
      "keys of cursors, else kept with the comments", "QUIRE_CURSOR_KEYS");
  add(command, "--customer-key", options.customer_key, "FILE",
      "key of customers, else kept with the comments", "QUIRE_CUSTOMER_KEY");
}

void add_limits(CLI::App& command, ServeOptions& options) {
  command.option_defaults()->group("Limits (SIGHUP reads them again)");
  add(command, "--max-connections", options.max_connections, "N",
      "a further one displaces the one silent longest", "QUIRE_MAX_CONNECTIONS")
      ->check(CLI::Range(1, 1'000'000));
  add(command, "--max-connections-client", options.max_connections_client, "N",
      "of one address (IPv6: one /64); 0: a tenth of all, but at least 100",
      "QUIRE_MAX_CONNECTIONS_CLIENT")
      ->check(CLI::Range(0, 1'000'000));
  add(command, "--max-unsent", options.max_unsent, "SIZE",
      "answers that wait for slow clients; then 503", "QUIRE_MAX_UNSENT")
      ->default_str("256MiB")
      ->transform(size);
  add(command, "--posts-per-minute-client", options.rates.client, "N", "writes from one address",
      "QUIRE_POSTS_PER_MINUTE_CLIENT")
      ->check(rate);
  add(command, "--posts-per-minute-product", options.rates.product, "N",
      "one address may send a quarter", "QUIRE_POSTS_PER_MINUTE_PRODUCT")
      ->check(rate);
}

void add_resources(CLI::App& command, ServeOptions& options) {
  command.option_defaults()->group("Resources and waits");
  add(command, "--cache", options.cache, "SIZE", "memory for rendered pages; 0: none",
      "QUIRE_CACHE")
      ->default_str("64MiB")
      ->transform(size);
  add(command, "--threads", options.threads, "N", "0: one for each core", "QUIRE_THREADS")
      ->check(CLI::Range(0, 256));
  add(command, "--numbers-behind", options.numbers_behind, "N",
      "seconds that a page index may be behind", "QUIRE_NUMBERS_BEHIND")
      ->check(CLI::Range(1, 1'000'000'000));
  add(command, "--idle", options.idle, "N", "seconds; then an idle connection is closed",
      "QUIRE_IDLE")
      ->check(CLI::Range(1, 86'400));
  command.add_option("--drain", options.drain, "seconds from SIGTERM to the end; --demo: 0")
      ->option_text("N")
      ->default_str("3")
      ->envname("QUIRE_DRAIN")
      ->check(CLI::Range(0, 3600));
}

}  // namespace

std::chrono::seconds drain_of(const ServeOptions& options) {
  return std::chrono::seconds(options.drain.value_or(options.demo ? 0 : 3));
}

Result<http::ServerOptions> server_options(const ServeOptions& options) {
  http::ServerOptions out;
  TRY(auto endpoint, parse_endpoint(options.listen));
  if (options.demo && !endpoint.address().is_loopback()) {
    return Error{ErrorCode::invalid_parameter,
                 "--demo lets anyone post, so it listens on a loopback address only: --listen "
                 "127.0.0.1:8080."};
  }
  const auto& proxies = options.trusted_proxies;
  auto texts = CLI::detail::split(proxies + ",", ',');  // without an empty last one
  if (proxies.empty()) texts.clear();
  for (const auto& text : texts) {
    TRY(auto network, http::Network::parse(text));
    out.trusted_proxies.push_back(network);
  }
  out.listen = endpoint;
  out.threads = options.threads;
  out.timeouts.idle = std::chrono::seconds(options.idle);
  out.limits = {allow_descriptors(options.max_connections), options.max_connections_client,
                options.max_unsent};
  return out;
}

Result<Endpoint> parse_endpoint(const std::string& text, const std::string& option) {
  auto colon = text.rfind(':');
  std::string host = text.substr(0, colon);
  if (host == "localhost") host = "127.0.0.1";
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  boost::system::error_code failed;
  auto address = boost::asio::ip::make_address(host, failed);
  unsigned port = 0;
  bool number = colon != text.npos && CLI::detail::lexical_cast(text.substr(colon + 1), port) &&
                port <= 65535;
  if (failed || !number) {
    return Error{ErrorCode::invalid_parameter,
                 option + " takes ADDRESS:PORT, such as 127.0.0.1:8080 or [::1]:8080; this is \"" +
                     text + "\"."};
  }
  return Endpoint(address, static_cast<unsigned short>(port));
}

std::string url_of(const Endpoint& endpoint) {
  auto address = endpoint.address().to_string();
  return fmt::format("http://{}:{}", endpoint.address().is_v6() ? "[" + address + "]" : address,
                     endpoint.port());
}

void add_options(CLI::App& command, ServeOptions& options) {
  add_addresses(command, options);
  add_shop_and_writers(command, options);
  add_files(command, options);
  add_limits(command, options);
  add_resources(command, options);
}

}  // namespace quire::cli
