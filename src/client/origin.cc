#include "client/origin.h"

#include <boost/url.hpp>

namespace quire {

std::string HttpOrigin::authority() const {
  bool usual = port == (tls ? "443" : "80");
  return usual ? host : host + ":" + port;
}

Result<HttpOrigin> parse_origin(std::string_view url) {
  auto parsed = boost::urls::parse_uri(url);
  bool web = parsed && (parsed->scheme() == "http" || parsed->scheme() == "https");
  bool bare = web && !parsed->host().empty() && !parsed->has_userinfo() && !parsed->has_query() &&
              !parsed->has_fragment() && (parsed->path().empty() || parsed->path() == "/");
  if (!bare) {
    return Error{ErrorCode::invalid_parameter,
                 "An endpoint is http:// or https://, a host, and a port if need be, such as "
                 "http://127.0.0.1:8000; this is \"" +
                     std::string(url) + "\"."};
  }
  bool tls = parsed->scheme() == "https";
  std::string port = parsed->has_port() ? std::string(parsed->port()) : "";
  if (!port.empty() && parsed->port_number() == 0) {
    return Error{ErrorCode::invalid_parameter, "The endpoint's port is a number from 1 to 65535."};
  }
  return HttpOrigin{tls, std::string(parsed->encoded_host()),
                    port.empty() ? (tls ? "443" : "80") : port};
}

}  // namespace quire
