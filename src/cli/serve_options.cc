#include "cli/serve_options.h"

#include <boost/url.hpp>

namespace quire::cli {
namespace {

// CLI11's own ranges let "nan" through, which no limit would hold against.
const CLI::Validator rate(
    [](std::string& text) {
      double value = 0;
      bool number = CLI::detail::lexical_cast(text, value) && value >= 1 && value <= 1e9;
      return number ? std::string() : "must be a number from 1 to 1000000000";
    },
    "1 to 1000000000");

// An empty text, or why the URL is refused.
std::string check_public_url(const std::string& url) {
  auto parsed = boost::urls::parse_uri(url);
  bool web = parsed && (parsed->scheme() == "http" || parsed->scheme() == "https");
  // Scheme, host and port, and nothing else.
  if (web && !parsed->host().empty() && !parsed->has_userinfo() &&
      url.size() == parsed->scheme().size() + 3 + parsed->encoded_host_and_port().size())
    return {};
  return "it is http:// or https:// and a host, without a slash at the end";
}

void add_addresses(CLI::App& command, ServeOptions& options) {
  command.add_option("--listen", options.listen, "ADDRESS:PORT; port 0 picks a free one")
      ->envname("QUIRE_LISTEN")
      ->capture_default_str();
  command
      .add_option("--operations-listen", options.operations_listen,
                  "ADDRESS:PORT for /metrics, /readyz and /healthz alone; without it --listen "
                  "serves them")
      ->envname("QUIRE_OPERATIONS_LISTEN");
  command
      .add_option("--public-url", options.public_url,
                  "scheme and host of the pages as visitors see them, such as "
                  "https://shop.example; feeds, sitemap and search engines need it. Without it "
                  "a request's own host is used if it names this machine")
      ->envname("QUIRE_PUBLIC_URL")
      ->check(check_public_url);
  command
      .add_option("--trusted-proxy", options.trusted_proxies,
                  "addresses or networks of proxies, separated by commas; the server believes "
                  "their Forwarded and X-Forwarded-For")
      ->envname("QUIRE_TRUSTED_PROXY");
  command
      .add_flag("--demo", options.demo,
                "let anyone on this machine post; listens on a loopback address only")
      ->envname("QUIRE_DEMO");
}

void add_files(CLI::App& command, ServeOptions& options) {
  command
      .add_option("--tokens", options.tokens,
                  "file with the hashes of the tokens that may write; read again when it "
                  "changes. Without it nobody may write")
      ->envname("QUIRE_TOKENS");
  command
      .add_option("--cursor-keys", options.cursor_keys,
                  "file with the keys of cursors; made if missing. Without it the keys are kept "
                  "with the comments")
      ->envname("QUIRE_CURSOR_KEYS");
  command
      .add_option("--access-log", options.access_log,
                  "file for a line per request; - for standard error, none for no log")
      ->envname("QUIRE_ACCESS_LOG")
      ->capture_default_str();
  command
      .add_option("--audit-log", options.audit_log,
                  "file to which a line is appended for each comment that is changed or removed, "
                  "with the token that did it; without it there is no such log")
      ->envname("QUIRE_AUDIT_LOG");
}

void add_capacity(CLI::App& command, ServeOptions& options) {
  command.add_option("--threads", options.threads, "0: one for each core")
      ->envname("QUIRE_THREADS")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  command
      .add_option("--max-connections", options.max_connections,
                  "open connections; beyond that number a new one displaces the one whose client "
                  "has been silent longest")
      ->envname("QUIRE_MAX_CONNECTIONS")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  command
      .add_option("--max-connections-client", options.max_connections_client,
                  "open connections of one address (IPv6: one /64); further ones are closed at "
                  "once. 0: a tenth of --max-connections, but at least 100")
      ->envname("QUIRE_MAX_CONNECTIONS_CLIENT")
      ->capture_default_str()
      ->check(CLI::Range(0, 1'000'000));
  command
      .add_option("--max-unsent", options.max_unsent,
                  "bytes of answers that may wait for slow clients, such as 256MiB; beyond that "
                  "size answers are 503")
      ->envname("QUIRE_MAX_UNSENT")
      ->default_str("256MiB")
      ->transform(CLI::AsSizeValue(false));
  command.add_option("--cache", options.cache, "memory for rendered pages; 0: off")
      ->envname("QUIRE_CACHE")
      ->default_str("64MiB")
      ->transform(CLI::AsSizeValue(false));
}

void add_limits(CLI::App& command, ServeOptions& options) {
  command
      .add_option("--posts-per-minute-client", options.posts_per_minute_client,
                  "writes per minute from one address (IPv6: one /48)")
      ->envname("QUIRE_POSTS_PER_MINUTE_CLIENT")
      ->capture_default_str()
      ->check(rate);
  command
      .add_option("--posts-per-minute-product", options.posts_per_minute_product,
                  "posts per minute for one product; one address may send a quarter of them")
      ->envname("QUIRE_POSTS_PER_MINUTE_PRODUCT")
      ->capture_default_str()
      ->check(rate);
  command
      .add_option("--numbers-behind", options.numbers_behind,
                  "seconds; pages have no numbers while the page index is further behind the "
                  "table than that")
      ->envname("QUIRE_NUMBERS_BEHIND")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000'000));
}

}  // namespace

void add_options(CLI::App& command, ServeOptions& options) {
  add_addresses(command, options);
  add_files(command, options);
  add_capacity(command, options);
  add_limits(command, options);
}

}  // namespace quire::cli
