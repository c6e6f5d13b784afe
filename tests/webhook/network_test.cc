#include "webhook/network.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace quire::webhook {
namespace {

std::string judged(const std::string& text) {
  std::array<std::uint8_t, 16> bytes{};
  bool ipv6 = text.find(':') != text.npos;
  if (inet_pton(ipv6 ? AF_INET6 : AF_INET, text.c_str(), bytes.data()) != 1) return "no address";
  return std::string(inner_network(std::span(bytes).first(ipv6 ? 16 : 4)));
}

TEST(Network, KeepsWebhooksFromInnerAddresses) {
  constexpr struct {
    const char *address, *kind;
  } table[] = {
      {"0.0.0.0", "unspecified"},
      {"0.1.2.3", "unspecified"},
      {"10.0.0.0", "private"},
      {"10.255.255.255", "private"},
      {"100.64.0.1", "carrier's private"},
      {"100.127.255.255", "carrier's private"},
      {"127.0.0.1", "loopback"},
      {"127.255.255.254", "loopback"},
      {"169.254.169.254", "link-local"},
      {"172.16.0.1", "private"},
      {"172.31.255.255", "private"},
      {"192.0.0.170", "reserved"},
      {"192.0.2.1", "documentation"},
      {"192.88.99.1", "reserved"},
      {"192.168.1.1", "private"},
      {"198.18.0.1", "benchmarking"},
      {"198.19.255.255", "benchmarking"},
      {"198.51.100.7", "documentation"},
      {"203.0.113.7", "documentation"},
      {"224.0.0.1", "multicast"},
      {"239.255.255.250", "multicast"},
      {"240.0.0.1", "reserved"},
      {"255.255.255.255", "reserved"},
      {"::", "unspecified"},
      {"::1", "loopback"},
      {"::127.0.0.1", "reserved"},
      {"::ffff:127.0.0.1", "loopback"},
      {"::ffff:a9fe:a9fe", "link-local"},
      {"::ffff:0:127.0.0.1", "reserved"},
      {"64:ff9b::10.0.0.1", "private"},
      {"64:ff9b::7f00:1", "loopback"},
      {"64:ff9b:1::808:808", "reserved"},
      {"100::1", "reserved"},
      {"2001::1", "reserved"},
      {"2001:2::1", "reserved"},
      {"2001:1ff::1", "reserved"},
      {"2001:db8::1", "documentation"},
      {"2002:7f00:1::", "reserved"},
      {"3fff:fff::1", "documentation"},
      {"4000::1", "reserved"},
      {"5f00::1", "reserved"},
      {"fc00::1", "private"},
      {"fd00:ec2::254", "private"},
      {"fe80::1", "link-local"},
      {"febf::1", "link-local"},
      {"fec0::1", "private"},
      {"ff02::1", "multicast"},
  };
  for (const auto& [address, kind] : table) EXPECT_EQ(judged(address), kind) << address;
}

TEST(Network, LetsThemToPublicAddresses) {
  for (auto address :
       {"1.1.1.1",         "8.8.8.8",          "9.255.255.255",   "11.0.0.0",
        "100.63.255.255",  "100.128.0.0",      "126.255.255.255", "128.0.0.1",
        "169.253.255.255", "169.255.0.0",      "172.15.255.255",  "172.32.0.0",
        "192.0.1.1",       "192.167.255.255",  "192.169.0.0",     "198.17.255.255",
        "198.20.0.0",      "203.0.112.255",    "203.0.114.0",     "223.255.255.255",
        "::ffff:8.8.8.8",  "64:ff9b::8.8.8.8", "2001:200::1",     "2001:4860:4860::8888",
        "2606:4700::1111", "2a00:1450::1",     "3ffe::1"})
    EXPECT_EQ(judged(address), "") << address;
}

}  // namespace
}  // namespace quire::webhook
