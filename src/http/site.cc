#include "http/site.h"

#include <boost/url.hpp>

#include "base/text.h"
#include "http/authority.h"

namespace quire::http {
namespace {

// Letters, digits and -._~ between slashes, so that a path has one form, and needs no escapes.
bool is_plain_path(std::string_view path) {
  while (!path.empty()) {
    if (path.front() != '/') return false;
    auto name = path.substr(1, path.find('/', 1) - 1);
    if (name.empty() || name.front() == '.' || percent_encode(name) != name) return false;
    path.remove_prefix(1 + name.size());
  }
  return true;
}

}  // namespace

std::string Site::root(const Request& request) const {
  if (!public_url.empty()) return public_url;
  auto authority = parse_authority(request.authority);
  if (!authority) return {};
  bool listens_there = authority->address == listen.address() &&
                       (listen.port() == 0 || authority->port == std::to_string(listen.port()));
  if (!authority->loopback() && !listens_there) return {};
  return "http://" + authority->text();
}

std::string_view Site::path() const {
  std::string_view url = public_url;
  auto scheme = url.find("://");
  if (scheme == url.npos) return {};
  auto begin = url.find('/', scheme + 3);
  return begin == url.npos ? std::string_view() : url.substr(begin);
}

std::string check_public_url(const std::string& url) {
  auto parsed = boost::urls::parse_uri(url);
  bool web = parsed && (parsed->scheme() == "http" || parsed->scheme() == "https");
  if (web && !parsed->host().empty() && !parsed->has_userinfo()) {
    auto begin = parsed->scheme().size() + 3 + parsed->encoded_host_and_port().size();
    if (is_plain_path(std::string_view(url).substr(begin))) return {};
  }
  return "it is http:// or https://, a host, and a path of letters, digits and -._~ if need be, "
         "without a slash at the end";
}

}  // namespace quire::http
