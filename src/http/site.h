// The address under which clients see this service.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>
#include <string_view>

#include "http/message.h"

namespace quire::http {

struct Site {
  std::string public_url;                 // "https://shop.example/reviews"; empty: not configured
  boost::asio::ip::tcp::endpoint listen;  // the server's own; port 0: the system picked one

  // With what absolute URLs of this service begin: the public URL, or scheme and host of the
  // request if its host names this machine. Empty if the request names another host, because a
  // client can make up any host.
  std::string root(const Request& request) const;
  // The path of the public URL, below which all addresses are: "/reviews", or empty. Refers to the
  // public URL.
  std::string_view path() const;
};

// An empty text, or why this is no public URL.
std::string check_public_url(const std::string& url);

}  // namespace quire::http
