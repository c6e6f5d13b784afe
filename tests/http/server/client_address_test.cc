// The address of a client. A header that the client writes must never decide it.
#include "http/server/clients.h"

#include <gtest/gtest.h>

#include "base/rounds.h"
#include "http/support.h"

namespace quire::http {
namespace {

using boost::asio::ip::make_address;

const std::vector<std::string> proxies = {"10.0.0.0/8", "fd00::/8"};

std::string client(const std::string& peer, const Headers& headers,
                   const std::vector<std::string>& trusted = proxies) {
  std::vector<Network> networks;
  for (const auto& text : trusted) networks.push_back(Network::parse(text).value());
  return client_address(make_address(peer), fields(headers), networks).to_string();
}

// Behind the trusted proxy 10.0.0.1.
std::string forwarded_for(const std::string& value) {
  return client("10.0.0.1", {{"X-Forwarded-For", value}});
}

std::string forwarded(const std::string& value) {
  return client("10.0.0.1", {{"Forwarded", value}});
}

TEST(ClientAddress, IsThePeerWhenNoProxyIsTrusted) {
  EXPECT_EQ(client("203.0.113.9", {{"X-Forwarded-For", "192.0.2.1"}}, {}), "203.0.113.9");
  EXPECT_EQ(client("10.0.0.1", {{"Forwarded", "for=192.0.2.1"}}, {}), "10.0.0.1");
}

TEST(ClientAddress, OfAnUntrustedPeerHeadersCountForNothing) {
  EXPECT_EQ(client("203.0.113.9", {{"X-Forwarded-For", "192.0.2.1"}}), "203.0.113.9");
  EXPECT_EQ(client("203.0.113.9", {{"Forwarded", "for=192.0.2.1"}}), "203.0.113.9");
  EXPECT_EQ(client("11.0.0.1", {{"X-Forwarded-For", "10.0.0.1"}}), "11.0.0.1");
}

TEST(ClientAddress, IsTheTrustedPeerWhenNothingIsForwarded) {
  EXPECT_EQ(client("10.0.0.1", {}), "10.0.0.1");
  EXPECT_EQ(forwarded_for(""), "10.0.0.1");
  EXPECT_EQ(forwarded(""), "10.0.0.1");
}

TEST(ClientAddress, IsWhatATrustedProxyVouchesFor) {
  EXPECT_EQ(forwarded_for("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(forwarded_for("2001:db8::1"), "2001:db8::1");
  EXPECT_EQ(forwarded("for=192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(client("fd00::7", {{"x-forwarded-for", "192.0.2.1"}}), "192.0.2.1");
}

TEST(ClientAddress, EntriesTheClientPutInFrontAreNotBelieved) {
  EXPECT_EQ(forwarded_for("198.51.100.66, 192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(forwarded_for("10.0.0.1, 192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(forwarded("for=198.51.100.66, for=192.0.2.1;proto=https"), "192.0.2.1");
  EXPECT_EQ(
      client("10.0.0.1", {{"X-Forwarded-For", "198.51.100.66"}, {"X-Forwarded-For", "192.0.2.1"}}),
      "192.0.2.1")
      << "lines of one header are one list";
}

TEST(ClientAddress, ChainsOfTrustedProxiesAreFollowed) {
  EXPECT_EQ(forwarded_for("198.51.100.66, 192.0.2.1, 10.1.1.1, 10.2.2.2"), "192.0.2.1");
  EXPECT_EQ(forwarded("for=192.0.2.1, for=10.1.1.1, for=\"[fd00::3]\""), "192.0.2.1");
  EXPECT_EQ(forwarded_for("10.3.3.3, 10.2.2.2"), "10.3.3.3") << "all trusted: the outermost";
}

TEST(ClientAddress, PortsAndBracketsAndQuotesAreTakenOff) {
  EXPECT_EQ(forwarded_for("192.0.2.1:4711"), "192.0.2.1");
  EXPECT_EQ(forwarded_for("[2001:db8::1]:4711"), "2001:db8::1");
  EXPECT_EQ(forwarded_for("[2001:db8::1]"), "2001:db8::1");
  EXPECT_EQ(forwarded_for(" \t192.0.2.1 \t"), "192.0.2.1");
  EXPECT_EQ(forwarded("for=\"192.0.2.1:4711\""), "192.0.2.1");
  EXPECT_EQ(forwarded("for=\"[2001:db8::1]:4711\""), "2001:db8::1");
}

TEST(ClientAddress, ForIsFoundAmongOtherParametersInAnyCase) {
  EXPECT_EQ(forwarded("by=10.0.0.9;For=192.0.2.1;proto=https"), "192.0.2.1");
  EXPECT_EQ(forwarded("proto=https; FOR=\"192.0.2.1\" ; host=shop"), "192.0.2.1");
  EXPECT_EQ(forwarded("before=198.51.100.66;for=192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(forwarded("proto=https"), "10.0.0.1");
}

TEST(ClientAddress, EntriesBeforeAHiddenOneAreNotBelieved) {
  for (std::string hidden : {"unknown", "_hidden", "\"_SEVKISEK\"", "192.0.2", "192.0.2.256", "[",
                             "[]", "\"", "\"\"", ":", "192.0.2.1:80:80", "2001:db8::g", "-"}) {
    EXPECT_EQ(forwarded("for=198.51.100.66, for=" + hidden), "10.0.0.1") << hidden;
    EXPECT_EQ(forwarded_for("198.51.100.66, " + hidden), "10.0.0.1") << hidden;
    EXPECT_EQ(forwarded_for("198.51.100.66, " + hidden + ", 10.4.4.4"), "10.4.4.4") << hidden;
  }
}

TEST(ClientAddress, AnIPv4MappedAddressIsTheIPv4Address) {
  EXPECT_EQ(client("::ffff:203.0.113.9", {}), "203.0.113.9");
  EXPECT_EQ(client("::ffff:10.0.0.1", {{"X-Forwarded-For", "192.0.2.1"}}), "192.0.2.1");
  EXPECT_EQ(forwarded_for("::ffff:192.0.2.1"), "192.0.2.1");
}

// A trusted proxy appends the address that it saw. That address counts, whatever is before it.
TEST(ClientAddress, NothingBeforeTheProxysOwnEntryChangesIt) {
  std::mt19937 random(20261121);
  const std::vector<std::string> seeds = {"198.51.100.66",
                                          "10.0.0.1, 10.0.0.2",
                                          "for=\"[2001:db8::1]:80\";proto=https, for=10.0.0.1",
                                          "unknown, _x",
                                          "\"[::ffff:10.0.0.1]\"",
                                          "for=10.0.0.1;by=\"a,b\""};
  for (int i = 0; i < rounds(40'000); ++i) {
    auto sent = mutated(seeds[random() % seeds.size()], "\",;:[]=. \t\\%_f0", random);
    for (std::string entry : {"192.0.2.7", "[2001:db8::7]:443"}) {
      std::string seen = entry[0] == '[' ? "2001:db8::7" : entry;
      ASSERT_EQ(forwarded_for(sent + ", " + entry), seen) << sent;
      ASSERT_EQ(forwarded(sent + ", for=\"" + entry + "\""), seen) << sent;
      ASSERT_EQ(client("10.0.0.1", {{"X-Forwarded-For", sent}, {"X-Forwarded-For", entry}}), seen);
    }
    ASSERT_EQ(client("192.0.2.7", {{"Forwarded", sent}, {"X-Forwarded-For", sent}}), "192.0.2.7");
    // Without the proxy's entry it may name any address, but must be read without harm.
    forwarded(sent);
    forwarded_for(sent);
  }
}

TEST(Network, AnAddressWithoutAPrefixContainsItselfAlone) {
  auto four = Network::parse("192.0.2.7").value();
  EXPECT_TRUE(four.contains(make_address("192.0.2.7")));
  EXPECT_FALSE(four.contains(make_address("192.0.2.6")));
  auto six = Network::parse("::1").value();
  EXPECT_TRUE(six.contains(make_address("::1")));
  EXPECT_FALSE(six.contains(make_address("::2")));
  EXPECT_FALSE(six.contains(make_address("0.0.0.1")));
}

TEST(Network, ContainsAddressesWithTheSamePrefix) {
  struct Row {
    std::string network, first, last, before, after;
  };
  for (const auto& [text, first, last, before, after] : {
           Row{"10.0.0.0/8", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"},
           Row{"192.0.2.128/25", "192.0.2.128", "192.0.2.255", "192.0.2.127", "192.0.3.0"},
           Row{"172.16.0.0/12", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"},
           Row{"192.0.2.7/31", "192.0.2.6", "192.0.2.7", "192.0.2.5", "192.0.2.8"},
           Row{"2001:db8::/33", "2001:db8::", "2001:db8:7fff::1", "2001:db7::", "2001:db8:8000::"},
           Row{"fd00::/8", "fd00::", "fdff::ffff", "fcff::", "fe00::"},
       }) {
    auto network = Network::parse(text).value();
    EXPECT_TRUE(network.contains(make_address(first))) << text;
    EXPECT_TRUE(network.contains(make_address(last))) << text;
    EXPECT_FALSE(network.contains(make_address(before))) << text;
    EXPECT_FALSE(network.contains(make_address(after))) << text;
  }
}

TEST(Network, APrefixOfZeroBitsContainsAllAddressesOfItsFamily) {
  EXPECT_TRUE(Network::parse("0.0.0.0/0").value().contains(make_address("203.0.113.9")));
  EXPECT_FALSE(Network::parse("0.0.0.0/0").value().contains(make_address("::1")));
  EXPECT_TRUE(Network::parse("::/0").value().contains(make_address("2001:db8::1")));
  EXPECT_FALSE(Network::parse("::/0").value().contains(make_address("203.0.113.9")));
}

TEST(Network, AnythingElseIsRefusedByName) {
  for (std::string text :
       {"", "/", "/8", "10", "10.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8",
        "10.0.0.0/8x", "10.0.0.0/ 8", " 10.0.0.0/8", "10.0.0.0/8/8", "::/129", "::1/", "[::1]",
        "proxy.example", "10.0.0.0/4294967304"}) {
    auto network = Network::parse(text);
    ASSERT_FALSE(network.ok()) << text;
    EXPECT_EQ(network.error().code, ErrorCode::invalid_parameter);
    EXPECT_EQ(network.error().parameter, "trusted-proxy");
    EXPECT_NE(network.error().message.find("\"" + text + "\""), std::string::npos);
  }
}

}  // namespace
}  // namespace quire::http
