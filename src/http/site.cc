#include "http/site.h"

#include "http/authority.h"

namespace quire::http {

std::string Site::origin(const Request& request) const {
  if (!public_url.empty()) return public_url;
  auto authority = parse_authority(request.authority);
  if (!authority) return {};
  bool listens_there = authority->address == listen.address() &&
                       (listen.port() == 0 || authority->port == std::to_string(listen.port()));
  if (!authority->loopback() && !listens_there) return {};
  return "http://" + authority->text();
}

}  // namespace quire::http
