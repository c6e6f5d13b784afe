#include "base/web_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <unicode/idna.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "base/text.h"

namespace quire {
namespace {

bool is_digit(char c) {
  return '0' <= c && c <= '9';
}

// A browser drops some of them.
bool is_control(char c) {
  return (0 <= c && c < ' ') || c == 0x7f;
}

// "Forbidden domain code points" of the standard, and what a browser changes: capital letters, and
// all that is not ASCII.
bool is_of_domain(char c) {
  constexpr std::string_view forbidden = "#/:<>?@[\\]^|%";
  return c > ' ' && c < 0x7f && (c < 'A' || c > 'Z') && forbidden.find(c) == forbidden.npos;
}

// The faults for which a browser refuses a name. It does not mind long or empty labels, or where
// their hyphens are.
constexpr std::uint32_t minded = ~static_cast<std::uint32_t>(
    UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |
    UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4);

const icu::IDNA* idna() {
  static const std::unique_ptr<const icu::IDNA> made = [] {
    UErrorCode code = U_ZERO_ERROR;
    constexpr auto options = UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                             UIDNA_NONTRANSITIONAL_TO_ASCII | UIDNA_NONTRANSITIONAL_TO_UNICODE;
    return std::unique_ptr<const icu::IDNA>(icu::IDNA::createUTS46Instance(options, code));
  }();
  return made.get();
}

bool has_punycode(std::string_view host) {
  return host.starts_with("xn--") || host.find(".xn--") != host.npos;
}

bool is_valid_punycode(std::string_view host) {
  UErrorCode code = U_ZERO_ERROR;
  icu::IDNAInfo info;
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  if (!idna()) return false;
  auto size = static_cast<std::int32_t>(host.size());
  idna()->nameToASCII_UTF8({host.data(), size}, sink, info, code);
  return U_SUCCESS(code) && (info.getErrors() & minded) == 0 && out == host;
}

// "Ends in a number": then a browser reads an IPv4 address, or refuses the host.
bool ends_in_number(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  auto last = host.substr(host.rfind('.') + 1);
  if (last.empty()) return false;
  if (std::all_of(last.begin(), last.end(), is_digit)) return true;
  if (!last.starts_with("0x")) return false;
  return last.find_first_not_of("0123456789abcdef", 2) == last.npos;
}

// Written as a browser writes it: without zeros in front, which it reads as octal.
bool is_plain_ipv4(std::string_view host) {
  in_addr address{};
  std::array<char, INET_ADDRSTRLEN> text{};
  return inet_pton(AF_INET, std::string(host).c_str(), &address) == 1 &&
         host == inet_ntop(AF_INET, &address, text.data(), text.size());
}

// "The IPv6 serializer": the first of the longest runs of zeros becomes "::", if it has two at
// least.
std::string written(const in6_addr& address) {
  std::array<unsigned, 8> pieces{};
  for (std::size_t i = 0; i < 8; ++i)
    pieces[i] = address.s6_addr[2 * i] * 256u + address.s6_addr[2 * i + 1];
  std::size_t from = 8, run = 1;
  for (std::size_t i = 0, zeros = 0; i < 8; ++i) {
    zeros = pieces[i] == 0 ? zeros + 1 : 0;
    if (zeros > run) run = zeros, from = i + 1 - zeros;
  }
  std::string out;
  for (std::size_t i = 0; i < 8; ++i) {
    if (i == from) {
      out += "::";
      i += run - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    out += fmt::format("{:x}", pieces[i]);
  }
  return out;
}

bool is_plain_ipv6(std::string_view inner) {
  in6_addr address{};
  return inet_pton(AF_INET6, std::string(inner).c_str(), &address) == 1 &&
         inner == written(address);
}

// What a browser encodes in a path, a query or a fragment.
bool is_encoded(char c) {
  constexpr std::string_view some = "\"<>^`{|}";
  return c <= ' ' || c >= 0x7f || some.find(c) != some.npos;
}

}  // namespace

bool is_web_host(std::string_view host) {
  if (host.find('\0') != host.npos) return false;
  if (host.starts_with('[') && host.ends_with(']'))
    return is_plain_ipv6(host.substr(1, host.size() - 2));
  if (host.empty() || !std::all_of(host.begin(), host.end(), is_of_domain)) return false;
  if (ends_in_number(host)) return is_plain_ipv4(host);
  return !has_punycode(host) || is_valid_punycode(host);
}

bool is_port(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit) &&
         parse_integer<std::uint16_t>(text).has_value();
}

bool is_authority(std::string_view text) {
  auto colon = text.find(':', text.starts_with('[') ? std::min(text.find(']'), text.size()) : 0);
  auto host = text.substr(0, colon);
  auto port = colon == text.npos ? text.substr(text.size()) : text.substr(colon + 1);
  if (!port.empty() && !is_port(port)) return false;
  in6_addr address{};
  if (host.starts_with('['))
    return host.ends_with(']') &&
           inet_pton(AF_INET6, std::string(host.substr(1, host.size() - 2)).c_str(), &address) == 1;
  auto is_of_name = [](char c) { return ('A' <= c && c <= 'Z') || is_of_domain(c); };
  return !host.empty() && std::all_of(host.begin(), host.end(), is_of_name);
}

std::optional<WebAddress> parse_web_address(std::string_view text) {
  WebAddress out{.secure = text.starts_with("https://")};
  if (!out.secure && !text.starts_with("http://")) return {};
  if (text.back() == ' ' || std::any_of(text.begin(), text.end(), is_control)) return {};
  text.remove_prefix(out.secure ? 8 : 7);
  auto authority = text.substr(0, text.find_first_of("/?#\\"));
  out.rest = text.substr(authority.size());
  auto inner = authority.starts_with('[') ? authority.find(']') : 0;
  auto colon = inner == authority.npos ? authority.npos : authority.find(':', inner);
  out.host = authority.substr(0, colon);
  if (!is_web_host(out.host)) return {};
  if (colon == authority.npos) return out;
  out.port = authority.substr(colon + 1);
  bool usual = out.port == (out.secure ? "443" : "80");
  bool zeros = out.port.size() > 1 && out.port.front() == '0';
  if (!is_port(out.port) || usual || zeros) return {};
  return out;
}

std::string as_sent(const WebAddress& address) {
  auto out = fmt::format("{}://{}", address.secure ? "https" : "http", address.host);
  if (!address.port.empty()) out.append(":").append(address.port);
  bool in_path = true;
  for (char c : address.rest) {
    in_path = in_path && c != '?' && c != '#';
    if (is_encoded(c))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out += in_path && c == '\\' ? '/' : c;
  }
  return out;
}

}  // namespace quire
