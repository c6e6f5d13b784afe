// The address under which clients see this service.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <string>

#include "http/message.h"

namespace quire::http {

struct Site {
  std::string public_url;                 // "https://shop.example"; empty: not configured
  boost::asio::ip::tcp::endpoint listen;  // the server's own; port 0: the system picked one

  // Scheme and host for absolute URLs: the public URL, or the request's host if it names this
  // machine. Empty if the request names another host, because a client can make up any host.
  std::string origin(const Request& request) const;
};

}  // namespace quire::http
