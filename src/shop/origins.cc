#include "shop/origins.h"

#include <charconv>
#include <cstdint>

namespace quire::shop {
namespace {

constexpr std::size_t max_host = 253;

bool is_host(std::string_view host) {
  constexpr std::string_view name = "abcdefghijklmnopqrstuvwxyz0123456789-_.";
  constexpr std::string_view address = "0123456789abcdef:.";
  if (host.starts_with('[') && host.ends_with(']')) {
    auto inner = host.substr(1, host.size() - 2);
    return inner.find(':') != inner.npos && inner.find_first_not_of(address) == inner.npos;
  }
  return !host.empty() && host.size() <= max_host && host.find_first_not_of(name) == host.npos &&
         host.front() != '.' && host.back() != '.' && host.find("..") == host.npos;
}

bool is_port(std::string_view text, std::string_view of_scheme) {
  std::uint16_t port = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  return failed == std::errc{} && end == text.data() + text.size() && port > 0 &&
         text.front() != '0' && text != of_scheme;
}

}  // namespace

bool is_origin(std::string_view text) {
  bool secure = text.starts_with("https://");
  if (!secure && !text.starts_with("http://")) return false;
  text.remove_prefix(secure ? 8 : 7);
  auto colon = text.rfind(':');
  if (colon == text.npos || text.ends_with(']')) return is_host(text);
  return is_host(text.substr(0, colon)) && is_port(text.substr(colon + 1), secure ? "443" : "80");
}

}  // namespace quire::shop
