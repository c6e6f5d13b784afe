// The address of the client that sent a request: the peer's, or the one that trusted proxies name.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/beast/http/fields.hpp>
#include <string>
#include <vector>

#include "quire/result.h"

namespace quire::http {

// "10.0.0.0/8", "::1", "192.0.2.7".
struct Network {
  boost::asio::ip::address address;
  unsigned prefix;

  static Result<Network> parse(const std::string& text);
  bool contains(const boost::asio::ip::address& address) const;
};

// The IPv4 address in an IPv4-mapped IPv6 address (::ffff:192.0.2.7); any other address as it is.
boost::asio::ip::address plain(const boost::asio::ip::address& address);

bool trusts(const std::vector<Network>& trusted, const boost::asio::ip::address& address);

// From the right of Forwarded (RFC 7239) or X-Forwarded-For, the first address that is no trusted
// proxy. The headers count only if the peer is trusted. If both are there and they differ, the
// result is the peer.
boost::asio::ip::address client_address(const boost::asio::ip::address& peer,
                                        const boost::beast::http::fields& headers,
                                        const std::vector<Network>& trusted);

}  // namespace quire::http
