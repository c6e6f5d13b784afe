// The host that a request names, and which hosts are this machine.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace quire::http {

// "shop.example:8080", taken apart.
struct Authority {
  std::string host;                                 // lower-case; an IPv6 address in brackets
  std::string port;                                 // empty: the scheme's own
  std::optional<boost::asio::ip::address> address;  // where the host is one

  // Whether it is `localhost`, an IPv4 address in 127.0.0.0/8, or [::1]. No other name is, also not
  // below .localhost: what a name leads to is for its owner to say.
  bool loopback() const;
  std::string text() const { return port.empty() ? host : host + ":" + port; }
  friend bool operator==(const Authority&, const Authority&) = default;
};

// Nothing if it is empty, has a user's name in it, or is no authority at all.
std::optional<Authority> parse_authority(std::string_view text);

// Whether a browser, if one sends this, shows a page of this machine: a page from elsewhere has
// another Origin, or, where its name was made to lead here, a host of that name. `origin` is empty
// where no browser sends it.
bool from_this_machine(std::string_view authority, std::string_view origin);

}  // namespace quire::http
