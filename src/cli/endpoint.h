// Where to listen, as --listen has it.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>

#include "quire/result.h"

namespace quire::cli {

using Endpoint = boost::asio::ip::tcp::endpoint;

// "127.0.0.1:8080", "[::1]:8080", "localhost:0". `option` is named where the text is none of these.
Result<Endpoint> parse_endpoint(const std::string& text, const std::string& option = "--listen");
// "http://127.0.0.1:8080"
std::string url_of(const Endpoint& endpoint);

}  // namespace quire::cli
