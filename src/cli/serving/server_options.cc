#include "cli/serving/server_options.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>

#include "cli/serving/endpoint.h"

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

}  // namespace

Result<http::ServerOptions> server_options(const ServeOptions& options) {
  http::ServerOptions out;
  auto endpoint = parse_endpoint(options.listen);
  if (!endpoint) return endpoint.error();
  if (options.demo && !endpoint->address().is_loopback()) {
    return Error{ErrorCode::invalid_parameter,
                 "--demo lets anyone post, so it listens on a loopback address only: --listen "
                 "127.0.0.1:8080."};
  }
  const auto& proxies = options.trusted_proxies;
  auto texts = CLI::detail::split(proxies + ",", ',');  // without an empty last one
  if (proxies.empty()) texts.clear();
  for (const auto& text : texts) {
    auto network = http::Network::parse(text);
    if (!network) return network.error();
    out.trusted_proxies.push_back(*network);
  }
  out.listen = *endpoint;
  out.threads = options.threads;
  out.limits = {allow_descriptors(options.max_connections), options.max_connections_client,
                options.max_unsent};
  return out;
}

}  // namespace quire::cli
