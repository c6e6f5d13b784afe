#include "http/authority.h"

#include <boost/url.hpp>

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

}  // namespace

bool Authority::loopback() const {
  if (address && address->is_v4()) return address->to_v4().is_loopback();
  return address ? address->is_loopback() : host == "localhost";
}

std::optional<Authority> parse_authority(std::string_view text) {
  auto parsed = urls::parse_authority(text);
  if (!parsed || parsed->has_userinfo() || parsed->encoded_host().empty()) return {};
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

}  // namespace quire::http
