// The options of `quire serve`, and the address that it listens on.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "desk/limits.h"
#include "http/server/server.h"
#include "quire/result.h"

namespace quire::cli {

// The address to listen on, as --listen has it.
using Endpoint = boost::asio::ip::tcp::endpoint;

// Parses "127.0.0.1:8080", "[::1]:8080" or "localhost:0". The error names `option`.
Result<Endpoint> parse_endpoint(const std::string& text, const std::string& option = "--listen");
// "http://127.0.0.1:8080"
std::string url_of(const Endpoint& endpoint);

struct ServeOptions {
  std::string listen = "127.0.0.1:8080";
  std::string tokens;
  std::string shop;
  std::string cursor_keys;
  std::string customer_key;
  std::string access_log = "-";
  std::string audit_log;
  std::string operations_listen;
  bool demo = false;
  std::string public_url;
  unsigned threads = 0;
  std::size_t max_connections = 10'000;
  std::size_t max_connections_client = 0;
  std::size_t max_unsent = 256 * 1024 * 1024;
  std::size_t cache = 64 * 1024 * 1024;
  desk::WriteRates rates = {};
  std::string trusted_proxies;
  std::uint32_t numbers_behind = 60;
  std::uint32_t idle = 60;                  // seconds
  std::optional<std::uint32_t> drain = {};  // seconds; absent: 3, and 0 with `demo`
};

std::chrono::seconds drain_of(const ServeOptions& options);

// `options` must outlive the command.
void add_options(CLI::App& command, ServeOptions& options);

// Raises this process's limit of open files, because each connection needs one; where that is not
// enough, takes fewer connections and logs a warning. invalid_parameter.
Result<http::ServerOptions> server_options(const ServeOptions& options);

}  // namespace quire::cli
