// Web addresses by the rules of the WHATWG's URL standard, which browsers follow:
// https://url.spec.whatwg.org/ Only addresses are taken whose scheme, host and port a browser
// leaves as they are written, so that a person and each program read the same place in them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quire {

// The parts of an address, as it is written.
struct WebAddress {
  bool secure;            // https, else http
  std::string_view host;  // "shop.example", "127.0.0.1", "[::1]"
  std::string_view port;  // empty: the scheme's own
  std::string_view rest;  // from the path on; empty: there is none
};

// Absent: a browser refuses the text, or reads another scheme, host or port than is written
// (capital letters, a port that is the scheme's own, 127.1); or the address names a user, who could
// be taken for the host. Views of `text`. Thread-safe.
std::optional<WebAddress> parse_web_address(std::string_view text);

// Whether a browser leaves the host of a web address as it is: a name in ASCII and small letters,
// of which a label in Punycode is valid, an IPv4 address of four decimals, or an IPv6 address in
// its shortest form in brackets. Thread-safe.
bool is_web_host(std::string_view host);

// Whether it is the number of a port: digits, at most 65535. Empty is none.
bool is_port(std::string_view text);

// Whether a Host header may have it: a name or an address, and perhaps ":" and a port. Names may
// have capital letters. Empty is none.
bool is_authority(std::string_view text);

// The address with its rest percent-encoded, as a browser sends it.
std::string as_sent(const WebAddress& address);

// What the value of a field must be, for messages.
inline constexpr std::string_view web_address_wanted =
    "https:// or http://, a host as browsers write it (small letters, xn-- for others), and a port "
    "only where it is not the usual one";

}  // namespace quire
