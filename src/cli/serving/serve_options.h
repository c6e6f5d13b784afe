// The options of `quire serve`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

namespace quire::cli {

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
  std::size_t cache = 64 * 1024 * 1024;
  double posts_per_minute_client = 60;
  double posts_per_minute_product = 600;
  std::string trusted_proxies;
  std::uint32_t numbers_behind = 60;
};

// `options` must outlive the command.
void add_options(CLI::App& command, ServeOptions& options);

}  // namespace quire::cli
