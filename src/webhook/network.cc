#include "webhook/network.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"

namespace quire::webhook {
namespace {

struct Network {
  const char* cidr;
  std::string_view kind;
};

// IANA's registries of special addresses:
// https://www.iana.org/assignments/iana-ipv4-special-registry
constexpr Network ipv4[] = {
    {"0.0.0.0/8", "unspecified"},
    {"10.0.0.0/8", "private"},
    {"100.64.0.0/10", "carrier's private"},
    {"127.0.0.0/8", "loopback"},
    {"169.254.0.0/16", "link-local"},
    {"172.16.0.0/12", "private"},
    {"192.0.0.0/24", "reserved"},
    {"192.0.2.0/24", "documentation"},
    {"192.88.99.0/24", "reserved"},
    {"192.168.0.0/16", "private"},
    {"198.18.0.0/15", "benchmarking"},
    {"198.51.100.0/24", "documentation"},
    {"203.0.113.0/24", "documentation"},
    {"224.0.0.0/4", "multicast"},
    {"240.0.0.0/4", "reserved"},
};

// https://www.iana.org/assignments/iana-ipv6-special-registry Besides, all that is not 2000::/3.
constexpr Network ipv6[] = {
    {"::/128", "unspecified"},          {"::1/128", "loopback"},   {"fe80::/10", "link-local"},
    {"fec0::/10", "private"},           {"fc00::/7", "private"},   {"ff00::/8", "multicast"},
    {"2001::/23", "reserved"},                                      // Teredo, ORCHID and others
    {"2001:db8::/32", "documentation"}, {"2002::/16", "reserved"},  // 6to4
    {"3fff::/20", "documentation"},
};
constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
// Of NAT64: networks without IPv4 reach public hosts so.
constexpr std::array<std::uint8_t, 12> translated{0, 0x64, 0xff, 0x9b};

struct Range {
  std::array<std::uint8_t, 16> begin{};
  std::size_t bits = 0;
  std::string_view kind;

  bool has(std::span<const std::uint8_t> address) const {
    for (std::size_t i = 0; 8 * i < bits; ++i) {
      auto left = std::min<std::size_t>(bits - 8 * i, 8);
      if (((begin[i] ^ address[i]) >> (8 - left)) != 0) return false;
    }
    return true;
  }
};

std::vector<Range> ranges_of(int family, std::span<const Network> networks) {
  std::vector<Range> out;
  for (const auto& each : networks) {
    std::string_view text = each.cidr;
    auto slash = text.find('/');
    Range range{.bits = *parse_integer<std::size_t>(text.substr(slash + 1)), .kind = each.kind};
    inet_pton(family, std::string(text.substr(0, slash)).c_str(), range.begin.data());
    out.push_back(range);
  }
  return out;
}

std::string_view kind_in(const std::vector<Range>& ranges, std::span<const std::uint8_t> address) {
  auto found = std::find_if(ranges.begin(), ranges.end(),
                            [&](const auto& range) { return range.has(address); });
  return found == ranges.end() ? std::string_view() : found->kind;
}

}  // namespace

std::string_view inner_network(std::span<const std::uint8_t> address) {
  static const auto ranges4 = ranges_of(AF_INET, ipv4);
  static const auto ranges6 = ranges_of(AF_INET6, ipv6);
  if (address.size() == 4) return kind_in(ranges4, address);
  auto front = address.first(12);
  if (std::equal(front.begin(), front.end(), mapped.begin()) ||
      std::equal(front.begin(), front.end(), translated.begin()))
    return kind_in(ranges4, address.subspan(12));
  if (auto kind = kind_in(ranges6, address); !kind.empty()) return kind;
  bool global = (address[0] & 0xe0) == 0x20;
  return global ? "" : "reserved";
}

}  // namespace quire::webhook
