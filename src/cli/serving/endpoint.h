// The address to listen on, as --listen has it.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>

#include "quire/result.h"

namespace quire::cli {

using Endpoint = boost::asio::ip::tcp::endpoint;

// Parses "127.0.0.1:8080", "[::1]:8080" or "localhost:0". The error names `option`.
Result<Endpoint> parse_endpoint(const std::string& text, const std::string& option = "--listen");
// "http://127.0.0.1:8080"
std::string url_of(const Endpoint& endpoint);

}  // namespace quire::cli
