#include "cli/serving/endpoint.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

namespace quire::cli {

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

}  // namespace quire::cli
