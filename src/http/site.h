// The address under which clients see this service; the host that a request names, and whether that
// host is this machine.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"

namespace quire::http {

// The parts of "shop.example:8080".
struct Authority {
  std::string host;                                 // lower-case; an IPv6 address in brackets
  std::string port;                                 // empty: the scheme's own
  std::optional<boost::asio::ip::address> address;  // if the host is an address

  // Whether it is `localhost`, an IPv4 address in 127.0.0.0/8, or [::1]. Any other name, even one
  // below .localhost, is not: its owner decides to which address it leads.
  bool loopback() const;
  std::string text() const { return port.empty() ? host : host + ":" + port; }
  friend bool operator==(const Authority&, const Authority&) = default;
};

// Nothing if the text is empty, contains a user's name, or is no authority at all.
std::optional<Authority> parse_authority(std::string_view text);

// Whether a request comes from a page of this machine, or from no page. A page of another site has
// another Origin; if its name was made to lead to this machine, the authority is that name.
// `origin` is empty if the request has none, as without a browser.
bool from_this_machine(std::string_view authority, std::string_view origin);

// The address under which clients see this service.
struct Site {
  std::string public_url;                 // "https://shop.example/reviews"; empty: not configured
  boost::asio::ip::tcp::endpoint listen;  // the server's own; port 0: the system picked one

  // With what absolute URLs of this service begin: the public URL, or scheme and host of the
  // request if its host names this machine. Empty if the request names another host, because a
  // client can make up any host.
  std::string root(const Request& request) const;
  // Whether a browser says that a page of another site sent the request. With a public URL pages of
  // that alone are the service's own, whatever host the request names: the owner of a name may have
  // made it lead here. Programs say nothing, and have no visitor whose rights they could use.
  bool is_foreign(const Request& request) const;
  // Whether browsers say by Sec-Fetch-Site which page sent a form: over https, and to this machine.
  bool hears_of_sites(const Request& request) const;
  // The path of the public URL, below which all addresses are: "/reviews", or empty. Refers to the
  // public URL.
  std::string_view path() const;
};

// An empty text, or why this is no public URL.
std::string check_public_url(const std::string& url);

}  // namespace quire::http
