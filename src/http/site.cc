#include "http/site.h"

#include <boost/url.hpp>

#include "base/text.h"
#include "base/web_address.h"

namespace quire::http {

namespace {

namespace urls = boost::urls;
namespace ip = boost::asio::ip;

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return out;
}

std::optional<ip::address> address_of(const urls::authority_view& parsed) {
  if (parsed.host_type() == urls::host_type::ipv4)
    return ip::make_address_v4(parsed.host_ipv4_address().to_bytes());
  if (parsed.host_type() != urls::host_type::ipv6) return {};
  return ip::make_address_v6(parsed.host_ipv6_address().to_bytes());
}

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

bool Authority::loopback() const {
  if (address && address->is_v4()) return address->to_v4().is_loopback();
  return address ? address->is_loopback() : host == "localhost";
}

std::optional<Authority> parse_authority(std::string_view text) {
  auto parsed = urls::parse_authority(text);
  if (!parsed || !is_authority(text)) return {};
  std::string_view host = parsed->encoded_host(), port = parsed->port();
  return Authority{lower_case(host), std::string(port), address_of(*parsed)};
}

bool from_this_machine(std::string_view authority, std::string_view origin) {
  auto host = parse_authority(authority);
  if (!host || !host->loopback()) return false;
  if (origin.empty()) return true;
  for (std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return parse_authority(origin.substr(scheme.size())) == host;
  }
  return false;
}

std::string Site::root(const Request& request) const {
  if (!public_url.empty()) return public_url;
  auto authority = parse_authority(request.authority);
  if (!authority) return {};
  bool listens_there = authority->address == listen.address() &&
                       (listen.port() == 0 || authority->port == std::to_string(listen.port()));
  if (!authority->loopback() && !listens_there) return {};
  return "http://" + authority->text();
}

bool Site::is_foreign(const Request& request) const {
  auto origin = request.header(Field::origin);
  if (origin.empty()) return false;
  bool same = (*request.headers)["Sec-Fetch-Site"] == "same-origin";
  auto host = [](std::string_view url) {
    auto scheme = url.find("://");
    return scheme == url.npos ? std::string_view() : url.substr(scheme + 3);
  };
  if (public_url.empty())
    return !same && origin != root(request) && host(origin) != request.authority;
  auto own = std::string_view(public_url).substr(0, public_url.size() - path().size());
  // A page that hides where it is has the origin "null".
  return origin != own && !(origin == "null" && same && host(own) == request.authority);
}

bool Site::hears_of_sites(const Request& request) const {
  if (!public_url.empty()) return public_url.starts_with("https://");
  auto authority = parse_authority(request.authority);
  return authority && authority->loopback();
}

std::string_view Site::path() const {
  std::string_view url = public_url;
  auto scheme = url.find("://");
  if (scheme == url.npos) return {};
  auto begin = url.find('/', scheme + 3);
  return begin == url.npos ? std::string_view() : url.substr(begin);
}

std::string check_public_url(const std::string& url) {
  auto address = parse_web_address(url);
  if (address && is_plain_path(address->rest)) return {};
  return "it is " + std::string(web_address_wanted) +
         "; a path of letters, digits and -._~ if need be, without a slash at the end";
}

}  // namespace quire::http
