// Where requests over HTTP go: a scheme, a host and a port.
#pragma once

#include <string>
#include <string_view>

#include "quire/result.h"

namespace quire {

struct HttpOrigin {
  bool tls;
  std::string host;  // an IPv6 address in brackets
  std::string port;

  // The value of the Host header.
  std::string authority() const;
};

// "http://127.0.0.1:8000"; nothing more than scheme, host and port. invalid_parameter: the text is
// no such URL. Thread-safe.
Result<HttpOrigin> parse_origin(std::string_view url);

}  // namespace quire
